"""What experiments found, as tables: means with intervals over seeds, and methods' fronts against each other."""

from simulator.llmfosa.tables.fronts import FrontDifference, difference_at
from simulator.llmfosa.tables.order import column_order
from simulator.llmfosa.tables.results import Result, Results
from simulator.llmfosa.tables.write import as_csv, as_latex, as_markdown, seeds_as_csv, write_results

__all__ = [
    "FrontDifference",
    "Result",
    "Results",
    "as_csv",
    "as_latex",
    "as_markdown",
    "column_order",
    "difference_at",
    "seeds_as_csv",
    "write_results",
]
