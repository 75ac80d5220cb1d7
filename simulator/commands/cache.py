"""`fairagents cache`: what a file of model replies holds, and taking replies out of it for good."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from simulator.models.cache import ResponseCache
    from simulator.models.cache_upkeep import Holding

cache_app = typer.Typer(
    help="Look into a file of model replies (run --cache FILE), or take replies out of it.",
    epilog="FILE is the environment's FAIRAGENTS_CACHE where it is not given.",
    no_args_is_help=True,
)

File = Annotated[Path | None, typer.Argument(metavar="FILE", envvar="FAIRAGENTS_CACHE", help="The file of replies.")]
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_BYTES = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9}


@cache_app.command("list")
def list_replies(
    file: File = None, as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False
) -> None:
    """Say per model and kind of task how many replies there are, what they saved, how large and how old they are."""
    from simulator.models.cache_upkeep import file_bytes, holdings

    with _opened(file) as cache:
        found, size, path = holdings(cache), file_bytes(cache), cache.path
    if as_json:
        import dataclasses
        import json

        held = [dataclasses.asdict(holding) for holding in found]
        print(json.dumps({"file": str(path), "bytes": size, "replies": held}, ensure_ascii=False))
        return
    from simulator.terminal import print_table

    print_table([_row(holding) for holding in found])
    replies = sum(holding.replies for holding in found)
    print(f"{replies} repl{'y' if replies == 1 else 'ies'}, {_size(size)}")


@cache_app.command()
def prune(
    file: File = None,
    older_than: Annotated[
        str | None, typer.Option(metavar="AGE", help="Only what was not used for so long, such as 30d or 12h.")
    ] = None,
    max_size: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Only the longest unused, until the file has this size: 100MB.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Only this model's; * stands for anything.")] = None,
    purpose: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only for this kind of task or purpose; as above.")
    ] = None,
) -> None:
    """Delete the replies that all given options name, and rebuild the file without them."""
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.models.cache_upkeep import prune as take_out

    if older_than is None and max_size is None and model is None and purpose is None:
        options = "--older-than, --max-size, --model or --purpose"
        raise InputError([Problem("cache prune", f"say what is to go by {options}; `cache clear` deletes everything")])
    age = None if older_than is None else _measured("--older-than", older_than, _SECONDS, "30d or 12h")
    most = None if max_size is None else _measured("--max-size", max_size, _BYTES, "100MB or 2GB", "I?B?")
    with _opened(file) as cache:
        gone = take_out(cache, unused_for=age, most_bytes=most, model=model, purpose=purpose)
        _tell(gone, cache)


@cache_app.command()
def clear(file: File = None) -> None:
    """Delete every reply, and rebuild the file without them."""
    from simulator.models.cache_upkeep import clear as take_out_everything

    with _opened(file) as cache:
        _tell(take_out_everything(cache), cache)


def _opened(file: Path | None) -> ResponseCache:
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.models.cache import ResponseCache

    if file is None:
        raise InputError([Problem("cache", "name the file of replies, or set FAIRAGENTS_CACHE")])
    return ResponseCache(file, create=False)


def _measured(option: str, text: str, units: dict[str, int], such_as: str, ending: str = "") -> int:
    """A number with a unit, in the smallest unit."""
    from simulator.inputs.yamlfile import InputError, Problem

    found = re.fullmatch(rf"\s*(\d{{1,12}}(?:\.\d{{1,6}})?)\s*([{''.join(units)}]?){ending}\s*", text, re.IGNORECASE)
    letters = {unit.upper(): size for unit, size in units.items()}
    if found is None or found[2].upper() not in letters:
        raise InputError([Problem(f"{option} {text}", f"write a number and a unit, such as {such_as}")])
    return int(float(found[1]) * letters[found[2].upper()])


def _row(holding: Holding) -> dict[str, Any]:
    return {
        "model": holding.model,
        "task": holding.task or "-",
        "replies": holding.replies,
        "hits": holding.hits,
        "tokens saved": holding.tokens_saved,
        "size": _size(holding.bytes),
        "first used": _day(holding.first_used),
        "last used": _day(holding.last_used),
    }


def _tell(gone: int, cache: ResponseCache) -> None:
    from simulator.models.cache_upkeep import file_bytes

    print(f"{gone} repl{'y' if gone == 1 else 'ies'} deleted; the file has {_size(file_bytes(cache))}")


def _size(size: int) -> str:
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= least:
            return f"{size / least:.1f} {unit}"
    return f"{size} B"


def _day(seconds: int) -> str:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):  # of a file that somebody has edited
        return "-"
