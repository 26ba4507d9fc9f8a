"""The judge: checks of a rulebook as a whole, coverage, and how findings are shown."""

from verifier.coverage import Coverage, coverage_of
from verifier.render import to_json, to_text
from verifier.structure import check_structure

__all__ = ["Coverage", "check_structure", "coverage_of", "to_json", "to_text"]
