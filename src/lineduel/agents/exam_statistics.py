"""Estimates with their intervals.

Intervals of means come from a bootstrap over whole rule sets, since answers about one rule set are
alike; those of rates are Wilson's.
"""

from collections.abc import Iterable
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lineduel import documents

CONFIDENCE = 0.95
TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
_RESAMPLES = 2000


class Sums(NamedTuple):
    """A sum over one rule set, and of how many numbers."""

    total: float
    size: int


def resampled(clusters: int, times: int = _RESAMPLES) -> NDArray[np.int64]:
    """The clusters of each resample, drawn with replacement; the same every time."""
    return np.random.default_rng(0).integers(clusters, size=(times, clusters))


def cluster_mean(clusters: Iterable[Sums]) -> "documents.EstimateDocument":
    """The mean over all numbers, with the interval of a bootstrap that draws whole clusters."""
    kept = [one for one in clusters if one.size]
    totals, counts = (
        (np.array(one, np.float64) for one in zip(*kept, strict=True))
        if kept
        else (
            np.zeros(0),
            np.zeros(0),
        )
    )
    count = int(counts.sum())
    mean = float(totals.sum() / count) if count else None
    low = high = None
    if len(kept) > 1:
        drawn = resampled(len(kept))
        means = totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = (float(one) for one in np.quantile(means, TAILS))
    return documents.EstimateDocument(mean=mean, low=low, high=high, count=count)


def wilson(count: int, total: int) -> "documents.RateDocument":
    """A rate with Wilson's interval (Journal of the American Statistical Association 22, 1927)."""
    if not total:
        return documents.RateDocument(count=count, total=total, rate=None, low=None, high=None)
    z, share = NormalDist().inv_cdf((1 + CONFIDENCE) / 2), count / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return documents.RateDocument(
        count=count,
        total=total,
        rate=share,
        low=max(0.0, middle - half),
        high=min(1.0, middle + half),
    )
