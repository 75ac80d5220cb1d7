import pytest

from simulator.models import ModelUnavailable, create_model


@pytest.fixture(scope="session")
def embedded():
    """The embedded model; a machine without its weights skips the test."""
    try:
        return create_model("embedded", seed=0)
    except ModelUnavailable as missing:
        pytest.skip(str(missing))
