"""`fairagents llmfosa forget`: delete everything that was inferred."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def forget(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="What infer, train, run or evaluate --bridge wrote.")
    ],
    cache: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Another response cache, beside those that were used.")
    ] = None,
) -> None:
    """Delete inferred labels, reasons, summaries and what was made from them, and the replies in the response cache.

    Only files that the folder's manifest names and that lie in the folder are deleted; of a folder of `train` or `run`
    the models and checkpoints, which hold what was believed of every user.
    """
    from simulator.llmfosa.personas.forgetting import forget as delete
    from simulator.terminal import printable

    gone = delete(folder, cache)
    for name in gone.files:
        print(f"deleted {printable(str(folder / name))}")
    if gone.caches:
        where = ", ".join(printable(str(path)) for path in gone.caches)
        print(f"deleted {gone.replies} repl{'y' if gone.replies == 1 else 'ies'} from {where}")
    for name in gone.refused:
        print(f"left alone: {printable(name)}, which is no file inside the folder and no response cache")
    for name in gone.left:
        print(f"left alone: {printable(str(folder / name))}, which is not known to hold such things")
