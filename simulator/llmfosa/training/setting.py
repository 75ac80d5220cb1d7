"""Where a training computes, and the seeds of its draws."""

from __future__ import annotations

import torch

from simulator.seeds import child_seed


def device_of(name: str) -> torch.device:
    """A device by PyTorch's name, such as "cpu" or "cuda".

    Raises:
        ValueError: There is no such device here.
    """
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise ValueError(f"device {name!r} cannot be used here; try cpu ({str(error).splitlines()[0]})") from None
    return device


def seeded(seed: int, *purpose: str) -> torch.Generator:
    """A generator on the CPU for one purpose; also sets PyTorch's global one, which layers and dropout draw from."""
    torch.manual_seed(child_seed(seed, "llmfosa", *purpose, "global"))
    return torch.Generator().manual_seed(child_seed(seed, "llmfosa", *purpose))
