"""What a person chose for a world: what a reset takes up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.models.spec import ModelSpec
    from simulator.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices; None and empty ones are the scenario's own.

    Attributes:
        scenario: a file, a folder or a shipped name.
        mediator, protocol, model: as calls, such as `seq_pav(approve=top-3)`.
        seed, rounds: numbers.
        weights: the stakeholders' weights in the vote, in scenario order.
        settings: `KEY=VALUE` overrides, which hold for this scenario alone.
    """

    scenario: str
    mediator: str | None = None
    protocol: str | None = None
    model: str | None = None
    seed: int | None = None
    rounds: int | None = None
    weights: tuple[float, ...] = ()
    settings: tuple[str, ...] = ()

    def load(self) -> Scenario:
        """The scenario with these choices in force.

        Raises:
            InputError: a choice is wrong.
        """
        from simulator.scenario import load_scenario

        weights = [f"stakeholders.{place}.weight={weight!r}" for place, weight in enumerate(self.weights)]
        return load_scenario(
            self.scenario,
            [*self.settings, *weights],
            mediator=self.mediator,
            protocol=self.protocol,
            model=self.model,
            seed=self.seed,
            rounds=self.rounds,
        )


@dataclass(frozen=True, slots=True)
class Offer:
    """Choices for people to look at and change.

    Attributes:
        made: the choices, in which much is left to the scenario file.
        shown: the same with everything said, as the scenario has it.
        title: the scenario's.
        names: the stakeholders, in scenario order.
    """

    made: Choices
    shown: Choices
    title: str
    names: tuple[str, ...]

    def changed(self, **given: Any) -> Choices:
        """The choices with some of them replaced; what is given as it is shown already stays as it was made.

        A model or a mediator that a file gives as a mapping may say more than what is shown of it.
        """
        return replace(
            self.made, **{name: value for name, value in given.items() if value != getattr(self.shown, name)}
        )


def offer(made: Choices) -> Offer:
    """What a scenario offers, with the choices in force.

    Raises:
        InputError: the scenario or a choice is wrong.
    """
    return offer_of(made, made.load())


def offer_of(made: Choices, scenario: Scenario) -> Offer:
    """The same for a scenario that was loaded with these choices."""
    shown = replace(
        made,
        mediator=scenario.mediator.label,
        protocol=_call(scenario.file.protocol),
        model=str(_model(scenario.file.model)),
        seed=scenario.file.seed,
        rounds=scenario.file.rounds,
        weights=tuple(party.weight for party in scenario.parties),
    )
    return Offer(made, shown, scenario.file.title, tuple(party.name for party in scenario.parties))


def scenarios(given: str) -> Sequence[str]:
    """The scenarios to choose from: the given one, then those that ship with the package."""
    from simulator.scenario import shipped_scenarios

    return list(dict.fromkeys([given, *shipped_scenarios()]))


def _call(spec: str | dict[str, Any]) -> str:
    from simulator.callsyntax import format_call
    from simulator.registry import split_spec

    if isinstance(spec, str):
        return spec
    name, params = split_spec("protocol", spec)
    return format_call(name, params)


def _model(spec: str | dict[str, Any]) -> ModelSpec:
    from simulator.models.spec import parse_model

    return parse_model(spec)
