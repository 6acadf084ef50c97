"""The best candidates of many kinds: one for each combination of length, depth and meeting.

A quality-diversity archive (Mouret and Clune, Illuminating search spaces by mapping elites, 2015).
A library for it would compare by one number; here goals come first and preferences second.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lineduel.discover.candidate import DesignCandidate
from lineduel.discover.qualities import score
from lineduel.rules import Meeting

LENGTHS = (4.0, 6.0, 8.0, 10.0, 13.0, 16.0, 20.0, 25.0, 30.0, 40.0, 60.0)
"""The limits between kinds by average length in turns."""
DEPTHS = (0.0, 100.0, 200.0, 300.0, 450.0, 600.0, 800.0, 1000.0, 1300.0)
"""The limits between kinds by Elo range."""
DesignKind = tuple[int, int, Meeting]


class Archive:
    """One candidate of each kind: the one that misses the goals least, then the preferred one."""

    def __init__(self, preferred: Sequence[str]) -> None:
        self._preferred = tuple(preferred)
        self._best: dict[DesignKind, tuple[tuple[float, float, int], DesignCandidate]] = {}
        self._order: list[DesignKind] = []
        """The kinds in the order in which they were first found."""

    def __len__(self) -> int:
        return len(self._best)

    def __iter__(self) -> Iterator[DesignCandidate]:
        return (self._best[kind][1] for kind in self._order)

    def __getitem__(self, number: int) -> DesignCandidate:
        return self._best[self._order[number]][1]

    @staticmethod
    def kinds(meetings: Sequence[Meeting]) -> int:
        """How many kinds there are, with these ways to meet an enemy."""
        return (len(LENGTHS) + 1) * (len(DEPTHS) + 1) * len(meetings)

    def add(self, candidate: DesignCandidate) -> bool:
        """Keep a candidate if it is the best of its kind; whether it was kept."""
        kind, rank = kind_of(candidate), self.rank(candidate)
        if kind not in self._best:
            self._order.append(kind)
        elif self._best[kind][0] >= rank:
            return False
        self._best[kind] = rank, candidate
        return True

    def rank(self, candidate: DesignCandidate) -> tuple[float, float, int]:
        """Sort key of a candidate, larger is better; of equals the earlier one is kept."""
        worth = score(candidate.figures, self._preferred)
        return -candidate.missed, worth, -candidate.number

    def best_first(self) -> list[DesignCandidate]:
        """All candidates, those that meet the goals first."""
        return sorted(self, key=self.rank, reverse=True)


def kind_of(candidate: DesignCandidate) -> DesignKind:
    """The kind that a candidate belongs to."""
    figures = candidate.figures
    return (
        bisect_right(LENGTHS, figures["turns"]),
        bisect_right(DEPTHS, figures["elo_range"]),
        candidate.design.enemy,
    )
