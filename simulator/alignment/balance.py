"""Orders in which every phrase stands in every place, so that a mean over them favours no order."""


def balanced_orders(n: int) -> list[tuple[int, ...]]:
    """Williams design: permutations of 0..n-1 with every number equally often in every place and after every other.

    n orders for even n, 2n for odd n: the first is 0, 1, n-1, 2, n-2, ..., the others add 1, 2, ... modulo n; odd n
    needs the reversed ones too.

    Source: E. J. Williams, Experimental designs balanced for the estimation of residual effects of treatments,
    Australian Journal of Scientific Research A 2 (1949).
    """
    if n == 1:
        return [(0,)]
    zigzag = [(step + 1) // 2 if step % 2 else (n - step // 2) % n for step in range(n)]
    orders = [tuple((place + shift) % n for place in zigzag) for shift in range(n)]
    return orders if n % 2 == 0 else [*orders, *(order[::-1] for order in orders)]
