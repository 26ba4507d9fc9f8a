"""What every part of a made book shares: the ports and their map, the days, places in the documents, words."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

DAYS = 6  # on the last one the game ends
COINS = 6
FAME = 2  # so much wins
RUIN = 2  # so much loses

_PORTS = "athens rhodes crete delos samos naxos paros milos ithaca corfu lemnos chios"

_WORDS = {
    "craft": "weave forge bake brew carve mould gild stitch plait temper etch glaze",
    "market": "spice incense coral amber saffron indigo ivory pepper camphor jade myrrh cobalt",
    "catch": "herring crab clam oyster eel pike cod squid mussel tuna prawn perch",
    "contest": "wrestle race row recite fence juggle archery discus debate chess dice_throw dance",
    "feast": "stew roast broth porridge pie pudding relish chowder goulash ragout dumpling fritter",
    "watch": "patrol scout escort survey pilot ferry inspect courier blockade convoy picket sentry",
    "works": "tower pier bridge granary wall dock temple mill aqueduct arsenal beacon causeway",
    "stores": "porter mason sailor guard scribe diver smith cook carter tiler drover cooper",
}
_DISTRICTS = ("", "north", "south", "old", "new", "upper", "lower", "royal", "outer", "inner", "east", "west")
_QUARTERS = "workshops quays arcades gardens cellars terraces forums ramparts orchards alleys courtyards lofts"


def phase_name(number: int) -> str:
    """Of the phases in which guilds act, counted from 0."""
    names = _QUARTERS.split()
    again = f"_{number // len(names) + 1}" if number >= len(names) else ""
    return names[number % len(names)] + again


@dataclass(slots=True)
class Setting:
    """`home`, `bay`, `far` and `reef` are ports: home - bay - reef - far - home, and bay - far."""

    random: random.Random
    ports: tuple[str, str, str, str]
    words: dict[str, list[str]]
    _lines: Counter[str] = field(default_factory=Counter)
    _taken: Counter[str] = field(default_factory=Counter)

    @property
    def home(self) -> str:
        return self.ports[0]

    @property
    def bay(self) -> str:
        return self.ports[1]

    @property
    def far(self) -> str:
        return self.ports[2]

    @property
    def reef(self) -> str:
        return self.ports[3]

    def cite(self, document: str) -> str:
        """The next place in a document; the first lines are those of its meta-rules."""
        self._lines[document] += 1
        return f"{document} {9 + self._lines[document]}"

    def word(self, sort: str) -> str:
        """A word for a guild that no other has: the plain ones first, then the same crafts in other districts."""
        number = self._taken[sort]
        self._taken[sort] += 1
        round_, place = divmod(number, len(self.words[sort]))
        again, district = divmod(round_, len(_DISTRICTS))
        parts = (_DISTRICTS[district], self.words[sort][place], str(again + 1) if again else "")
        return "_".join(part for part in parts if part)

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def number(self, low: int, high: int) -> int:
        return self.random.randint(low, high)


def setting(seed: int) -> Setting:
    chooser = random.Random(f"clean {seed}")
    home, bay, far, reef = chooser.sample(_PORTS.split(), 4)
    words = {sort: text.split() for sort, text in _WORDS.items()}
    for plain in words.values():
        chooser.shuffle(plain)
    return Setting(chooser, (home, bay, far, reef), words)
