"""From a goal in words to an objective in numbers."""

from simulator.alignment.canonical import canonical_sentence, neutral_sentence
from simulator.alignment.centroids import centroid_weights, rank_order_centroids
from simulator.alignment.cmml import Elicited, importance

__all__ = [
    "Elicited",
    "canonical_sentence",
    "centroid_weights",
    "importance",
    "neutral_sentence",
    "rank_order_centroids",
]
