"""What a run leaves: the run folder, the same in memory, and the reading of both."""

from simulator.runs.folder import RunFolder
from simulator.runs.memory import MemoryRecorder
from simulator.runs.read import RunError, read_run
from simulator.runs.run import Run

__all__ = ["MemoryRecorder", "Run", "RunError", "RunFolder", "read_run"]
