"""A run's figures as SVG inside the page, in the page's own colours so that they follow it into the dark."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from simulator.plots import KINDS, draw
from simulator.plots.style import INK, PAPER
from simulator.report.markup import Markup, el

if TYPE_CHECKING:
    from simulator.runs import Run

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_OWN_COLOURS = {INK: "currentColor", "#000000": "currentColor", PAPER: "var(--paper)"}
_COLOUR = re.compile("|".join(_OWN_COLOURS))


def drawings(run: Run) -> Markup:
    """All figures, each with the question it answers."""
    return el(
        "div",
        (el("figure", el("figcaption", kind.question), svg(name, run)) for name, kind in KINDS.items()),
        class_="figures",
    )


def svg(kind: str, run: Run) -> Markup:
    """One figure as an SVG element."""
    import matplotlib

    drawn = io.BytesIO()
    # Text stays text: it can be read out, searched and copied, and takes a tenth of the room of its outlines.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": kind}):
        draw(kind, run).savefig(drawn, format="svg", metadata={"Date": None}, facecolor="none")
    root = ElementTree.fromstring(drawn.getvalue())
    _settle(root, kind)
    root.attrib.pop("width", None)
    root.attrib.pop("height", None)
    root.set("fill", "currentColor")  # matplotlib leaves black unsaid
    root.set("role", "img")
    root.set("aria-label", KINDS[kind].question)
    ElementTree.register_namespace("", _SVG)
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _settle(root: ElementTree.Element, kind: str) -> None:
    """Give a drawing ids and links of its own, the page's colours, and take out what would act on the whole page."""
    for parent in root.iter():
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    for element in root.iter():
        attributes = element.attrib
        if "id" in attributes:
            attributes["id"] = f"{kind}-{attributes['id']}"
        if _LINK in attributes:
            link = attributes.pop(_LINK)
            attributes["href"] = f"#{kind}-{link[1:]}" if link.startswith("#") else link
        for name in ("clip-path", "style", "fill", "stroke"):
            if name in attributes:
                attributes[name] = _COLOUR.sub(lambda found: _OWN_COLOURS[found[0]], attributes[name]).replace(
                    "url(#", f"url(#{kind}-"
                )
