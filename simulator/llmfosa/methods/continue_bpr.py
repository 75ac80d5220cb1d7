"""The control: as long in stage 2 as the others, with the ranking loss alone."""

from simulator.llmfosa.methods.base import Method

METHOD = Method(
    "continue_bpr", "as long in stage 2, ranking loss alone", "nothing", fair={"against": "nothing", "conditional": 0.0}
)
