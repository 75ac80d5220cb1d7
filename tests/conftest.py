import os

import pytest
from hypothesis import settings

from simulator.models import Model, ModelUnavailable, create_model

# No deadline: a busy machine is no bug. A check that decides draws the same examples every time.
settings.register_profile("everyday", deadline=None)
settings.register_profile("deciding", deadline=None, derandomize=True)
settings.load_profile("deciding" if os.environ.get("CI") else "everyday")


@pytest.fixture(scope="session")
def embedded() -> Model | None:
    """The embedded model; a developer's machine without its weights skips the test, a check that decides does not."""
    try:
        return create_model("embedded", seed=0)
    except ModelUnavailable as missing:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(missing))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `nightly`, whatever else is asked for, unless -m names it."""
    if "nightly" in config.option.markexpr:
        return
    nightly = [item for item in items if "nightly" in item.keywords]
    if nightly:
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if "nightly" not in item.keywords]
