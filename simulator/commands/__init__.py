"""Commands of `fairagents`, one a file; `simulator.cli` puts them together."""
