"""The pages that explain the codes, read when they are asked for."""

from __future__ import annotations

from importlib.resources import files


def page_of(code: str) -> str:
    """The page of a code, as Markdown."""
    return files("rules").joinpath("pages", f"{code}.md").read_text(encoding="utf-8").strip()


def section_of(page: str, title: str) -> str:
    """What a page says under a heading; nothing where it has none such."""
    _, found, rest = page.partition(f"\n## {title}\n")
    return rest.partition("\n## ")[0].strip() if found else ""
