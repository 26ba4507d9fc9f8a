"""What is wrong with a rulebook, as data. Rendering lives in `verifier.render`; the codes are in `rules.codes`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from rules.codes import CODES
from rules.span import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class InternalError(Exception):
    """A mistake of ours: something that the code took for impossible has happened."""


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that a diagnostic points at, and what stands there."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: lower case, no full stop, the author's words in backticks, `span` as small as it can be."""

    code: str
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    help: str | None = None

    @property
    def severity(self) -> Severity:
        return Severity(CODES[self.code].severity)

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


def in_reading_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sorted by file and place, errors of one place before warnings, repeated ones dropped."""
    unique = dict.fromkeys(diagnostics)
    return tuple(sorted(unique, key=lambda d: (d.span.source.path, d.span.start, not d.is_error, d.code, d.message)))
