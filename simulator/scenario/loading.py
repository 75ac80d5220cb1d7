"""A scenario, loaded: the one place where its file, its data and everything it names are read and validated."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.catalogue import Attribute, Catalogue
from simulator.inputs.yamlfile import InputError, Problem, YamlFile, read_yaml
from simulator.profile import Ints
from simulator.requests import Request

if TYPE_CHECKING:
    from agents.base import Stakeholder
    from simulator.derivations.base import Derivation
    from simulator.dynamics.base import Dynamic
    from simulator.mediators.base import Mediator
    from simulator.metrics.base import Metric
    from simulator.models.spec import ModelSpec
    from simulator.protocols.base import Protocol
    from simulator.rounds.cautions import Starvation
    from simulator.scenario.schema import ScenarioFile

FILE_NAME = "scenario.yaml"
_RUN_FOLDER = re.compile(r"\d{8}-\d{6}_(.+)_[0-9a-f]{6}")


@dataclass(frozen=True)
class Party:
    """One stakeholder of a scenario, checked.

    Attributes:
        name, persona, goal, neutral, weight, value: as in the scenario file.
        objective: signed weights per attribute; None = the request's.
        kind: its class (a subclass of `agents.base.Stakeholder`), None when no user code may be imported.
        agent: the class as the scenario names it.
        options: the class's parameters.
        model: its model, None for one that needs none.
        way: how a language model proposes; None = the model's default.
        tools: tool calls as the scenario names them.
    """

    name: str
    persona: str
    goal: str
    neutral: str
    weight: float
    objective: Mapping[str, float] | None
    kind: type[Stakeholder] | None
    agent: str
    options: Any
    model: ModelSpec | None
    way: str | None
    tools: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    value: str = ""


@dataclass(frozen=True)
class Scenario:
    """A scenario ready to run.

    Attributes:
        file: the validated keys.
        name: short name, for folders and titles.
        base: folder that relative paths start from.
        catalogue: the items.
        attributes: what objectives can value, in file order.
        derivations: the derived ones' computation, by attribute.
        columns: the other ones' column, by attribute.
        drawable: rows of the catalogue that can be drawn.
        requests: what the rounds are about, at least one.
        parties: the stakeholders.
        hears: whom each stakeholder hears, by name; None if everyone hears everyone.
        warnings: what is allowed but worth knowing.
        inputs: files that the scenario reads, by the relative name that the run folder keeps them under.
        private: files that it reads and of which a run folder keeps no copy.
        resolved: the keys in force, with the paths of the run folder's copies and without secrets.
        origin: the file, settings and overrides that it was loaded from.
    """

    file: ScenarioFile
    name: str
    base: Path
    catalogue: Catalogue
    attributes: tuple[Attribute, ...]
    derivations: Mapping[str, Derivation]
    columns: Mapping[str, str]
    drawable: Ints
    requests: tuple[Request, ...]
    parties: tuple[Party, ...]
    mediator: Mediator
    protocol: Protocol
    dynamics: tuple[Dynamic, ...]
    metrics: tuple[Metric, ...]
    hears: Mapping[str, frozenset[str]] | None = None
    warnings: tuple[str, ...] = ()
    inputs: Mapping[str, Path] = field(default_factory=dict)
    private: tuple[Path, ...] = ()
    resolved: Mapping[str, Any] = field(default_factory=dict)
    origin: tuple[Path, tuple[str, ...], Mapping[str, Any]] = (Path(), (), {})

    @cached_property
    def starvation(self) -> Starvation:
        """When a stakeholder counts as starved."""
        from simulator.rounds.cautions import Starvation

        section = self.file.starvation
        return Starvation(section.window, section.share, section.average)

    @property
    def candidate_count(self) -> int:
        """How many items are on the table in a round, at most."""
        candidates = self.file.catalogue.candidates
        if candidates.draw == "listed":
            longest = max(len(request.scores) for request in self.requests)
            return min(candidates.count or longest, longest)
        return len(self.drawable) if candidates.draw == "all" else min(candidates.count or 0, len(self.drawable))

    @property
    def hash(self) -> str:
        """SHA-256 of the resolved keys and of every file that the scenario reads."""
        digest = hashlib.sha256(json.dumps(self.resolved, sort_keys=True, default=str).encode())
        for name, path in sorted(self.inputs.items()):
            digest.update(name.encode() + b"\0" + path.read_bytes())
        for path in self.private:
            digest.update(b"\0\0" + path.read_bytes())
        return digest.hexdigest()

    def replace(self, **overrides: Any) -> Scenario:
        """The same scenario with other top-level keys, such as `rounds=3`; None keeps what is there.

        Raises:
            InputError: an override is wrong.
        """
        path, settings, before = self.origin
        given = {key: value for key, value in overrides.items() if value is not None}
        return load_scenario(path, settings, **{**before, **given})

    def yaml(self) -> str:
        """The fully resolved scenario file; its paths are those of the run folder's copies."""
        import yaml

        return yaml.safe_dump(dict(self.resolved), sort_keys=False, allow_unicode=True, width=110)


def shipped_scenarios() -> dict[str, Path]:
    """Scenarios that come with the package, by name.

    `tourism` is `scenarios/tourism/scenario.yaml`, `tourism/getaway` is `scenarios/tourism/getaway.yaml`.
    """
    import scenarios

    found = {}
    for root in map(Path, scenarios.__path__):
        for path in sorted(root.glob("*/*.yaml")):
            folder = path.parent.name
            found[folder if path.name == FILE_NAME else f"{folder}/{path.stem}"] = path
    return dict(sorted(found.items()))


def locate(scenario: str | Path) -> Path:
    """The scenario file behind a file, a folder or a shipped name.

    Raises:
        InputError: there is none; the message names the nearest shipped one.
    """
    path = Path(scenario)
    try:
        for candidate in (path / FILE_NAME, path):
            if candidate.is_file():
                return candidate
    except (OSError, ValueError):  # no path at all: too long, or with a NUL character
        pass
    shipped = shipped_scenarios()
    if str(scenario) in shipped:
        return shipped[str(scenario)]
    from simulator.inputs.nearest import nearest

    hint = nearest(str(scenario), list(shipped))
    raise InputError(
        [Problem(str(scenario), f"is no scenario file, no folder with a {FILE_NAME} and no shipped name{hint}")]
    )


def load_scenario(
    scenario: str | Path, settings: Sequence[str] = (), *, code: bool = True, **overrides: Any
) -> Scenario:
    """Load and validate a scenario.

    Args:
        scenario: a file, a folder or a shipped name such as `tourism`.
        settings: `KEY=VALUE` overrides as on the command line, applied in order.
        code: False imports no user code (stakeholders, mediators given as files or modules stay unchecked).
        **overrides: top-level keys that replace the file's, such as `rounds=3`; None leaves the file's.

    Raises:
        InputError: with every problem at once, each with its file and line.
    """
    path = locate(scenario)
    source = read_yaml(path)
    if not isinstance(source.data, dict):
        raise InputError([Problem(source.place(()), "a scenario file is a mapping of keys, see `fairagents schema`")])
    problems: list[Problem] = []
    for setting in [settings] if isinstance(settings, str) else settings:
        try:
            source.set(setting, _from_here)
        except InputError as error:
            problems += error.problems
    for key, value in overrides.items():
        if value is not None:
            source.put((key,), _from_here(value), f"--{key}" if isinstance(value, Mapping) else f"--{key} {value}")
    built = _build(source, path, problems, code)
    return dataclasses.replace(built, origin=(path.resolve(), tuple(settings), overrides))


def _short_name(path: Path) -> str:
    """The folder's name, or the file's; a run folder's is that of the scenario that was run."""
    name = path.parent.resolve().name if path.name == FILE_NAME else path.stem
    run_folder = _RUN_FOLDER.fullmatch(name)
    return run_folder[1] if run_folder else name


def _from_here(value: Any) -> Any:
    """A user file on the command line is relative to the working directory, not to the scenario file."""
    if isinstance(value, list):
        return [_from_here(inner) for inner in value]
    if isinstance(value, dict) and "name" in value:
        return {**value, "name": _from_here(value["name"])}
    source, found, rest = value.partition(".py:") if isinstance(value, str) else ("", "", "")
    path = Path(f"{source}.py")
    return f"{path.resolve()}:{rest}" if found and path.is_file() else value


def _build(source: YamlFile, path: Path, problems: list[Problem], code: bool) -> Scenario:
    from simulator.scenario.check import Check
    from simulator.scenario.metrics import check_metrics
    from simulator.scenario.parties import check_parties
    from simulator.scenario.resolved import resolved_keys
    from simulator.scenario.schema_errors import validate

    valid = validate(source, problems)
    if valid is None:
        raise InputError(sorted_problems(problems))
    file, wrong = valid
    check = Check(file, source, path.parent, code, problems, wrong)
    catalogue = check.catalogue()
    attributes, derivations, columns = check.attributes(catalogue)
    requests = check.requests(catalogue)
    check.derivations_on(derivations, requests)
    drawable = check.drawable(catalogue, requests)
    dynamics = check.dynamics(derivations, catalogue)
    metrics = check_metrics(check, catalogue, columns)
    mediator = check.mediator()
    protocol = check.thing(("protocol",), "protocol", file.protocol)
    parties = check_parties(check, requests)
    hearing = check.hearing()
    if problems or catalogue is None or drawable is None:
        raise InputError(sorted_problems(problems))
    return Scenario(
        file=file,
        name=_short_name(path),
        base=path.parent.resolve(),
        catalogue=catalogue,
        attributes=attributes,
        derivations=derivations,
        columns=columns,
        drawable=drawable,
        requests=requests,
        parties=parties,
        mediator=mediator,
        protocol=protocol,
        dynamics=dynamics,
        metrics=metrics,
        hears=hearing,
        warnings=tuple(check.warnings),
        inputs=check.files.kept,
        private=tuple(check.files.private),
        resolved=resolved_keys(file, check.files.copy),
    )


def sorted_problems(problems: Sequence[Problem]) -> list[Problem]:
    """Problems in the order of their lines, without repetitions."""

    def key(problem: Problem) -> tuple[str, int]:
        name, _, line = problem.place.rpartition(":")
        return (name, int(line)) if line.isdigit() else (problem.place, 0)

    return sorted(dict.fromkeys(problems), key=key)
