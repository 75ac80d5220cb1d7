"""New files for people who extend the simulator."""

from __future__ import annotations

import importlib.util
import keyword
import re
from pathlib import Path

from simulator.inputs.yamlfile import InputError, Problem

_STAKEHOLDER = '''"""{title}: a stakeholder of your own.

Try it: fairagents run tourism --model fake --set "stakeholders.tourist.agent=./{module}.py:{cls}(avoid=[Paris])"
"""

from dataclasses import dataclass

from agents import Stakeholder
from simulator import Proposal, Table


class {cls}(Stakeholder):
    """Ranks by its stated objective, but puts items that it avoids last."""

    @dataclass(frozen=True)
    class Options(Stakeholder.Options):
        """Its parameters, given in the scenario as `{cls}(avoid=[Paris, Rome])`."""

        avoid: tuple[str, ...] = ()

    async def propose(self, table: Table) -> Proposal:
        """Its ballot; `table` holds the request, the candidates with their attributes, and what was said so far."""
        utilities = self.utilities(table)  # (m,) in [0, 1], by the objective in the scenario file
        for item in self.options.avoid:
            if item in table.candidates.index:
                utilities[table.candidates.index[item]] = 0.0
        return self.ballot(utilities, table, way="{module}")
'''

_TEST = '''"""{title} takes part in the tourism negotiation."""

from pathlib import Path

import simulator as fa

AGENT = f"{{Path(__file__).parent / '{module}.py'}}:{cls}"


def negotiate(agent: str) -> tuple[list[dict], fa.RunResult]:
    scenario = fa.load_scenario("tourism", [f"stakeholders.tourist.agent={{agent}}"])
    result = fa.run(scenario, rounds=2, seed=1, model="fake")
    said = [e for e in result.events if e["event"] == "proposal" and e["stakeholder"] == "tourist"]
    return [ballot for ballot in said if ballot["turn"] == 1], result


def test_{module}_ranks_every_candidate_without_a_fault():
    ballots, result = negotiate(AGENT)
    candidates = [e["candidates"] for e in result.events if e["event"] == "request"]
    own = result.stakeholders[result.stakeholders["stakeholder"] == "tourist"]
    assert [sorted(item for tier in ballot["ranking"] for item in tier) for ballot in ballots] == [
        sorted(items) for items in candidates
    ]
    assert own["errors"].sum() == own["abstentions"].sum() == 0


def test_{module}_puts_what_it_avoids_last():
    favourite = negotiate(AGENT)[0][0]["ranking"][0][0]
    ballot = negotiate(f'{{AGENT}}(avoid=["{{favourite}}"])')[0][0]
    assert favourite in ballot["ranking"][-1]
'''


_MEDIATOR = '''"""{title}: a mediator of your own.

Try it: fairagents check mediator {module}.py:{cls}
        fairagents run tourism --model fake --mediator "./{module}.py:{cls}(places=3)"
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simulator import Profile, ScoreMediator
from simulator.profile import Floats, positions


@dataclass(frozen=True)
class {cls}(ScoreMediator):
    """s(a) = sum_i w_i max(0, places + 1 - r_i(a)): with two places, 2 points for the best item and 1 for the second.

    r_i(a) is a's position in ballot i, from 1; tied items share the average of the positions they span.

    Attributes:
        places: how many places of a ballot give points, at least 1.
    """

    places: int = 2

    name: ClassVar[str] = "{module}"
    properties: ClassVar[tuple[str, ...]] = ("anonymous", "neutral", "monotone", "participation")
    rule: ClassVar[str] = "s(a) = sum over ballots of weight x points for the first places"

    def __post_init__(self) -> None:
        if self.places < 1:
            raise ValueError(f"places is {{self.places}}, it must be at least 1")

    def points(self, profile: Profile) -> Floats:
        """Points `(..., n, m)` that each ballot gives to each item, before weights."""
        return np.maximum(0.0, self.places + 1 - positions(profile.ranks))
'''

_MEDIATOR_TEST = '''"""{title} counts as it says and holds what it claims."""

from pathlib import Path

import simulator as fa
from simulator.axioms import check_rule
from simulator.registry import create

RULE = create("mediator", f"{{Path(__file__).parent / '{module}.py'}}:{cls}")


def test_{module}_counts_first_and_second_places():
    profile = fa.Profile.from_rankings([["a", "b", "c"], ["b", ["a", "c"]]], weights=[2, 1])
    outcome = fa.mediate(profile, RULE)
    assert outcome.scores == {{"a": 4.5, "b": 4.0, "c": 0.5}}
    assert outcome.winners == ("a",)


def test_{module}_holds_the_contract_and_what_it_claims():
    report = check_rule(RULE, profiles=50)
    failed = [verdict.axiom.name for verdict in report.verdicts if verdict.counts and verdict.counterexample]
    assert failed == []
    assert report.holds
'''


def write_stakeholder(name: str, folder: Path) -> list[Path]:
    """Write `<name>.py` and `test_<name>.py` of a stakeholder.

    Raises:
        InputError: the name is no Python name, the folder is missing, or a file exists already.
    """
    return _written("stakeholder", name, folder, "night_owl", _STAKEHOLDER, _TEST)


def write_mediator(name: str, folder: Path) -> list[Path]:
    """Write `<name>.py` and `test_<name>.py` of a mediator.

    Raises:
        InputError: as for `write_stakeholder`, or there is a mediator of this name.
    """
    from simulator import registry

    try:
        registry.find("mediator", _module(name))
    except registry.RegistryError:
        return _written("mediator", name, folder, "top_places", _MEDIATOR, _MEDIATOR_TEST)
    message = f"there is a mediator '{_module(name)}' already; choose another name"
    raise InputError([Problem(f"new mediator {name}", message)])


def _module(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")


def _written(kind: str, name: str, folder: Path, example: str, code: str, test: str) -> list[Path]:
    place, module = f"new {kind} {name}", _module(name)
    if not re.fullmatch(r"[a-z_][a-z0-9_]*", module) or keyword.iskeyword(module):
        raise InputError([Problem(place, f"needs a name of letters a-z, digits and '_', such as {example}")])
    if importlib.util.find_spec(module) is not None and not (folder / f"{module}.py").exists():
        message = f"'{module}' is the name of an installed module, which the file would hide; choose another name"
        raise InputError([Problem(place, message)])
    if not folder.is_dir():
        raise InputError([Problem(f"--out {folder}", "is no folder")])
    words = {
        "module": module,
        "cls": "".join(part.capitalize() for part in module.split("_") if part) or "Mine",
        "title": name.strip(),
    }
    texts = {f"{module}.py": code, f"test_{module}.py": test}
    taken = [str(folder / file) for file in texts if (folder / file).exists()]
    if taken:
        raise InputError([Problem(path, "exists already; choose another name") for path in taken])
    for file, text in texts.items():
        (folder / file).write_text(text.format(**words), encoding="utf-8")
    return [folder / file for file in texts]
