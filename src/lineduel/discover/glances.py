"""What is known of a candidate's figures after each step of its analysis, the cheapest first.

A search stops as soon as that shows that the candidate misses the goals by too much.
"""

from collections.abc import Iterator, Mapping
from math import inf

from lineduel.discover.qualities import ENDLESS_SHARE, NEVER
from lineduel.graph import Result
from lineduel.lab import ApproximateAnalysis

FigureBounds = Mapping[str, tuple[float, float]]
"""The least and the most that figures can be, by name; one that is missing can be anything."""


def glances(analysis: ApproximateAnalysis, words: int) -> Iterator[FigureBounds]:
    """Closer and closer bounds on the figures of a candidate with this number of words."""
    bounds = {"words": (float(words), float(words))}
    yield bounds
    size = float(len(analysis.graph))
    bounds["positions"] = size, size
    if analysis.is_won:
        bounds["value"] = bounds["advantage"] = 1.0, 1.0
    yield bounds
    middling = analysis.among_middling.result
    bounds["turns"] = _length(middling), _length(middling)
    _add_equals(bounds, middling)
    yield bounds
    value, decisions = abs(analysis.worth), analysis.shape.decisions
    bounds["value"], bounds["decisions"] = (value, value), (decisions, decisions)
    bounds["advantage"] = max(bounds["advantage"][0], value), 1.0
    yield bounds
    pairs = ("perfect", "perfect"), ("perfect", "level:1"), ("level:1", "perfect")
    best, first, second = analysis.results(*pairs)
    skill = min(first.score, 1 - second.score)
    bounds["skill"] = skill, skill
    _add_equals(bounds, best)
    yield bounds
    # Computed last, since it takes longest: random players leave nothing out.
    _add_equals(bounds, *analysis.results(("level:1", "level:1")))
    yield bounds


def _length(equals: Result) -> float:
    return NEVER if equals.plies is None else equals.plies


def _add_equals(bounds: dict[str, tuple[float, float]], equals: Result) -> None:
    """Take into account how a game between two equal players goes."""
    length, none = _length(equals), (0.0, inf)
    bounds |= {
        "advantage": (max(bounds.get("advantage", none)[0], abs(equals.value)), 1.0),
        "longest_turns": (max(bounds.get("longest_turns", none)[0], length), inf),
        "shortest_turns": (0.0, min(bounds.get("shortest_turns", none)[1], length)),
        ENDLESS_SHARE: (max(bounds.get(ENDLESS_SHARE, none)[0], equals.endless), 1.0),
    }
