"""A trained recommender as a folder: embeddings, belief and what they came from."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import BadZipFile

import numpy as np

from simulator.profile import Floats

if TYPE_CHECKING:
    from simulator.llmfosa.methods.base import Trained

ARRAYS = "model.npz"
ABOUT = "model.json"


@dataclass(frozen=True, eq=False)
class SavedModel:
    """What a model folder holds.

    Attributes:
        about: What it was trained on and how, as JSON.
        arrays: users, items, and where there are some: posterior, s, confusion, unseen.
    """

    about: Mapping[str, Any]
    arrays: Mapping[str, Floats]


def write_model(folder: Path, trained: Trained, about: Mapping[str, Any]) -> None:
    """Write a model; the description comes last, so that a folder with one is whole.

    The posterior is inferred sensitive data: the files are for their owner alone.
    """
    arrays: dict[str, Any] = {"users": trained.users, "items": trained.items}
    if trained.belief is not None:
        arrays["posterior"] = trained.belief.posterior
        if trained.belief.s is not None:
            arrays["s"] = trained.belief.s.numpy()
        if trained.belief.confusion is not None:
            arrays["confusion"] = trained.belief.confusion
    if trained.unseen is not None:
        arrays["unseen"] = trained.unseen
    stages = {
        name: {"best_epoch": history.best, "cpu_seconds": round(history.seconds, 2), "epochs": history.terms}
        for name, history in trained.histories.items()
    }
    told = {"method": trained.method, **about, "stages": stages}
    text = json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    (folder / ABOUT).unlink(missing_ok=True)  # of an older model, whose arrays go now
    _replace(folder / ARRAYS, lambda file: np.savez(file, **arrays))
    _replace(folder / ABOUT, lambda file: file.write(text.encode()))


def _replace(path: Path, write: Callable[[BinaryIO], Any]) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}.part")
    with open(beside, "wb") as file:
        write(file)
    beside.chmod(0o600)
    os.replace(beside, path)


def read_model(folder: Path) -> SavedModel:
    """Read a model folder; nothing in it is executed.

    Raises:
        InputError: It is none, or it is damaged.
    """
    from simulator.inputs.yamlfile import InputError, Problem

    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        with open(folder / ARRAYS, "rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        users, items = arrays["users"], arrays["items"]
        if users.ndim != 2 or items.ndim != 2 or users.shape[1] != items.shape[1] or not isinstance(about, dict):
            raise ValueError("users and items do not fit each other")
        for name, array in arrays.items():
            if array.dtype.kind not in "fb" or not np.isfinite(array).all():
                raise ValueError(f"{name} holds something else than finite numbers")
    except (OSError, ValueError, KeyError, TypeError, EOFError, RecursionError, BadZipFile, zlib.error) as error:
        message = f"is no model that `fairagents llmfosa train` has written ({type(error).__name__}: {error})"
        raise InputError([Problem(str(folder), message)]) from None
    return SavedModel(about, arrays)


def restored(saved: SavedModel) -> Trained:
    """The recommender of a model folder, as far as measuring it needs.

    Raises:
        ValueError: Its arrays do not fit each other.
    """
    import torch

    from simulator.llmfosa.methods.base import Belief, Trained

    arrays, belief = saved.arrays, None
    users = arrays["users"]
    if "posterior" in arrays:
        s = torch.as_tensor(arrays["s"]) if "s" in arrays else None
        belief = Belief(arrays["posterior"], s, arrays.get("confusion"))
    for name in ("posterior", "s", "unseen"):
        if name in arrays and len(arrays[name]) != len(users):
            raise ValueError(f"{name} has {len(arrays[name])} rows, users {len(users)}")
    unseen = arrays["unseen"].astype(np.bool_) if "unseen" in arrays else None
    return Trained(str(saved.about.get("method", "")), users, arrays["items"], belief, {}, unseen)
