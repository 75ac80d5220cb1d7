"""Stage 2: preferences that keep what is chosen and know nothing of the attribute."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from simulator.llmfosa.interactions import Interactions
from simulator.llmfosa.nets.factors import Factors
from simulator.llmfosa.terms.adversary import Adversary
from simulator.llmfosa.terms.club import Club
from simulator.llmfosa.terms.conditional import conditional_bpr, conditional_info_nce, groups_by_posterior
from simulator.llmfosa.terms.dro import worst_weights
from simulator.llmfosa.training.accuracy import validation_ndcg
from simulator.llmfosa.training.loop import History, Stage, Watch, train
from simulator.llmfosa.training.options import FairTraining
from simulator.llmfosa.training.pretrain import triplet_loss
from simulator.llmfosa.training.sampling import Triplets
from simulator.llmfosa.training.setting import seeded


class FairStage(Stage):
    """BPR + l2 + fairness I(S;P) + conditional I(P;R|S); p and q are free embeddings that start at x and y."""

    def __init__(
        self,
        data: Interactions,
        x: Tensor,
        y: Tensor,
        s: Tensor | None,
        posterior: Tensor | None,
        options: FairTraining,
        device: torch.device,
        seed: int,
    ) -> None:
        self.name = "fair"
        self.data = data
        self.options = options
        self.generator = seeded(seed, self.name)
        self.device = device
        self.triplets = Triplets(data.train, self.generator, device)
        self.x = x.to(device)
        parts: dict[str, nn.Module] = {"factors": Factors(x, y)}
        inner: list[nn.Parameter] = []
        empty = torch.zeros((len(x), 0))
        self.s = standardised(empty if s is None else s).to(device)
        self.posterior = (empty if posterior is None else posterior).to(device, torch.float32)
        self.groups = groups_by_posterior(self.posterior) if self.posterior.shape[1] else self.posterior.sum(-1)
        if self.against == "club":
            self.moments = self.s.mean(0), self.s.var(0, unbiased=False)
            parts["club"] = Club(x.shape[1], self.s.shape[1], options.hidden)
            inner += list(parts["club"].parameters())
        elif self.against == "adversary":
            parts["adversary"] = Adversary(x.shape[1], self.posterior.shape[1], (options.hidden,))
            inner += list(parts["adversary"].parameters())
        outer = list(parts["factors"].parameters())
        if self.conditional:
            width = len(y) if options.reading == "ranking" else x.shape[1]
            shape = (width, self.s.shape[1])
            parts["affinity"] = Weight(torch.randn(shape, generator=self.generator) * 0.01)
            outer += list(parts["affinity"].parameters())
        self.networks = nn.ModuleDict(parts).to(device)
        self.optimisers = [torch.optim.Adam(outer, lr=options.learning_rate, fused=device.type == "cpu")]
        if inner:
            self.optimisers.append(torch.optim.Adam(inner, lr=options.inner_rate, fused=device.type == "cpu"))

    @property
    def against(self) -> str:
        """What stands against the attribute; nothing where the weight is 0. The worst group has no weight."""
        return self.options.against if self.options.fairness or self.options.against == "dro" else "nothing"

    @property
    def conditional(self) -> bool:
        """Whether I(P;R|S) is kept up by a term of its own."""
        return bool(self.options.conditional) and self.s.shape[1] > 0

    def begin(self) -> None:
        """Fit the bound or the adversary to the preferences of the start."""
        self._fit(self.options.warm_up)

    def epoch(self) -> dict[str, float]:
        """One pass over the interactions."""
        options, count = self.options, 0
        totals: dict[str, float] = {}
        factors = self.networks["factors"]
        for users, items, others in self.triplets.epoch(options.batch):
            self._fit(options.inner)
            terms = self._terms(factors.users, factors.items, users, items, others)
            loss = sum(terms.values(), torch.zeros((), device=self.device))
            self.optimisers[0].zero_grad(set_to_none=True)
            loss.backward()
            self.optimisers[0].step()
            for name, value in terms.items():
                totals[name] = totals.get(name, 0.0) + float(value.detach())
            count += 1
        return {name: value / max(count, 1) for name, value in totals.items()}

    @torch.no_grad()
    def validate(self) -> float:
        """NDCG@10 on the validation part."""
        return validation_ndcg(self.data, *self.networks["factors"]())

    def _terms(self, p: Tensor, q: Tensor, users: Tensor, items: Tensor, others: Tensor) -> dict[str, Tensor]:
        """The terms of the loss, each with its weight."""
        options = self.options
        pu, chosen, other = p[users], q[items], q[others]
        if self.against == "dro":
            terms = {"bpr": _robust(pu, chosen, other, users, len(p), options)}
        else:
            terms = {"bpr": triplet_loss(pu, chosen, other, options.l2)}
        if self.against in ("club", "adversary") or self.conditional:
            some = self._some()
            z = p[some]
            if self.against == "club":
                bound = self.networks["club"].bound(z, self.s[some], exact=True, moments=self.moments, clamp=True)
                terms["club"] = options.fairness * bound
            elif self.against == "adversary":
                terms["adversary"] = options.fairness * self.networks["adversary"].fooling_loss(z, self.posterior[some])
            if self.conditional and options.reading == "contrast":
                told = self.s[some] @ self.networks["affinity"].weight.T
                terms["conditional"] = options.conditional * conditional_info_nce(
                    self.x[some], z, told, self.groups[some], options.alpha, options.temperature
                )
        if self.conditional and options.reading == "ranking":
            weight, s = self.networks["affinity"].weight, self.s[users]
            terms["conditional"] = options.conditional * conditional_bpr(
                pu, s, chosen, other, weight[items], weight[others]
            )
            terms["bpr"] = terms["bpr"] * (1 - min(options.conditional, 1.0))
        return terms

    def _fit(self, steps: int) -> None:
        """Let the bound or the adversary catch up with the preferences as they are."""
        if self.against not in ("club", "adversary"):
            return
        p = self.networks["factors"].users.detach()
        for _ in range(steps):
            some = self._some()
            if self.against == "club":
                loss = self.networks["club"].fitting_loss(p[some], self.s[some])
            else:
                loss = self.networks["adversary"].fitting_loss(p[some], self.posterior[some])
            self.optimisers[1].zero_grad(set_to_none=True)
            loss.backward()
            self.optimisers[1].step()

    def _some(self) -> Tensor:
        n = len(self.x)
        return torch.randint(n, (min(self.options.users, n),), generator=self.generator).to(self.device)


class Weight(nn.Module):
    """One learnable matrix."""

    def __init__(self, start: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(start)


def _robust(p: Tensor, chosen: Tensor, other: Tensor, users: Tensor, n: int, options: FairTraining) -> Tensor:
    """BPR whose users are weighted for the worst group that is large enough (Hashimoto et al. 2018), and l2."""
    losses = nn.functional.softplus(((other - chosen) * p).sum(-1))
    counts = torch.bincount(users, minlength=n)
    here = counts > 0
    means = torch.zeros(n, dtype=losses.dtype, device=losses.device).index_add(0, users, losses)[here] / counts[here]
    weighted = (worst_weights(means, options.smallest).to(means.dtype) * means).sum()
    norms = p.square().sum() + chosen.square().sum() + other.square().sum()
    return weighted + options.l2 / 2 * norms / max(len(p), 1)


def standardised(s: Tensor) -> Tensor:
    """Each dimension with mean 0 and standard deviation 1; constant ones are 0."""
    s = s.to(torch.float32)
    if not s.numel():
        return s
    return (s - s.mean(0)) / s.std(0, unbiased=False).clamp_min(1e-6)


def sensitive_variable(options: FairTraining, s: Tensor | None, posterior: Tensor | None) -> Tensor | None:
    """S of I(S;P): s_u, the posterior without its last value (which the others determine), or both."""
    if posterior is None:
        return None
    chances = posterior[:, :-1].to(torch.float32)
    if options.sensitive == "posterior" or s is None:
        return chances
    return s if options.sensitive == "representation" else torch.cat([s, chances], dim=1)


def learn_fair(
    data: Interactions,
    x: Tensor,
    y: Tensor,
    s: Tensor | None,
    posterior: Tensor | None,
    options: FairTraining,
    *,
    seed: int,
    device: torch.device | None = None,
    checkpoint: Path | None = None,
    key: str = "",
    watch: Watch | None = None,
) -> tuple[Tensor, Tensor, History]:
    """`(n, d)` p and `(m, d)` q, on the CPU, of the most accurate epoch after `settle`, and what happened.

    Args:
        data: Interactions; of them training and validation part.
        x: `(n, d)` users after pretraining.
        y: `(m, d)` items after pretraining.
        s: `(n, width)` representations of stage 1; None for methods without them.
        posterior: `(n, A)` what is believed of the attribute; None for methods that know nothing of it.
        options: Weights and schedule.
        seed: Root of all draws.
        device: Where it computes.
        checkpoint: As in `loop.train`.
        key: As there.
        watch: As there.
    """
    device = device or torch.device("cpu")
    variable = sensitive_variable(options, s, posterior)
    stage = FairStage(data, x, y, variable, posterior, options, device, seed)
    history = train(
        stage,
        epochs=options.epochs,
        every=options.every,
        patience=options.patience,
        settle=options.settle,
        checkpoint=checkpoint,
        key=key,
        watch=watch,
    )
    with torch.no_grad():
        p, q = stage.networks["factors"]()
    return p.detach().cpu().clone(), q.detach().cpu().clone(), history
