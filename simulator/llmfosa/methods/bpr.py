"""BPR-MF: matrix factorisation by Bayesian personalised ranking, with no thought of fairness (Rendle et al. 2009)."""

from simulator.llmfosa.methods.base import Method

METHOD = Method("bpr", "matrix factorisation, no thought of fairness", "nothing", fair=None)
