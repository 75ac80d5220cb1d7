"""The checks of a scenario's stakeholders: who they are, what they value, and the code and model behind them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import KeyPath
from simulator.models.spec import ModelSpec, ModelSpecError, parse_model
from simulator.registry import RegistryError, check_kind, find, split_spec
from simulator.requests import Request, placeholders
from simulator.scenario.check import Check
from simulator.tools import TOOLS

if TYPE_CHECKING:
    from simulator.scenario.loading import Party
    from simulator.scenario.schema import StakeholderSection

LEAST_WEIGHT, MOST_WEIGHT = 1e-9, 1e9


def check_parties(check: Check, requests: Sequence[Request]) -> tuple[Party, ...]:
    """The stakeholders, with every problem said to `check`."""
    scenario_model = _model(check, ("model",), check.file.model)
    fields = sorted({name for request in requests for name in (*request.fields, *request.filters)})
    seen: set[str] = set()
    parties = []
    for place, section in enumerate(check.file.stakeholders):
        key: KeyPath = ("stakeholders", place)
        if section.name in seen:
            check.say((*key, "name"), f"two stakeholders are called '{section.name}'; give one another name")
        seen.add(section.name)
        if not LEAST_WEIGHT <= section.weight <= MOST_WEIGHT:
            remedy = "give it such a weight, or take the stakeholder out"
            bounds = f"must be above 0, from {LEAST_WEIGHT:g} to {MOST_WEIGHT:g}"
            message = f"weight {section.weight:g} of '{section.name}' {bounds}"
            check.say((*key, "weight"), f"{message}; {remedy}")
        if requests or check.file.requests is None:
            for template in ("persona", "goal"):
                _check_placeholders(check, (*key, template), getattr(section, template), fields)
        parties.append(_party(check, key, section, scenario_model, requests))
    return tuple(parties)


def _party(
    check: Check,
    key: KeyPath,
    section: StakeholderSection,
    scenario_model: ModelSpec | None,
    requests: Sequence[Request],
) -> Party:
    from simulator.scenario.loading import Party

    objective = _objective(check, (*key, "objective"), section.objective, requests)
    model = scenario_model if section.model is None else _model(check, (*key, "model"), section.model)
    kind, options, agent = _agent(check, (*key, "agent"), section.agent)
    uses_model = kind is not None and kind.uses_model
    if uses_model and model is not None and model.name != "none" and not section.goal.strip():
        check.say((*key, "goal"), f"'{section.name}' is a language model and needs a 'goal' in words")
    return Party(
        name=section.name,
        persona=section.persona,
        value=section.value,
        goal=section.goal,
        neutral=section.neutral or check.file.neutral,
        weight=section.weight,
        objective=objective,
        kind=kind,
        agent=agent,
        options=options,
        model=model if uses_model else None,
        way=section.way,
        tools=_tools(check, (*key, "tools"), section.tools),
    )


def _objective(check: Check, key: KeyPath, given: Any, requests: Sequence[Request]) -> dict[str, float] | None:
    if given == "request":
        sure = requests and not check.is_wrong(("requests",)) and not check.is_wrong(("catalogue", "attributes"))
        if sure and not any(request.objective for request in requests):
            check.say(key, "the objective is the request's, but no request has a wish that an attribute speaks of")
        return None
    if not given and not check.is_wrong(key):
        check.say(key, "an objective needs at least one attribute with a weight")
    for name, weight in given.items():
        if name not in check.known_attributes:
            check.unknown_attribute((*key, name), name)
        if weight == 0:
            check.say((*key, name), f"weight 0 of '{name}' has no direction; give it a sign, or take it out")
    return {name: float(weight) for name, weight in given.items() if name in check.known_attributes and weight}


def _agent(check: Check, key: KeyPath, spec: Any) -> tuple[Any, Any, str]:
    """The class, its parameters and its name; None for what is wrong, or may not be imported."""
    try:
        name, params = split_spec("stakeholder", spec)
        if not check.may_find(key, "stakeholder", name):
            return None, None, name
        kind = find("stakeholder", name, check.base)
        check_kind("stakeholder", name, kind)
    except RegistryError as error:
        check.say(key, str(error))
        return None, None, str(spec)
    from agents.base import Stakeholder
    from simulator.options import make_options

    for method in ("propose", "respond"):
        if not inspect.iscoroutinefunction(getattr(kind, method)):
            check.say(key, f"'{name}' must define '{method}' as a coroutine: async def {method}(self, table)")
    options = kind.Options
    if not (isinstance(options, type) and issubclass(options, Stakeholder.Options)):
        check.say(key, f"'{name}.Options' must be a frozen dataclass that derives from Stakeholder.Options")
        return kind, None, name
    for option in kind.files:
        if isinstance(params.get(option), str) and (path := check.path(key, params[option])) is not None:
            params[option] = str(path.resolve())
    try:
        return kind, make_options(options, params, f"agent '{name}'"), name
    except ValueError as error:
        check.say(key, str(error))
        return kind, None, name


def _model(check: Check, key: KeyPath, spec: Any) -> ModelSpec | None:
    try:
        return parse_model(spec)
    except ModelSpecError as error:
        check.say(key, str(error))
        return None


def _tools(check: Check, key: KeyPath, specs: Sequence[Any]) -> tuple[tuple[str, dict[str, Any]], ...]:
    tools = []
    for place, spec in enumerate(specs):
        here: KeyPath = (*key, place)
        try:
            name, params = split_spec("tool", spec)
        except RegistryError as error:
            check.say(here, str(error))
            continue
        if name not in TOOLS:
            check.say(here, f"there is no tool '{name}'{nearest(name, list(TOOLS))}")
        elif sorted(params) != sorted(TOOLS[name]):
            wanted = ", ".join(f"{parameter}=..." for parameter in TOOLS[name])
            check.say(here, f"tool '{name}' takes {f'({wanted})' if wanted else 'no parameters'}")
        elif "file" not in params:
            tools.append((name, params))
        elif (path := check.path(here, str(params["file"]))) is not None:
            tools.append((name, {**params, "file": str(path.resolve())}))
    return tuple(tools)


def _check_placeholders(check: Check, key: KeyPath, template: str, fields: Sequence[str]) -> None:
    known = list(dict.fromkeys(("id", "text", "wish", *fields)))
    for name in dict.fromkeys(placeholders(template)):
        if name not in known:
            check.say(key, f"'{{request.{name}}}' is no field of the requests{nearest(name, known)}")
