"""Commands of `fairagents llmfosa`, one a file."""

from __future__ import annotations

import typer

from simulator.commands.llmfosa.audit import audit
from simulator.commands.llmfosa.evaluate import evaluate
from simulator.commands.llmfosa.forget import forget
from simulator.commands.llmfosa.infer import infer
from simulator.commands.llmfosa.methods import methods
from simulator.commands.llmfosa.run import run
from simulator.commands.llmfosa.train import train

llmfosa_app = typer.Typer(
    help="Fair recommendation without sensitive attributes: infer, train, measure, forget.", no_args_is_help=True
)

for command in (infer, train, evaluate, run, methods, audit, forget):
    llmfosa_app.command()(command)
