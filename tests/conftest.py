"""The same examples in every run; `python -m tests.machine.sweep` looks further."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")
