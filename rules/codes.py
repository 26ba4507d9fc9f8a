"""The registry of diagnostic codes. Codes are stable: one that is gone is never used again for something else.

Families: LX0 text and syntax, LX1 names and places, LX2 types, LX3 numbers and contents, LX4 rules, LX5 unused,
LX6 unreachable, LX7 scenarios, LX8 state files, LX9 what the judge finds: LX90 contradiction, LX91 documents, LX92
precedence (and questions and claims), LX93 gap, LX94 overlap, LX95 unreachable, LX96 order, LX97 stuck, LX98 outcome,
LX990 to LX994 reading, LX995 to LX999 redundant.
Each has a page in `rules/pages`, which `ludex explain CODE` shows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal[
    "contradiction",
    "documents",
    "precedence",
    "gap",
    "overlap",
    "unreachable",
    "order",
    "stuck",
    "outcome",
    "reading",
    "redundant",
]


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    severity: Literal["error", "warning", "info"]
    title: str
    on_request: bool = False  # looked for and shown only where it is asked for

    @property
    def family(self) -> Family | None:
        """The family of a finding of the judge; None for what reading and checking a book brings to light."""
        if not self.code.startswith("LX9"):
            return None
        if self.code.startswith("LX99"):
            return "reading" if self.code < "LX995" else "redundant"
        return _FAMILIES[int(self.code[3])]


_FAMILIES: tuple[Family, ...] = (
    "contradiction",
    "documents",
    "precedence",
    "gap",
    "overlap",
    "unreachable",
    "order",
    "stuck",
    "outcome",
)

_ALL = (
    # text and syntax
    Code("LX001", "error", "a file cannot be read"),
    Code("LX002", "error", "a file declares nothing"),
    Code("LX003", "error", "a file is not text"),
    Code("LX004", "error", "a file is too large"),
    Code("LX005", "error", "a byte order mark at the start of a file"),
    Code("LX006", "error", "carriage returns at the ends of lines"),
    Code("LX007", "error", "an imported file is missing"),
    Code("LX008", "error", "files that import each other in a circle"),
    Code("LX009", "error", "a folder without rule files"),
    Code("LX011", "error", "a tab"),
    Code("LX012", "error", "a line indented like no block around it"),
    Code("LX013", "error", "a statement with too many operators"),
    Code("LX014", "error", "blocks nested too deeply"),
    Code("LX015", "error", "a bracket without its partner"),
    Code("LX016", "error", "a text that is never closed"),
    Code("LX017", "error", "a mark that means nothing"),
    Code("LX018", "error", "a number that cannot be read"),
    Code("LX020", "error", "something else was expected here"),
    Code("LX021", "error", "a word of the language used as a name"),
    Code("LX022", "error", "a file that stops in the middle"),
    Code("LX023", "error", "a header without its block"),
    Code("LX024", "error", "a line indented too far"),
    Code("LX025", "error", "a line of a rule that cannot be read"),
    Code("LX026", "error", "a condition that cannot be read"),
    Code("LX027", "error", "a statement that cannot be read"),
    Code("LX028", "error", "a table that cannot be read"),
    Code("LX029", "error", "a line about things or values that cannot be read"),
    Code("LX030", "error", "a clause that cannot be read"),
    Code("LX031", "error", "a story that cannot be read"),
    Code("LX032", "error", "a question, claim or scenario that cannot be read"),
    Code("LX033", "error", "an expression that cannot be read"),
    Code("LX034", "error", "a name of several words"),
    Code("LX035", "error", "a mark or a word that is not needed"),
    Code("LX036", "error", "a misspelt word of the language"),
    Code("LX037", "error", "a header that cannot be read"),
    Code("LX038", "error", "a range that is not written with two dots"),
    # names and places
    Code("LX101", "error", "a name that is not declared"),
    Code("LX102", "error", "a name that is declared twice"),
    Code("LX103", "error", "a name of the wrong sort"),
    Code("LX104", "error", "a variable that stands for nothing"),
    Code("LX105", "error", "a variable that already stands for something"),
    Code("LX106", "error", "a word that means nothing in this place"),
    Code("LX108", "error", "a rulebook without a game"),
    Code("LX109", "error", "a block that may stand only once"),
    Code("LX110", "error", "a variable is needed"),
    Code("LX111", "error", "a name with two meanings"),
    Code("LX120", "error", "a citation without a document"),
    Code("LX121", "warning", "a citation of a place without statements"),
    Code("LX122", "error", "a place that does not fit its outline"),
    # types
    Code("LX201", "error", "something of another type is needed"),
    Code("LX202", "error", "too many or too few things asked of"),
    Code("LX203", "error", "a condition is needed"),
    Code("LX204", "error", "a number is needed"),
    Code("LX205", "error", "something that cannot change"),
    Code("LX206", "error", "a comparison of unlike things"),
    Code("LX207", "error", "an action with a wrong part"),
    Code("LX208", "error", "an action that nobody does"),
    Code("LX209", "error", "a relation that does not fit"),
    Code("LX210", "error", "something that holds things is needed"),
    Code("LX211", "error", "a move that cannot be made"),
    Code("LX212", "error", "someone who can act is needed"),
    Code("LX213", "error", "a table that mixes values and deeds"),
    Code("LX214", "error", "a row below the row for all the rest"),
    # numbers and contents
    Code("LX301", "error", "a range that runs downwards"),
    Code("LX302", "error", "a number of things that cannot be"),
    Code("LX303", "error", "a value out of range"),
    Code("LX304", "error", "a pool that does not add up"),
    Code("LX305", "warning", "a comparison that is always the same"),
    Code("LX306", "warning", "a row that reaches beyond its key"),
    Code("LX308", "error", "a division by nothing"),
    Code("LX309", "error", "a die with faces of two sorts"),
    Code("LX310", "error", "a printed value that is missing"),
    Code("LX311", "error", "state without a start"),
    Code("LX312", "error", "cards that lie nowhere"),
    Code("LX313", "error", "counters that belong to nobody"),
    Code("LX314", "error", "a place joined to itself"),
    Code("LX315", "error", "a line of sight that cannot be drawn"),
    # rules
    Code("LX401", "error", "a meta-rule that nothing grants"),
    Code("LX402", "error", "a meta-rule that makes no sense"),
    Code("LX403", "error", "a meta-rule after the last word"),
    Code("LX404", "error", "documents that outrank each other in a circle"),
    Code("LX405", "error", "rules that override each other in a circle"),
    Code("LX406", "error", "a single reading"),
    Code("LX407", "error", "a policy or ruling that chooses nothing"),
    Code("LX409", "error", "a scenario that cannot be run"),
    Code("LX410", "error", "an answer that does not fit the question"),
    Code("LX411", "error", "a story statement outside a story"),
    Code("LX412", "error", "a prohibition as a step of play"),
    Code("LX413", "error", "ties in the middle of a rank"),
    Code("LX414", "error", "options that are never offered"),
    Code("LX415", "error", "values that need each other in a circle"),
    Code("LX416", "warning", "procedures that call each other in a circle"),
    Code("LX417", "error", "rulings or default policies that contradict each other"),
    Code("LX418", "error", "`if possible` without a duty"),
    Code("LX419", "error", "a restatement that cannot be one"),
    # warnings
    Code("LX501", "warning", "something that is never used"),
    Code("LX502", "warning", "a rule without a place in the book"),
    Code("LX504", "warning", "an action that no rule allows"),
    # unreachable
    Code("LX601", "warning", "a passage that nothing leads to"),
    # scenarios
    Code("LX701", "error", "a scenario that fails"),
    # state files
    Code("LX801", "error", "a line of a state file that cannot be read"),
    Code("LX802", "error", "a state file without its first line"),
    Code("LX803", "error", "a state file of another game"),
    Code("LX804", "error", "a number of players that the game is not for"),
    Code("LX805", "error", "something that is said twice"),
    Code("LX806", "error", "a name that the game does not have"),
    Code("LX807", "error", "a value of another sort"),
    Code("LX808", "error", "a value beyond its bounds"),
    Code("LX809", "error", "something that is no part of the state"),
    Code("LX810", "error", "an order that is not whole"),
    Code("LX811", "error", "a thing in two places"),
    Code("LX812", "error", "things that lie nowhere"),
    Code("LX813", "error", "counters that do not add up"),
    Code("LX814", "error", "a state beyond a limit of the book"),
    Code("LX815", "error", "a moment in which nobody decides"),
    Code("LX816", "error", "a move that cannot have happened"),
    Code("LX817", "error", "a piece of the state of too many or too few things"),
    # the judge: contradiction
    Code("LX901", "error", "an action allowed and forbidden"),
    Code("LX902", "error", "an action demanded and forbidden"),
    Code("LX903", "error", "two duties that exclude each other"),
    Code("LX904", "error", "a value with two answers"),
    Code("LX905", "error", "an event with two outcomes"),
    # the judge: documents
    Code("LX911", "error", "a restatement with another condition"),
    Code("LX912", "error", "a restatement with another number"),
    Code("LX913", "error", "a restatement with another list"),
    Code("LX914", "error", "a restatement about somebody else"),
    Code("LX915", "error", "a restatement for another time"),
    Code("LX916", "error", "a restatement that says something else"),
    # the judge: precedence
    Code("LX921", "warning", "an override that can never matter"),
    Code("LX922", "error", "a circle of precedence"),
    Code("LX923", "info", "a meta-rule that never decides"),
    Code("LX924", "info", "what rests on an assumption"),
    Code("LX925", "error", "a question answered otherwise than expected"),
    Code("LX926", "error", "a claim that does not hold"),
    Code("LX927", "info", "a claim that is left open"),
    # the judge: gap
    Code("LX931", "error", "a table with a hole"),
    Code("LX932", "error", "a value that no rule gives"),
    Code("LX933", "error", "a tie that nothing breaks"),
    Code("LX934", "warning", "something that nothing takes up"),
    Code("LX935", "error", "a stock that runs out with no rule for it"),
    Code("LX936", "error", "a duty that cannot be met"),
    Code("LX937", "error", "a number that leaves its range"),
    # the judge: overlap
    Code("LX941", "error", "rows that meet and do not say the same"),
    Code("LX942", "warning", "a case that earlier ones cover"),
    # the judge: unreachable
    Code("LX951", "warning", "a rule that never applies"),
    Code("LX952", "warning", "an action that is never legal"),
    Code("LX953", "warning", "a moment that is never entered"),
    Code("LX954", "warning", "a passage that is never read"),
    Code("LX955", "warning", "an option that is never open"),
    Code("LX956", "warning", "an ending of a story that is never reached"),
    Code("LX957", "warning", "a row or a thing that never comes up"),
    # the judge: order
    Code("LX961", "warning", "triggers without an order"),
    Code("LX962", "warning", "something that is read before it is there"),
    Code("LX963", "warning", "something that is overwritten before it is read"),
    # the judge: stuck
    Code("LX971", "error", "play that cannot go on"),
    Code("LX972", "error", "rules that go round for ever"),
    Code("LX973", "warning", "a game that can no longer be won"),
    Code("LX974", "info", "a game that goes on after it is lost"),
    # the judge: outcome
    Code("LX981", "error", "a win and a loss at once"),
    Code("LX982", "warning", "an ending that cannot be attained"),
    Code("LX983", "warning", "an ending that holds from the start or for nobody"),
    Code("LX984", "warning", "a game that can no longer end"),
    Code("LX985", "info", "a game that need not end"),
    # the judge: reading
    Code("LX991", "warning", "two readings that come to different ends"),
    # the judge: redundant
    Code("LX995", "warning", "a rule that another already says"),
    Code("LX996", "info", "a restatement that agrees", on_request=True),
)

CODES: dict[str, Code] = {code.code: code for code in _ALL}
