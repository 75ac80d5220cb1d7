"""What is not imported: heavy packages, by what should answer at once."""

import subprocess
import sys

import pytest

HEAVY = (
    "autogen_core",
    "autogen_agentchat",
    "autogen_ext",
    "matplotlib",
    "mesa",
    "networkx",
    "openai",
    "pandas",
    "scipy",
    "xllamacpp",
)
MIDDLING = ("agents", "numpy", "yaml")  # typer imports pydantic itself


def imported(code: str, *, output: str = "") -> set[str]:
    """Top-level modules in a fresh interpreter after some code ran."""
    script = f"import sys\n{code}\nsys.stderr.write(' '.join(sorted({{name.split('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert output in done.stdout
    return set(done.stderr.split())


def run(*arguments: str) -> str:
    return f"from simulator.cli import main\ntry:\n    main({list(arguments)!r})\nexcept SystemExit:\n    pass"


def test_import_simulator_imports_nothing_but_itself():
    assert imported("import simulator").isdisjoint((*HEAVY, *MIDDLING, "pydantic", "typer", "rich"))


@pytest.mark.parametrize("command", ["", "run", "mediate", "new", "list"])
def test_help_imports_no_package_that_computes(command):
    found = imported(run(*filter(None, [command]), "--help"), output="Usage: ")
    assert found.isdisjoint((*HEAVY, *MIDDLING))


def test_listing_and_asking_a_mediator_import_numpy_alone():
    code = "import simulator.mediators\nfrom simulator.registry import names\nassert 'borda' in names('mediator')"
    assert imported(code).isdisjoint((*HEAVY, "agents"))
    assert imported(run("list", "mediators"), output="borda").isdisjoint((*HEAVY, "agents"))
    code = "import simulator as fa\nprint(fa.mediate(fa.Profile.from_rankings(['ab']), 'borda').slate)"
    assert imported(code, output="('a',)").isdisjoint((*HEAVY, "agents"))


def test_a_scenario_without_a_model_is_checked_without_autogen():
    found = imported(run("check", "tests/worlds/letters"), output="letters: fine.")
    assert found.isdisjoint({"autogen_core", "autogen_agentchat", "autogen_ext", "matplotlib", "openai", "xllamacpp"})
