"""Both readings of I(P;R|S), and the groups of users."""

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from scipy.stats import pearsonr  # noqa: E402

from simulator.llmfosa.terms.conditional import (  # noqa: E402
    conditional_bpr,
    conditional_info_nce,
    groups_by_correlation,
    groups_by_posterior,
)
from simulator.llmfosa.terms.contrast import info_nce  # noqa: E402


def arrays(*shape, seed=0):
    return torch.tensor(np.random.default_rng(seed).normal(size=shape))


@pytest.mark.parametrize(("alpha", "temperature"), [(0.1, 0.5), (0.0, 0.5), (2.0, 0.1)])
def test_only_users_of_the_same_group_are_negatives(alpha, temperature):
    x, z, s = arrays(3, 12, 5)
    groups = torch.tensor([0, 1, 1, 0, 2, 1, 0, 0, 1, 4, 1, 0])
    expected = []
    for u in range(12):
        both = z + alpha * s
        cosine = torch.nn.functional.cosine_similarity(x[u][None], both, dim=1) / temperature
        negatives = sum(math.exp(cosine[v]) for v in range(12) if groups[v] == groups[u])
        expected.append(-math.log(math.exp(cosine[u]) / negatives))
    ours = conditional_info_nce(x, z, s, groups, alpha, temperature)
    assert ours.item() == pytest.approx(np.mean(expected))


def test_with_one_group_it_is_plain_info_nce_and_with_groups_of_one_it_is_zero():
    x, z, s = arrays(3, 6, 4)
    torch.testing.assert_close(
        conditional_info_nce(x, z, s, torch.zeros(6, dtype=torch.int64)), info_nce(x, z + 0.1 * s, 0.5)
    )
    assert conditional_info_nce(x, z, s, torch.arange(6)).item() == pytest.approx(0)


def test_gradients_go_to_the_fair_embedding_only():
    x, z, s = (values.requires_grad_() for values in arrays(3, 6, 4).unbind())
    groups = torch.tensor([0, 0, 1, 1, 0, 1])
    conditional_info_nce(x, z, s, groups).backward()
    assert x.grad is None
    assert s.grad is None
    assert z.grad.any()
    assert torch.autograd.gradcheck(lambda fair: conditional_info_nce(x.detach(), fair, s.detach(), groups), z)


def test_s_of_another_width_needs_a_projection_unless_it_has_no_share():
    x, z = arrays(2, 6, 4)
    groups = torch.zeros(6, dtype=torch.int64)
    with pytest.raises(ValueError, match="project s to the width of z"):
        conditional_info_nce(x, z, arrays(6, 2), groups)
    assert conditional_info_nce(x, z, arrays(6, 2), groups, alpha=0).isfinite()


def test_groups_are_by_the_sign_of_the_correlation_with_the_first_user():
    s = arrays(40, 6)
    expected = [int(pearsonr(row, s[0]).statistic > 0) for row in s.numpy()]
    assert groups_by_correlation(s).tolist() == expected
    assert 0 < sum(expected) < 40
    assert groups_by_correlation(torch.tensor([[1.0, 2.0], [3.0, 3.0], [5.0, 1.0]])).tolist() == [1, 0, 0]


def test_groups_are_the_likeliest_values_and_ties_go_to_the_lower_code():
    assert groups_by_posterior(torch.tensor([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]])).tolist() == [1, 0, 0]


def test_the_ranking_loss_sees_p_and_s():
    p, positive, negative = arrays(3, 8, 4)
    s, positive_s, negative_s = arrays(3, 8, 2, seed=1)
    gap = (p * (positive - negative)).sum(1) + (s * (positive_s - negative_s)).sum(1)
    loss = conditional_bpr(p, s, positive, negative, positive_s, negative_s)
    torch.testing.assert_close(loss, -torch.sigmoid(gap).log().mean())


def test_what_s_explains_is_not_asked_of_p():
    p, positive, negative = (values.requires_grad_() for values in arrays(3, 8, 4).unbind())
    s = torch.ones(8, 1, dtype=torch.float64, requires_grad=True)
    items = torch.full((8, 1), 5.0, dtype=torch.float64, requires_grad=True)
    conditional_bpr(p, s, positive, negative, items, -items).backward()
    explained = p.grad.abs().sum()
    p.grad = None
    conditional_bpr(p, s, positive, negative, items, items).backward()
    assert explained < 0.1 * p.grad.abs().sum()
    assert s.grad is None
    assert items.grad.any()
