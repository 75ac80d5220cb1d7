"""The choices at the side of the page: the mediator takes over from the next round on, the others with a reset."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import solara

from simulator.dashboard.choices import Choices, Offer

MOST_WEIGHTS = 24
MODELS = ("embedded", "fake", "none")
CHOSEN = ("mediator", "protocol", "model", "seed", "rounds", "weights")
_LOOKS = {"dense": True, "outlined": True, "hide_details": True}


@dataclass(frozen=True, slots=True)
class Panel:
    """What the side of the page is given and calls.

    Attributes:
        first: the choices that the page began with.
        offer: those in force.
        known: names to choose from, by kind: scenarios, mediators, protocols.
        on_reset: is given the choices for a new world.
        on_mediator: is given another mediator for the world in force.
        on_scenario: is given choices and gives back what they offer, or None if they cannot be read.
    """

    first: Choices
    offer: Offer
    known: Mapping[str, Sequence[str]]
    on_reset: Callable[[Choices], None]
    on_mediator: Callable[[str], None]
    on_scenario: Callable[[Choices], Offer | None]


@solara.component
def ChoicesPanel(panel: Panel) -> None:
    """Fields for every choice; they start as the world in force has them."""
    offer, set_offer = solara.use_state(panel.offer)
    draft, set_draft = solara.use_state(panel.offer.shown)

    def begin(with_offer: Offer) -> None:
        set_offer(with_offer)
        set_draft(with_offer.shown)

    solara.use_effect(lambda: begin(panel.offer), [panel.offer])

    def put(**given: Any) -> None:
        set_draft(lambda before: replace(before, **given))

    def choose_mediator(spec: str | None) -> None:
        if spec and spec != draft.mediator:
            put(mediator=spec)
            panel.on_mediator(spec)

    def choose_scenario(name: str | None) -> None:
        if name and name != draft.scenario:
            kept = offer.changed(model=draft.model).model  # a model serves every scenario
            made = panel.first if name == panel.first.scenario else Choices(name)
            found = panel.on_scenario(replace(made, model=kept))
            if found is not None:
                begin(found)

    def put_text(name: str, spec: str | None) -> None:
        if spec:
            put(**{name: spec})

    def put_weight(place: int, weight: float | None) -> None:
        if weight is not None:
            weights = draft.weights
            put(weights=(*weights[:place], weight, *weights[place + 1 :]))

    solara.HTML("h2", "From the next round on")
    _combo("Mediator", draft.mediator, panel.known["mediators"], choose_mediator, "fa-mediator")
    solara.HTML("h2", "With a reset")
    solara.v.Select(
        label="Scenario",
        v_model=draft.scenario,
        items=list(panel.known["scenarios"]),
        on_v_model=choose_scenario,
        class_="fa-scenario",
        **_LOOKS,
    )
    _combo("Protocol", draft.protocol, panel.known["protocols"], partial(put_text, "protocol"), "fa-protocol")
    _combo("Model", draft.model, MODELS, partial(put_text, "model"), "fa-model")
    with solara.Div(classes=["fa-pair"]):
        _whole("Seed", draft.seed, lambda value: put(seed=value), "fa-seed")
        _whole("Rounds", draft.rounds, lambda value: put(rounds=value), "fa-rounds")
    solara.HTML("h2", "Weights in the vote")
    with solara.Div(classes=["fa-weights"]):
        for place, (name, weight) in enumerate(zip(offer.names[:MOST_WEIGHTS], draft.weights, strict=False)):
            solara.Text(name, classes=["fa-party"])
            solara.InputFloat(
                "",
                value=weight,
                on_value=lambda given, place=place: put_weight(place, given),
                continuous_update=False,
                classes=["fa-weight"],
                dense=True,
                hide_details=True,
            )
    if len(offer.names) > MOST_WEIGHTS:
        solara.Text(f"and {len(offer.names) - MOST_WEIGHTS} more, as the scenario has them")
    ready = offer.changed(**{name: getattr(draft, name) for name in CHOSEN})
    solara.Button(
        "Reset",
        icon_name="mdi-restart",
        color="primary",
        outlined=ready == panel.offer.made,
        classes=["fa-reset"],
        on_click=lambda: panel.on_reset(ready),
    )


def _combo(
    label: str, value: str | None, items: Sequence[str], on_value: Callable[[str | None], Any], class_: str
) -> None:
    """A list to choose from, or to type a call with parameters into."""
    solara.v.Combobox(label=label, v_model=value, items=list(items), on_v_model=on_value, class_=class_, **_LOOKS)


def _whole(label: str, value: int | None, on_value: Callable[[int], None], class_: str) -> None:
    solara.InputInt(
        label,
        value=value,
        on_value=lambda given: None if given is None else on_value(given),
        continuous_update=False,
        classes=[class_],
        dense=True,
        hide_details=True,
    )
