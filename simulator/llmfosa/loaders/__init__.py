"""Interactions from data that a user has downloaded, one file a format, and from the synthetic generator."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from simulator.inputs.nearest import nearest
from simulator.inputs.yamlfile import InputError, Problem

if TYPE_CHECKING:
    from simulator.llmfosa.interactions import Interactions

__all__ = ["PRESETS", "load"]

PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "csv": "interactions.csv (user,item[,rating][,time]), and users.csv and items.csv where there are some",
        "lastfm-360k": "usersha1-artmbid-artname-plays.tsv and usersha1-profile.tsv",
        "ml-100k": "u.data, u.user and u.item, or the RecBole files ml-100k.inter, .user and .item",
        "ml-1m": "users.dat, movies.dat, and ratings.dat or the published split colakg_train.txt and colakg_test.txt",
        "pairs": "train.txt (user item item ...), and test.txt, user_map.txt, item_map.txt, users.csv if any",
        "recbole": "one *.inter file (name:type), and *.user and *.item where there are some",
        "synthetic": "nothing: the users are made up",
    }
)
"""Every preset with the files that it expects in the folder."""

SYNTHETIC_SHIFT = 0.5  # an embedding tells nearly all of the group, and what is shown differs well beyond the floor


def load(preset: str, data: Path | str | None = None, *, seed: int = 0, core: int = 0) -> Interactions:
    """The interactions of a preset, split into training, validation and test.

    Every rating counts as an interaction, whatever its height. Where the files bring no split, `split` draws one.

    Args:
        preset: One of `PRESETS`.
        data: The folder with the files; "synthetic" takes none.
        seed: Where the split (and "synthetic") draws from.
        core: Users and items with fewer interactions are left out, again and again until all have that many.

    Raises:
        InputError: An unknown preset, a missing file, or a file that is not as it should be; names the place.
    """
    if preset not in PRESETS:
        raise InputError([Problem(f"--preset {preset}", f"there is no such preset{nearest(preset, list(PRESETS))}")])
    if preset == "synthetic":
        from simulator.llmfosa.synthetic import generate

        return generate(seed=seed, shift=SYNTHETIC_SHIFT)
    expected = f"preset '{preset}' expects {PRESETS[preset]}"
    if data is None:
        raise InputError([Problem("--data", f"name the folder with the files; {expected}")])
    folder = Path(data)
    if not folder.is_dir():
        raise InputError([Problem(f"--data {folder}", f"is no folder; {expected}")])
    from simulator.llmfosa.loaders.assembly import assemble

    events = import_module(f"{__name__}.{_MODULES[preset]}").read(folder)
    return assemble(preset, events, str(folder), seed=seed, core=core)


_MODULES = {
    "csv": "plain_csv",
    "lastfm-360k": "lastfm_360k",
    "ml-100k": "ml_100k",
    "ml-1m": "ml_1m",
    "pairs": "pairs",
    "recbole": "recbole",
}
