"""The bundled rulebooks by size: small ones are asked everything, whole documents have tests in tests/books."""

from __future__ import annotations

from ludex.book import bundled

DOCUMENTS = frozenset({"trial_of_the_gods"})
SMALL = sorted(set(bundled()) - DOCUMENTS)
