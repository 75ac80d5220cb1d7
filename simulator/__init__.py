"""Fair Agents: negotiation of LLM stakeholders, mediated by social choice, with fairness logged.

    import simulator as fa

    profile = fa.Profile.from_rankings([["a", "b", "c"], ["b", ["a", "c"]]], weights=[2, 1])
    outcome = fa.mediate(profile, "borda", k=2)
    result = fa.run(fa.load_scenario("tourism"), seed=7, model="fake")
    fa.NegotiationWorld(fa.load_scenario("tourism")).step()

Names are imported when they are first used, so that `import simulator` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.batch import BatchOutcome
    from simulator.inputs.profile_file import read_profile, write_profile
    from simulator.inputs.yamlfile import InputError
    from simulator.mediation import mediate, mediate_batch
    from simulator.mediators.base import Mediator, ScoreMediator
    from simulator.metrics.base import Evaluation, metric
    from simulator.models.base import BudgetSpent, ModelUnavailable
    from simulator.outcome import Outcome, Trace
    from simulator.profile import Profile, Proposal, Ranking
    from simulator.registry import RegistryError, register
    from simulator.runs.read import read_run
    from simulator.scenario import Scenario, load_scenario
    from simulator.simulate import RunResult, run
    from simulator.table import Response, Table
    from simulator.watching.watch import watch
    from simulator.world import NegotiationWorld

_HOME = {
    "BatchOutcome": "simulator.batch",
    "BudgetSpent": "simulator.models.base",
    "Evaluation": "simulator.metrics.base",
    "InputError": "simulator.inputs.yamlfile",
    "Mediator": "simulator.mediators.base",
    "ModelUnavailable": "simulator.models.base",
    "NegotiationWorld": "simulator.world",
    "Outcome": "simulator.outcome",
    "Profile": "simulator.profile",
    "Proposal": "simulator.profile",
    "Ranking": "simulator.profile",
    "RegistryError": "simulator.registry",
    "Response": "simulator.table",
    "RunResult": "simulator.simulate",
    "Scenario": "simulator.scenario",
    "ScoreMediator": "simulator.mediators.base",
    "Table": "simulator.table",
    "Trace": "simulator.outcome",
    "load_scenario": "simulator.scenario",
    "mediate": "simulator.mediation",
    "mediate_batch": "simulator.mediation",
    "metric": "simulator.metrics.base",
    "read_profile": "simulator.inputs.profile_file",
    "read_run": "simulator.runs.read",
    "register": "simulator.registry",
    "run": "simulator.simulate",
    "watch": "simulator.watching.watch",
    "write_profile": "simulator.inputs.profile_file",
}

__version__ = "0.3.0"
__all__ = [
    "BatchOutcome",
    "BudgetSpent",
    "Evaluation",
    "InputError",
    "Mediator",
    "ModelUnavailable",
    "NegotiationWorld",
    "Outcome",
    "Profile",
    "Proposal",
    "Ranking",
    "RegistryError",
    "Response",
    "RunResult",
    "Scenario",
    "ScoreMediator",
    "Table",
    "Trace",
    "load_scenario",
    "mediate",
    "mediate_batch",
    "metric",
    "read_profile",
    "read_run",
    "register",
    "run",
    "watch",
    "write_profile",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'simulator' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
