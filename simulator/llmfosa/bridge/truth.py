"""What a run gave to the true groups: reckoned afterwards, from a file that nobody in the run has seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from simulator.inputs.csvfile import CsvError, read_csv
from simulator.inputs.yamlfile import InputError, Problem
from simulator.metrics.divergence import jensen_shannon_distance
from simulator.metrics.group_sums import GroupSums
from simulator.metrics.items import Columns

if TYPE_CHECKING:
    import pandas as pd

    from simulator.profile import Floats


def true_figures(
    run: str | Path, truth: str | Path, *, by: str = "genre", stakeholder: str = "user", block: int | None = None
) -> pd.DataFrame:
    """The gaps between true groups beside a run's own, which are by inferred shares.

    Args:
        run: a run folder.
        truth: CSV with the columns user (a request's id) and group; a blank group leaves the user's rounds out.
        by: column of the catalogue whose kinds are compared.
        stakeholder: whose utility is compared.
        block: rounds after which figures are given out; the scenario's own by default.

    Returns:
        One row a block: round, true_group_utility_gap, true_exposure_js, and the soft figures of that round which the
        run has logged. No row is about one user.

    Raises:
        InputError: a file cannot be read, or lacks what is needed.
    """
    import pandas as pd

    from simulator.runs.read import read_run
    from simulator.runs.setting import mapping

    done = read_run(Path(run))
    catalogue = None if done.setting is None else done.setting.catalogue
    if done.setting is None or catalogue is None:
        raise InputError([Problem(str(run), "holds no scenario with a catalogue")])
    if by not in catalogue.columns:
        raise InputError([Problem(str(run), f"its catalogue has no column '{by}'")])
    if stakeholder not in done.names:
        raise InputError([Problem(str(run), f"has no stakeholder '{stakeholder}', only {', '.join(done.names)}")])
    names, codes = Columns(catalogue).groups(by)
    groups = _groups(Path(truth))
    known = sorted({*groups.values()} - {""})
    section = mapping(mapping(done.setting.keys.get("requests")).get("membership"))
    size = block if block is not None else int(section.get("block", 5))
    sums = GroupSums(len(known), 1, len(catalogue), size)
    utilities: Floats = done.by_stakeholder("utility")[stakeholder].to_numpy(dtype=np.float64)
    logged = [column for column in done.rounds.columns if str(column).startswith("soft_")]
    rows = []
    for place, (request, slate) in enumerate(zip(done.rounds["request"], done.rounds["slate"], strict=True)):
        if request not in groups:
            raise InputError([Problem(str(truth), f"has no row for '{request}'")])
        shares = np.array([group == groups[request] for group in known], dtype=np.float64)
        delivered = np.array([catalogue.index[item] for item in str(slate).split("|")], dtype=np.int64)
        sums.add(shares, utilities[place : place + 1], delivered)
        if sums.released.rounds == place + 1:
            figures = sums.released
            rows.append(
                {
                    "round": place + 1,
                    "true_group_utility_gap": float(np.ptp(figures.means[:, 0])),
                    "true_exposure_js": float(jensen_shannon_distance(figures.kinds(codes, len(names)))),
                    **{column: done.rounds[column].iloc[place] for column in logged},
                }
            )
    return pd.DataFrame(rows, columns=["round", "true_group_utility_gap", "true_exposure_js", *logged])


def _groups(path: Path) -> dict[str, str]:
    try:
        read = read_csv(path)
    except CsvError as error:
        raise InputError([Problem(f"{path}:{line}", message) for line, message in error.faults]) from None
    missing = [name for name in ("user", "group") if name not in read.header]
    if missing:
        raise InputError([Problem(f"{path}:1", f"has no column '{missing[0]}'")])
    user, group = read.header.index("user"), read.header.index("group")
    return {row[user].strip(): row[group].strip() for _, row in read.rows}
