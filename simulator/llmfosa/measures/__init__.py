"""What is measured of a recommender: accuracy, parity of groups, what attackers learn, the inferred attribute."""

from simulator.llmfosa.measures.attackers import ATTACKERS, Attack, attack
from simulator.llmfosa.measures.attribute import Quality, attribute_quality
from simulator.llmfosa.measures.disparity import Floor, demographic_parity, equal_opportunity, floor, js_distance
from simulator.llmfosa.measures.groups import Groups, by_group
from simulator.llmfosa.measures.ranking import averages, ranking
from simulator.llmfosa.measures.roc import Curve, auc, roc
from simulator.llmfosa.measures.top import top_items

__all__ = [
    "ATTACKERS",
    "Attack",
    "Curve",
    "Floor",
    "Groups",
    "Quality",
    "attack",
    "attribute_quality",
    "auc",
    "averages",
    "by_group",
    "demographic_parity",
    "equal_opportunity",
    "floor",
    "js_distance",
    "ranking",
    "roc",
    "top_items",
]
