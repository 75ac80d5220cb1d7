"""The ranking loss of the recommender itself."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional


def bpr_loss(positive: Tensor, negative: Tensor) -> Tensor:
    """Mean of -log sigmoid(positive - negative): Bayesian personalised ranking.

    Computed as softplus(negative - positive), so that no score overflows and no gradient vanishes too early.

    Args:
        positive: `(b,)` scores of items that the users chose.
        negative: `(b,)` scores of items that they did not choose; of any shape that broadcasts with `positive`.

    Source: Rendle et al., BPR: Bayesian Personalized Ranking from Implicit Feedback, UAI 2009.
    """
    return functional.softplus(negative - positive).mean()
