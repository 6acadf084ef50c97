"""What is known of a candidate's figures after each step of its analysis, the cheapest first.

A search stops as soon as that shows that the candidate misses the goals by too much.
"""

from collections.abc import Iterator, Mapping
from math import inf

from lineduel.discover.qualities import ENDLESS_SHARE, NEVER
from lineduel.lab import MIDDLING, ApproximateAnalysis

FigureBounds = Mapping[str, tuple[float, float]]
"""The least and the most that figures can be, by name; one that is missing can be anything."""


def glances(analysis: ApproximateAnalysis, words: int) -> Iterator[FigureBounds]:
    """Closer and closer bounds on the figures of a candidate with this number of words."""
    bounds = {"words": (float(words), float(words))}
    yield bounds
    size = float(len(analysis.graph))
    bounds["positions"] = size, size
    advantage, longest, shortest, endless = 0.0, 0.0, inf, 0.0
    if analysis.is_won:
        advantage = 1.0
        bounds["value"] = bounds["advantage"] = 1.0, 1.0
    yield bounds
    for level in (1, MIDDLING):
        result = analysis.among_equals(level).result
        length = NEVER if result.plies is None else result.plies
        if level == MIDDLING:
            bounds["turns"] = length, length
        advantage = max(advantage, abs(result.value))
        longest, shortest = max(longest, length), min(shortest, length)
        endless = max(endless, result.endless)
        bounds |= {
            "advantage": (advantage, 1.0),
            "longest_turns": (longest, inf),
            "shortest_turns": (0.0, shortest),
            ENDLESS_SHARE: (endless, 1.0),
        }
        yield bounds
    value, decisions = abs(analysis.worth), analysis.shape.decisions
    yield bounds | {
        "value": (value, value),
        "advantage": (max(advantage, value), 1.0),
        "decisions": (decisions, decisions),
    }
