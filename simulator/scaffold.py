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


def write_stakeholder(name: str, folder: Path) -> list[Path]:
    """Write `<name>.py` and `test_<name>.py`.

    Raises:
        InputError: the name is no Python name, the folder is missing, or a file exists already.
    """
    module = name.strip().lower().replace("-", "_").replace(" ", "_")
    if not re.fullmatch(r"[a-z_][a-z0-9_]*", module) or keyword.iskeyword(module):
        raise InputError(
            [Problem(f"new stakeholder {name}", "needs a name of letters a-z, digits and '_', such as night_owl")]
        )
    if importlib.util.find_spec(module) is not None and not (folder / f"{module}.py").exists():
        message = f"'{module}' is the name of an installed module, which the file would hide; choose another name"
        raise InputError([Problem(f"new stakeholder {name}", message)])
    if not folder.is_dir():
        raise InputError([Problem(f"--out {folder}", "is no folder")])
    words = {
        "module": module,
        "cls": "".join(part.capitalize() for part in module.split("_") if part),
        "title": name.strip(),
    }
    words["cls"] = words["cls"] or "Mine"
    texts = {f"{module}.py": _STAKEHOLDER, f"test_{module}.py": _TEST}
    taken = [str(folder / file) for file in texts if (folder / file).exists()]
    if taken:
        raise InputError([Problem(path, "exists already; choose another name") for path in taken])
    for file, text in texts.items():
        (folder / file).write_text(text.format(**words), encoding="utf-8")
    return [folder / file for file in texts]
