"""Which findings are wanted, and how heavy they weigh: by code, by the beginning of codes, or by family.

The command line speaks before the project. Of what one of them says of a code, the closest counts (`LX931` before
`LX93` or `gap`, that before `LX9`), and of two alike, `ignore`. Errors that keep a book from being judged are always
wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import get_args

from rules.codes import CODES, Family
from rules.diagnostics import Severity

FAMILIES: tuple[str, ...] = get_args(Family)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one place says of what to show. Without `select`, all that is not ignored."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def says(self, code: str) -> bool | None:
        """Whether a code is wanted; None where nothing is said of it."""
        chosen = _closest(code, self.select)
        ignored = _closest(code, self.ignore)
        if ignored and ignored >= chosen:
            return False
        if chosen:
            return True
        return False if self.select else None


@dataclass(frozen=True, slots=True)
class Selection:
    """`severities` are the project's own, by code or family; None turns off."""

    command: Wanted = Wanted()
    project: Wanted = Wanted()
    severities: tuple[tuple[str, Severity | None], ...] = ()

    def severity_of(self, code: str) -> Severity | None:
        """How heavy a finding or a warning weighs; None where it is not wanted."""
        default = Severity(CODES[code].severity)
        if is_fixed(code):
            return default
        own = self._own(code, default)
        match self.command.says(code):
            case True:
                return own or default  # asked for by name: shown even where the project has turned it off
            case False:
                return None
            case None:
                return own if self._project_wants(code) else None

    def _project_wants(self, code: str) -> bool:
        """What is shown on request only, the project must name."""
        said = self.project.says(code)
        if said is not None or not CODES[code].on_request:
            return said is not False
        given = dict(self.severities)
        return code in given or CODES[code].family in given

    def _own(self, code: str, default: Severity) -> Severity | None:
        given = dict(self.severities)
        family = CODES[code].family
        if code in given:
            return given[code]
        return given.get(family, default) if family is not None else default


def is_fixed(code: str) -> bool:
    """An error in reading or checking a book: without mending it nothing can be judged."""
    return CODES[code].family is None and CODES[code].severity == "error"


def _closest(code: str, patterns: tuple[str, ...]) -> int:
    """How close the closest pattern comes to a code; 0 for none. A family is as close as `LX93`."""
    family = CODES[code].family
    return max(
        (4 if pattern == family else len(pattern) for pattern in patterns if _matches(pattern, code, family)), default=0
    )


def _matches(pattern: str, code: str, family: Family | None) -> bool:
    return pattern == family or (pattern not in FAMILIES and code.startswith(pattern))


def problem_with(pattern: str) -> str | None:
    """Why a text names no findings, in words; None where it does."""
    if pattern in FAMILIES or (pattern.startswith("LX") and any(code.startswith(pattern) for code in CODES)):
        return None
    close = get_close_matches(pattern.lower(), FAMILIES, n=1) or get_close_matches(pattern.upper(), CODES, n=1)
    hint = f"did you mean `{close[0]}`?" if close else f"families are {', '.join(FAMILIES)}"
    return f"`{pattern}` is no code, no beginning of codes and no family of findings; {hint}"
