"""`fairagents align`: objectives by each alignment method beside the stated one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simulator.arguments import ScenarioName, Settings

if TYPE_CHECKING:
    from simulator.scenario import Scenario
    from simulator.studies.align import Alignment

Rounds = Annotated[int, typer.Option(min=1, help="Rounds that are played to hear the stakeholders.")]
ModelName = Annotated[str | None, typer.Option("--model", help="embedded, fake, none, openai(...), ollama(...).")]
Human = Annotated[
    list[str], typer.Option("--human", metavar="NAME", help="Ask a person at the terminal what matters to NAME.")
]


def align(
    scenario: ScenarioName,
    rounds: Rounds = 4,
    model: ModelName = None,
    human: Human = [],  # noqa: B006  # typer copies the default
    settings: Settings = [],  # noqa: B006  # as above
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Show the objective that each alignment method gives each stakeholder, beside the stated one.

    stated: the scenario's weights. elicited: what the model makes of the goal in words. learned: a choice model of the
    ballots that the stakeholder hands in, with standard errors. human: a person's ratings (--human).
    """
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.scenario import load_scenario
    from simulator.studies.align import align as study

    loaded = load_scenario(scenario, settings, model=model)
    known = {party.name: party for party in loaded.parties}
    for name in human:
        if name not in known or known[name].objective is None:
            fixed = [party.name for party in loaded.parties if party.objective is not None]
            raise InputError(
                [Problem(f"--human {name}", f"name a stakeholder with a fixed objective: {', '.join(fixed)}")]
            )
    ratings = {name: _asked(loaded, name) for name in human}
    found = study(loaded, rounds, ratings)
    if as_json:
        import json

        print(json.dumps(_json(found), ensure_ascii=False, allow_nan=False))
    else:
        _print(loaded, found)


def _print(scenario: Scenario, found: Alignment) -> None:
    from simulator.studies.align import objective_words
    from simulator.terminal import print_table, printable

    attributes = {attribute.name: attribute for attribute in scenario.attributes}
    print("What each stakeholder stands for, and how it is measured\n")
    for party in scenario.parties:
        stated = next(r.weights for r in found.readings if r.stakeholder == party.name and r.method == "stated")
        print(printable(party.name))
        if party.value:
            print(f"  value      {printable(party.value)}")
        print(f"  goal       {printable(party.goal) or '-'}")
        varies = "" if party.objective is not None else "the request's wishes; on average: "
        print(f"  objective  {varies}{printable(objective_words(stated, attributes))}")
        print("  metric     utility: mean over the slate of the weighted mean of these, each on 0 to 1")
    print(f"\nObjectives by method, over {found.rounds} rounds\n")
    print_table(
        [
            {
                "stakeholder": reading.stakeholder,
                "method": reading.method,
                "tau": _number(reading.tau, "+.2f"),
                "weight error": _number(reading.weight_error, ".2f"),
                "weights": " ".join(
                    filter(None, [_weights(reading.weights, reading.errors), _in_brackets(reading.note)])
                ),
            }
            for reading in found.readings
        ]
    )
    print("\nEach one's metric (row) on each one's list (column); its own list should serve it best\n")
    print_table(
        [
            {
                "metric of": name,
                **dict(zip(found.stakeholders, (_number(v, ".2f") for v in row), strict=True)),
                "holds": fine,
            }
            for name, row, fine in zip(found.stakeholders, found.cross, found.faithful, strict=True)
        ]
    )
    print("\nAlignment of first ballots over rounds\n")
    print_table(
        [
            {
                "stakeholder": drift.stakeholder,
                "first half": _number(drift.first, ".2f"),
                "last half": _number(drift.last, ".2f"),
                "drift a round": f"{_number(drift.slope, '+.4f')} ± {_number(drift.error, '.4f')}",
            }
            for drift in found.drifts
        ]
    )


def _weights(weights: Any, errors: Any) -> str:
    """The weights that matter, by falling size; with standard errors where there are some."""
    shown = sorted(((n, w) for n, w in weights.items() if abs(w) >= 0.02), key=lambda pair: -abs(pair[1]))
    return ", ".join(f"{n} {w:+.2f}{f' ± {errors[n]:.2f}' if n in errors else ''}" for n, w in shown) or "-"


def _in_brackets(note: str) -> str:
    return f"({note})" if note else ""


def _number(value: float, form: str) -> str:
    return "-" if value != value else format(value, form)


def _asked(scenario: Scenario, name: str) -> dict[str, float]:
    """A person's ratings, from 0 to 10, of the attributes that a stakeholder's objective names."""
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.terminal import plain, printable

    party = next(party for party in scenario.parties if party.name == name)
    attributes = {attribute.name: attribute for attribute in scenario.attributes}
    print(
        f"How important is each of these to {plain(name)}, from 0 (not at all) to 10 (more than anything)?", flush=True
    )
    ratings = {}
    for attribute, weight in sorted((party.objective or {}).items()):  # an objective's own order is that of its weights
        try:
            answer = input(f"{printable(attributes[attribute].phrase(weight))}: ")
            value = float(answer)
        except EOFError:
            raise InputError(
                [Problem(f"--human {name}", "the answers ended before every attribute was rated")]
            ) from None
        except ValueError:
            raise InputError([Problem(f"--human {name}", f"{plain(answer)!r} is no number from 0 to 10")]) from None
        if not 0 <= value <= 10:
            raise InputError([Problem(f"--human {name}", f"{value:g} is not in 0..10")])
        ratings[attribute] = value
    if not any(ratings.values()):
        raise InputError([Problem(f"--human {name}", "rate at least one attribute above 0")])
    return ratings


def _json(found: Alignment) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return None if value != value else value

    return {
        "rounds": found.rounds,
        "objectives": [
            {
                "stakeholder": r.stakeholder,
                "method": r.method,
                "weights": dict(r.weights),
                "errors": dict(r.errors),
                "tau": number(r.tau),
                "weight_error": number(r.weight_error),
                "note": r.note,
            }
            for r in found.readings
        ],
        "cross": {
            name: dict(zip(found.stakeholders, map(number, row), strict=True))
            for name, row in zip(found.stakeholders, found.cross.tolist(), strict=True)
        },
        "holds": dict(zip(found.stakeholders, found.faithful, strict=True)),
        "drift": [
            {
                "stakeholder": d.stakeholder,
                "first": number(d.first),
                "last": number(d.last),
                "slope": number(d.slope),
                "error": number(d.error),
            }
            for d in found.drifts
        ],
    }
