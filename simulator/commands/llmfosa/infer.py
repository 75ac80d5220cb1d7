"""`fairagents llmfosa infer`: personas of a language model judge a hidden attribute of users."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from simulator.arguments import CacheFile


def infer(
    attribute: Annotated[str, typer.Option(help="What is judged, such as gender.")],
    out: Annotated[Path, typer.Option(help="A new folder, or one with an inference to go on with.")],
    permission: Annotated[
        str | None,
        typer.Option(
            "--permission", metavar="REASON", help="Needed: why you may do this, in a few words; kept in the manifest."
        ),
    ] = None,
    preset: Annotated[
        str, typer.Option(help="ml-100k, ml-1m, lastfm-360k, recbole, pairs, csv, synthetic.")
    ] = "synthetic",
    data: Annotated[Path | None, typer.Option(help="The folder with the files of the preset.")] = None,
    users: Annotated[int | None, typer.Option(help="How many users, drawn by the seed; all by default.")] = None,
    personas: Annotated[int, typer.Option(help="How many annotators.")] = 3,
    editor: Annotated[
        str,
        typer.Option(help="Whose personas: shipped, model, or auto (shipped for small models, else the model's own)."),
    ] = "auto",
    history: Annotated[int, typer.Option(help="Titles of a user that are shown at most.")] = 30,
    words: Annotated[int, typer.Option(help="The most words of a rationale.")] = 30,
    no_rationales: Annotated[
        bool, typer.Option("--no-rationales", help="Labels only, where they are weighed.")
    ] = False,
    summaries: Annotated[str, typer.Option(help="Who summarises: model, composed (by rule), none, or auto.")] = "auto",
    prior: Annotated[
        str | None, typer.Option(metavar="VALUE=SHARE,...", help="Known shares of the values, such as M=0.7,F=0.3.")
    ] = None,
    model: Annotated[str, typer.Option(help="embedded, fake, openai(model=...), ollama(model=...).")] = "embedded",
    cache: CacheFile = None,
    budget: Annotated[int | None, typer.Option(min=1, help="The most tokens that may be spent.")] = None,
    at_once: Annotated[int | None, typer.Option(min=1, help="Questions with the model at the same time.")] = None,
    seed: Annotated[int, typer.Option(help="Where users, ties and a server's sampling draw from.")] = 0,
) -> None:
    """Let personas judge a hidden attribute of users from their histories; the last line printed is the folder.

    After a kill the same command goes on where it stopped. `fairagents llmfosa forget FOLDER` deletes it all.
    """
    from simulator.commands.target import one_of, writable_folder
    from simulator.inputs.yamlfile import InputError, Problem
    from simulator.llmfosa.loaders import load
    from simulator.llmfosa.personas.inference import WHY
    from simulator.llmfosa.personas.inference import infer as annotate
    from simulator.llmfosa.personas.manifest import MANIFEST
    from simulator.models.base import BudgetSpent
    from simulator.terminal import printable

    print(f"note: {WHY}; the folder is readable by you alone", file=sys.stderr)
    if permission is None or not permission.strip():
        told = 'is needed; say why you may do this, such as --permission "ethics board, fairness audit 12"'
        raise InputError([Problem("--permission", told)])
    one_of("--editor", [editor], ("auto", "model", "shipped"))
    one_of("--summaries", [summaries], ("auto", "composed", "model", "none"))
    writable_folder(out, "--out")
    loaded = load(preset, data, seed=seed)
    from simulator.commands.llmfosa.progress import AnswerView

    try:
        with AnswerView() as view:
            found = annotate(
                loaded,
                attribute,
                permission=permission,
                model=model,
                personas=personas,
                write_personas=None if editor == "auto" else editor == "model",
                users=users,
                history=history,
                words=words,
                rationales=not no_rationales,
                summaries=None if summaries == "auto" else summaries,  # type: ignore[arg-type]  # checked above
                prior=None if prior is None else _shares(prior),
                out=out,
                cache=cache,
                budget=budget,
                at_once=at_once,
                seed=seed,
                progress=view.show,
            )
    except BudgetSpent as spent:
        print(
            f"{spent}; {out} keeps what was answered, the same command with a larger --budget goes on", file=sys.stderr
        )
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        print(f"stopped; {out} keeps what was answered, the same command goes on", file=sys.stderr)
        raise
    from simulator.commands.llmfosa.findings import lines

    for line in lines(found, out / MANIFEST):
        print(printable(line))
    print(out)


def _shares(text: str) -> dict[str, float]:
    from simulator.inputs.yamlfile import InputError, Problem

    shares = {}
    for part in text.split(","):
        name, equals, share = part.rpartition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError:
            equals = ""
        if not equals:
            raise InputError(
                [Problem(f"--prior {text}", "needs the form VALUE=SHARE,VALUE=SHARE, such as M=0.7,F=0.3")]
            )
    return shares
