"""What `import simulator` promises."""

import pkgutil
import subprocess
import sys

import pytest

import simulator


@pytest.mark.parametrize("name", simulator.__all__)
def test_every_public_name_is_there_and_is_no_module(name: str) -> None:
    getattr(simulator, name)
    again = getattr(simulator, name)  # the first access imports a module, which must not take the name's place
    assert type(again).__name__ != "module"


def test_no_public_name_is_that_of_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(simulator.__path__)}
    assert modules & set(simulator.__all__) == set()


def test_importing_the_package_and_its_agents_imports_nothing_heavy() -> None:
    code = (
        "import simulator, sys; simulator.load_scenario\n"
        "from simulator.registry import names; names('stakeholder')\n"
        "heavy = ('autogen_core', 'autogen_agentchat', 'matplotlib', 'xllamacpp')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
