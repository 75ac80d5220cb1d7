"""Made-up users, small enough to train on in a moment."""

from dataclasses import replace

import numpy as np
import pytest

from simulator.llmfosa.interactions import UserAttribute
from simulator.llmfosa.synthetic import generate
from simulator.llmfosa.training.plan import Plan

QUICK = {
    "pretraining.dim": 8,
    "pretraining.batch": 256,
    "pretraining.graph_batch": 256,
    "pretraining.epochs": 4,
    "pretraining.every": 2,
    "sensitive.width": 4,
    "sensitive.hidden": 8,
    "sensitive.batch": 32,
    "sensitive.epochs": 4,
    "fair.batch": 256,
    "fair.epochs": 4,
    "fair.settle": 1,
    "fair.warm_up": 5,
    "fair.inner": 1,
    "fair.hidden": 8,
    "fair.users": 64,
}


@pytest.fixture(scope="session")
def quick():
    """A plan of a few epochs and small networks."""
    return Plan().changed(QUICK)


@pytest.fixture(scope="session")
def small():
    """80 users, 50 items, two groups of different taste."""
    return generate(80, 50, seed=1, per_user=15)


@pytest.fixture(scope="session")
def four():
    """The same with an attribute of four values."""
    data = generate(80, 50, seed=1, per_user=15)
    codes = np.random.default_rng(0).integers(0, 4, 80)
    return replace(data, attributes={"group": UserAttribute(("a", "b", "c", "d"), codes)})


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """60 users of two groups as CSV files, so that other processes can read them too."""
    data, path = generate(60, 40, seed=5, per_user=14), tmp_path_factory.mktemp("csv")
    pairs = (data.train + data.valid + data.test).tocoo()
    rows = sorted(zip(pairs.row.tolist(), pairs.col.tolist(), strict=True))
    lines = ["user,item", *(f"{data.users[u]},{data.items[i]}" for u, i in rows)]
    (path / "interactions.csv").write_text("\n".join(lines) + "\n")
    group = data.attributes["group"]
    people = [
        "user,group",
        *(f"{user},{group.values[code]}" for user, code in zip(data.users, group.codes, strict=True)),
    ]
    (path / "users.csv").write_text("\n".join(people) + "\n")
    titles = [
        "item,title,genres",
        *(
            f'{item},"{title}",{"|".join(own)}'
            for item, title, own in zip(data.items, data.titles, data.genres, strict=True)
        ),
    ]
    (path / "items.csv").write_text("\n".join(titles) + "\n")
    return path


@pytest.fixture(scope="session")
def settings():
    """The quick plan as options of the command line."""
    return [part for name, value in QUICK.items() for part in ("--set", f"{name}={value}")]
