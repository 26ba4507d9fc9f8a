"""Colours and type of the pictures, and what the colours mean."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.graphs.drawing import NodeKind, What

# Per kind: fill and border by day, fill and border by night.
_COLOURS: dict[str, tuple[str, str, str, str]] = {
    "action": ("#e3f1e1", "#4e8a4a", "#1f3320", "#79b874"),
    "call": ("#ece8f6", "#7a68ac", "#2a2540", "#a595d8"),
    "chance": ("#fdf0d5", "#b07d1c", "#3a2f14", "#dcae55"),
    "choice": ("#e3f1e1", "#4e8a4a", "#1f3320", "#79b874"),
    "deed": ("#f4f4f2", "#8c8c86", "#2a2a2c", "#8f8f94"),
    "document": ("#ffffff", "#55555f", "#202024", "#b4b4bc"),
    "end": ("#fbe4e6", "#b0424f", "#3f1d22", "#e08893"),
    "fold": ("#eef1f6", "#63718c", "#232935", "#93a3c2"),
    "if": ("#fbf7e4", "#968540", "#312d1b", "#c6b56c"),
    "meta": ("#fdf0d5", "#b07d1c", "#3a2f14", "#dcae55"),
    "moment": ("#e0f0f4", "#3b8296", "#17303a", "#6fb6ca"),
    "offer": ("#e3f1e1", "#4e8a4a", "#1f3320", "#79b874"),
    "passage": ("#f4f4f2", "#8c8c86", "#2a2a2c", "#8f8f94"),
    "play": ("#e0f0f4", "#3b8296", "#17303a", "#6fb6ca"),
    "procedure": ("#ece8f6", "#7a68ac", "#2a2540", "#a595d8"),
    "rank": ("#fbf7e4", "#968540", "#312d1b", "#c6b56c"),
    "rule": ("#e4edfa", "#4470b3", "#1c2a42", "#7fa8e6"),
    "start": ("#e3f1e1", "#4e8a4a", "#1f3320", "#79b874"),
    "state": ("#ffffff", "#55555f", "#202024", "#b4b4bc"),
    "table": ("#fdf0d5", "#b07d1c", "#3a2f14", "#dcae55"),
    "value": ("#fbf7e4", "#968540", "#312d1b", "#c6b56c"),
    "window": ("#e0f0f4", "#3b8296", "#17303a", "#6fb6ca"),
}
_GROUPS: dict[str, tuple[str, str, str, str]] = {
    "chapter": ("#fafaf7", "#b9b9b0", "#1b1b1e", "#56565e"),
    "document": ("#fafaf7", "#b9b9b0", "#1b1b1e", "#56565e"),
    "loop": ("#fcfbf2", "#cbbf8d", "#1e1d18", "#6d663f"),
    "phase": ("#f1f7f9", "#8fb6c1", "#172024", "#3f6571"),
    "procedure": ("#f7f5fb", "#b3a9cf", "#1d1b25", "#5c5380"),
    "rest": ("#fafaf7", "#b9b9b0", "#1b1b1e", "#56565e"),
}
# Ink, quiet ink, paper, good, bad.
_INKS = (
    {"ink": "#22222a", "quiet": "#6d6d76", "paper": "#ffffff", "good": "#2f7a35", "bad": "#b3261e"},
    {"ink": "#e8e8ec", "quiet": "#a0a0aa", "paper": "#131316", "good": "#7fcf86", "bad": "#ff8a80"},
)


def _theme(night: bool) -> str:
    ink = _INKS[night]
    fill, border = (2, 3) if night else (0, 1)
    found = [
        f".ludex-graph .paper{{fill:{ink['paper']}}}",
        f".ludex-graph text{{fill:{ink['ink']}}}",
        f".ludex-graph .label,.ludex-graph .note,.ludex-graph .key,.ludex-graph .line{{fill:{ink['quiet']}}}",
        f".ludex-graph .edge{{stroke:{ink['quiet']}}}.ludex-graph .tip{{fill:{ink['quiet']}}}",
    ]
    found += [
        f".ludex-graph .edge.{tone}{{stroke:{ink[tone]}}}.ludex-graph .tip.{tone},.ludex-graph .label.{tone}"
        f"{{fill:{ink[tone]}}}"
        for tone in ("good", "bad")
    ]
    found += [
        f".ludex-graph .node.{kind} rect,.ludex-graph .node.{kind} polygon{{fill:{c[fill]};stroke:{c[border]}}}"
        for kind, c in _COLOURS.items()
    ]
    found += [
        f".ludex-graph .group.{kind}{{fill:{c[fill]};stroke:{c[border]}}}"
        f".ludex-graph .group-title.{kind}{{stroke:{c[fill]}}}"
        for kind, c in _GROUPS.items()
    ]
    found.append(
        f".ludex-graph .node.fault rect,.ludex-graph .node.fault polygon{{fill:{ink['paper']};stroke:{ink['bad']}}}"
        f".ludex-graph .node.assumed rect{{fill:{ink['paper']};stroke:{ink['quiet']}}}"
        f".ludex-graph .node.fault text.head,.ludex-graph .node.fault text.line{{fill:{ink['bad']}}}"
    )
    return "".join(found)


_SHAPES = (
    ".ludex-graph{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}"
    ".ludex-graph .title{font-size:17px;font-weight:600}"
    ".ludex-graph .head{font-size:13px;text-anchor:middle}"
    ".ludex-graph .line{font-size:11px;text-anchor:middle}"
    ".ludex-graph .label,.ludex-graph .key,.ludex-graph .note{font-size:11px}"
    ".ludex-graph .group-title{font-size:12px;font-weight:600;stroke-width:5px;paint-order:stroke;"
    "stroke-linejoin:round}"
    ".ludex-graph .node rect,.ludex-graph .node polygon{stroke-width:1.2px}"
    ".ludex-graph .edge{fill:none;stroke-width:1.2px}"
    ".ludex-graph .edge.dashed,.ludex-graph .node.assumed rect{stroke-dasharray:6 4}"
    ".ludex-graph .edge.dotted{stroke-dasharray:1.5 3.5}"
    ".ludex-graph .node.fault rect{stroke-dasharray:3 3;stroke-width:1.6px}"
    ".ludex-graph .node.end .inner{fill:none}"
)
STYLE = f"{_SHAPES}{_theme(False)}@media (prefers-color-scheme:dark){{{_theme(True)}}}"

LEGEND: Mapping[What, Mapping[NodeKind, str]] = {
    "phases": {
        "offer": "actions that are offered",
        "choice": "a choice",
        "chance": "a roll",
        "if": "a condition",
        "call": "carries out a procedure",
        "window": "a window for reactions",
        "deed": "what happens",
        "rule": "a rule that is triggered",
        "end": "breaks off or ends",
        "fold": "several in one",
    },
    "story": {
        "start": "begins here",
        "passage": "a passage",
        "end": "an ending",
        "fold": "several passages",
    },
    "precedence": {
        "meta": "a meta-rule, the strongest first",
        "document": "a document",
        "rule": "a rule",
        "value": "a value",
        "table": "a table",
        "rank": "a rank",
        "action": "an action",
        "procedure": "a procedure",
        "fold": "several in one",
    },
    "rules": {
        "state": "state",
        "rule": "a rule",
        "value": "a value or rank",
        "table": "a table",
        "action": "an action",
        "procedure": "a procedure",
        "moment": "a moment",
        "play": "play and stories",
        "end": "the end of the game",
        "fold": "several in one",
    },
}
