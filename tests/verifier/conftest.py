from __future__ import annotations

from tests.verifier.sample import codes

__all__ = ["codes"]
