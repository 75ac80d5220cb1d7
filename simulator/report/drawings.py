"""A run's figures as SVG inside the page, in the page's own colours so that they follow it into the dark."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from simulator.plots import KINDS, draw
from simulator.plots.style import INK, PAPER
from simulator.report.markup import Markup, el

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from simulator.runs import Run

_SVG = "http://www.w3.org/2000/svg"
_LINK = "{http://www.w3.org/1999/xlink}href"
_OWN_COLOURS = {INK: "currentColor", "#000000": "currentColor", PAPER: "var(--paper)"}
_COLOUR = re.compile("|".join(_OWN_COLOURS))


def drawings(run: Run, kinds: Sequence[str]) -> Markup | None:
    """Figures, each with the question it answers."""
    if not kinds:
        return None
    return el(
        "div",
        (el("figure", el("figcaption", KINDS[kind].question), svg(kind, run)) for kind in kinds),
        class_="figures",
    )


def svg(kind: str, run: Run) -> Markup:
    """One figure of a run as an SVG element."""
    return svg_of(draw(kind, run), kind, KINDS[kind].question)


def svg_of(figure: Figure, name: str, question: str) -> Markup:
    """A figure as an SVG element.

    Args:
        figure: in the house style.
        name: makes its ids its own on a page with several.
        question: what it answers, for those who cannot see it.
    """
    import matplotlib

    drawn = io.BytesIO()
    # Text stays text: it can be read out, searched and copied, and takes a tenth of the room of its outlines.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(drawn, format="svg", metadata={"Date": None}, facecolor="none")
    root = ElementTree.fromstring(drawn.getvalue())
    _settle(root, name)
    root.attrib.pop("width", None)
    root.attrib.pop("height", None)
    root.set("fill", "currentColor")  # matplotlib leaves black unsaid
    root.set("role", "img")
    root.set("aria-label", question)
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
