"""Learning from annotators who err: consensus, confusion matrices, and how far they agree."""

from simulator.llmfosa.crowds.agreement import fleiss_kappa, krippendorff_alpha
from simulator.llmfosa.crowds.confusion import counted_confusion, empirical_confusion
from simulator.llmfosa.crowds.crowd import Crowd
from simulator.llmfosa.crowds.dawid_skene import dawid_skene
from simulator.llmfosa.crowds.majority import majority
from simulator.llmfosa.crowds.matching import match
from simulator.llmfosa.crowds.one_coin import one_coin
from simulator.llmfosa.crowds.votes import votes_of

__all__ = [
    "Crowd",
    "counted_confusion",
    "dawid_skene",
    "empirical_confusion",
    "fleiss_kappa",
    "krippendorff_alpha",
    "majority",
    "match",
    "one_coin",
    "votes_of",
]
