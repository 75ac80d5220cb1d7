"""A whole runnable scenario from a trained recommender."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from simulator.llmfosa.bridge.lists import base_lists
from simulator.llmfosa.bridge.profiles import catalogue, profiles
from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.personas.files import make_private_folder, write_private
from simulator.llmfosa.personas.manifest import write_manifest
from simulator.profile import Floats
from simulator.seeds import generator

SHIPPED = "recommendation"
LISTS, ITEMS, USERS, POSTERIOR, TRUTH = "base_lists.csv", "titles.csv", "users.csv", "posterior.csv", "truth.csv"


def write_scenario(
    folder: str | Path,
    users_embeddings: ArrayLike,
    items_embeddings: ArrayLike,
    data: Interactions,
    posterior: ArrayLike,
    values: Sequence[str],
    *,
    attribute: str = "group",
    count: int = 60,
    length: int = 20,
    providers: Sequence[str] | None = None,
    truth: bool = False,
    title: str | None = None,
    seed: int = 0,
) -> Path:
    """Write scenario.yaml with its data: the shipped scenario `recommendation`, about the users of this recommender.

    A manifest.json beside it says what is inferred, so that `fairagents llmfosa forget FOLDER` deletes that.

    Args:
        folder: where to; made if it is not there.
        users_embeddings, items_embeddings, data, posterior, values, attribute: as in `write_tables`.
        count, length, providers, truth, seed: as in `write_tables`.
        title: the scenario's title; by default one with the data's name.

    Returns:
        The scenario file.

    Raises:
        ValueError: as `write_tables`.
    """
    path = Path(folder)
    private = write_tables(
        path,
        users_embeddings,
        items_embeddings,
        data,
        posterior,
        values,
        attribute=attribute,
        count=count,
        length=length,
        providers=providers,
        truth=truth,
        seed=seed,
    )
    make_private_folder(path)
    write_manifest(path, None, private, {"data": data.name, "attribute": attribute, "values": list(values)})
    scenario = path / "scenario.yaml"
    scenario.write_text(_about(data.name, title), encoding="utf-8", newline="\n")
    return scenario


def write_tables(
    folder: Path,
    users_embeddings: ArrayLike,
    items_embeddings: ArrayLike,
    data: Interactions,
    posterior: ArrayLike,
    values: Sequence[str],
    *,
    attribute: str = "group",
    count: int = 60,
    length: int = 20,
    providers: Sequence[str] | None = None,
    truth: bool = False,
    seed: int = 0,
) -> tuple[str, ...]:
    """Write what a scenario reads: base lists, titles, users, and what was inferred about them.

    The users that arrive are drawn by the seed, in random order, and are called user 1, user 2, ...: no file says who
    they are in the data. What was inferred about them stands in a file of its own, which only its owner may read and no
    run folder copies.

    Args:
        folder: where to; made if it is not there.
        users_embeddings: `(n, d)`.
        items_embeddings: `(m, d)`.
        data: the interactions that the recommender was trained on.
        posterior: `(n, A)` inferred probabilities of the values of the hidden attribute.
        values: the A values by name.
        attribute: the hidden attribute's name.
        count: how many users arrive.
        length: how many items each list has.
        providers: whose each item is, m names; the item's genre stands in where nobody knows.
        truth: whether the attribute's true values in `data.attributes` are written to truth.csv, for evaluation after a
            run.
        seed: which users, and in which order.

    Returns:
        The names of the files that tell of single users' attribute.

    Raises:
        ValueError: shapes do not fit, a row of the posterior is no distribution, or the data lack the true attribute.
    """
    import pandas as pd

    shares = _distributions(posterior, len(data.users), len(values))
    if truth and attribute not in data.attributes:
        raise ValueError(f"the data have no attribute '{attribute}'; they have {', '.join(data.attributes) or 'none'}")
    if providers is not None and len(providers) != len(data.items):
        raise ValueError(f"{len(providers)} providers do not fit {len(data.items)} items")
    chosen = generator(seed, "llmfosa", "bridge", "users").permutation(len(data.users))[:count]
    names = [f"user {place}" for place in range(1, len(chosen) + 1)]
    public = {
        LISTS: base_lists(users_embeddings, items_embeddings, data, chosen.tolist(), length, names=names),
        ITEMS: catalogue(data, providers),
        USERS: profiles(data, chosen.tolist(), names),
    }
    private = {
        POSTERIOR: pd.DataFrame(np.round(shares[chosen], 4), columns=list(values), index=pd.Index(names, name="user"))
    }
    if truth:
        true = data.attributes[attribute]
        labels = ["" if code < 0 else true.values[code] for code in true.codes[chosen].tolist()]
        private[TRUTH] = pd.DataFrame({"group": labels}, index=pd.Index(names, name="user"))
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in public.items():
        table.to_csv(folder / name, index=False, lineterminator="\n", encoding="utf-8")
    for name, table in private.items():
        write_private(folder / name, table.to_csv(lineterminator="\n"))
    return tuple(private)


def _distributions(posterior: ArrayLike, users: int, values: int) -> Floats:
    shares = np.asarray(posterior, dtype=np.float64)
    if shares.shape != (users, values) or values < 2:
        raise ValueError(f"a posterior {shares.shape} does not fit {users} users and {values} values, two or more")
    if not (shares >= 0).all() or not np.allclose(shares.sum(axis=1), 1, atol=1e-6):
        raise ValueError("every row of the posterior must be probabilities that add up to 1")
    return shares


def _about(name: str, title: str | None) -> str:
    """The shipped scenario's text under another title."""
    from simulator.scenario import shipped_scenarios

    text = shipped_scenarios()[SHIPPED].read_text(encoding="utf-8")
    called = title if title is not None else f"A recommender's users, one a round: {name}"
    head = "# Written from a trained recommender; what the keys mean: fairagents schema\n"
    text = re.sub(r"\A(#.*\n)+", head, text)
    return re.sub(r"(?m)^title: .*$", lambda _: f"title: {json.dumps(called, ensure_ascii=False)}", text, count=1)
