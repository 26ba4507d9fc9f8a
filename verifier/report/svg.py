"""Pictures that go into a page: read as XML and written anew, with nothing in them that acts or fetches."""

from __future__ import annotations

from xml.etree import ElementTree

from rules.diagnostics import InternalError
from verifier.report.markup import Markup

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "{http://www.w3.org/1999/xlink}"
_STRUCTURE = {"svg", "g", "defs", "marker", "symbol", "use", "a", "title", "desc", "style", "clipPath"}
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan"}


def picture_markup(svg: str) -> Markup:
    """The picture as markup. Raises `InternalError` for what is no picture of ours."""
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise InternalError(f"a picture is not well-formed: {error}") from None
    if root.tag != f"{{{_SVG}}}svg":
        raise InternalError("a picture is not SVG")
    for node in root.iter():
        _tame(node)
    ElementTree.register_namespace("", _SVG)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _tame(node: ElementTree.Element) -> None:
    name = node.tag.removeprefix(f"{{{_SVG}}}")
    if name not in _STRUCTURE | _SHAPES:
        raise InternalError(f"a picture has a part `{name}` that has no place in a page")
    if name == "style" and any(word in (node.text or "").lower() for word in ("@import", "url(", "<")):
        raise InternalError("a picture has a style that fetches")
    for key, value in list(node.attrib.items()):
        bare = key.removeprefix(_XLINK)
        if bare != key or bare.startswith("{"):  # HTML has no namespaces of attributes
            del node.attrib[key]
        if bare.lower().startswith("on"):
            raise InternalError(f"a picture has an attribute `{bare}` that has no place in a page")
        if bare == "href":
            if not value.startswith("#"):
                raise InternalError("a picture leads out of the page")
            node.set("href", value)
