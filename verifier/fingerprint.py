"""What makes a finding the same finding after the book was edited elsewhere.

Of it count the code, the rules concerned with their parts, and the sentence; not where they stand, nor in which order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from hashlib import blake2b

_QUOTED = re.compile(r"`([^`]*)`")
_LINES = re.compile(r"\blines?\s+\d+(?:\s*(?:\.\.|-|and|to|,)\s*\d+)*")
_PLACE = re.compile(r"\S*\.rules:\d+(?::\d+)?")


def fingerprint_of(code: str, message: str, concerned: Iterable[tuple[str, str]] = ()) -> str:
    """Sixteen hexadecimal digits; `concerned` are names of rules, each with what it does here."""
    parts = [code, *_normal(message), *sorted(f"{name}\t{' '.join(_normal(part))}" for name, part in concerned)]
    return blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def numbered(fingerprints: Iterable[str]) -> list[str]:
    """Made different where several are alike: the second of a kind ends in `.2`."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for fingerprint in fingerprints:
        seen[fingerprint] += 1
        found.append(fingerprint if seen[fingerprint] == 1 else f"{fingerprint}.{seen[fingerprint]}")
    return found


def _normal(text: str) -> list[str]:
    """The sentence without places and without the author's words, then those words, sorted.

    Two rules that a sentence names in the order of the text may change places in the text.
    """
    without = _LINES.sub("line", _PLACE.sub("place", text))
    sentence = " ".join(_QUOTED.sub("``", without).lower().split())
    return [sentence, *sorted(" ".join(word.split()) for word in _QUOTED.findall(without))]
