"""What a search found, in words: one screen of text."""

from collections.abc import Callable, Iterator, Sequence
from textwrap import fill

from lineduel.discover.design_search import DesignSearch, SearchQuestion
from lineduel.discover.found import FoundDuel, Proved, best_on_front
from lineduel.discover.gallery import figure_text

_WIDTH = 92
_SHOWN = ("value", "advantage", "skill", "elo_range", "turns", "decisions_per_turn", "words")


def found_lines(
    search: DesignSearch, proved: Sequence[Proved], found: Sequence[FoundDuel]
) -> Iterator[str]:
    """The duels with their figures and the front, or why there are none."""
    question = search.question
    how = "all" if question.complete else "the best of each kind"
    yield (
        f"Tried {search.tried:,} candidates ({how}), {search.with_battles:,} of them with battles; "
        f"{search.measured:,} are rulebooks of\na size that can be proved, "
        f"{len(search.best_first()):,} seem to meet the goals."
    )
    if not found:
        yield from _none_lines(search, proved)
        yield from _dropped_lines(question)
        return
    yield ""
    yield from _table(found, _SHOWN)
    yield ""
    yield from _dropped_lines(question)
    yield f"All {'other ' if question.dropped else ''}goals are proved for these."
    yield from _front_lines(found, question.preferred)


def _dropped_lines(question: SearchQuestion) -> Iterator[str]:
    for one in question.dropped:
        yield fill(str(one), _WIDTH)


def _front_lines(found: Sequence[FoundDuel], preferred: tuple[str, ...]) -> Iterator[str]:
    """The trade-offs: what each duel is best at that no other beats by every preferred figure."""
    best = best_on_front(found, preferred)
    yield (
        "\nThe front: no other duel is better than one of these in a preferred figure without "
        "being\nworse in another."
    )
    front = [one for one in found if one.on_front]
    yield from _table(front, preferred, lambda one: [name for name in best if one in best[name]])
    yield ""


def _table(
    found: Sequence[FoundDuel],
    names: Sequence[str],
    best: Callable[[FoundDuel], list[str]] = lambda one: [],
) -> Iterator[str]:
    """The figures of those names, and behind them what a duel is best at."""
    wide = max(len(one.rulebook.title) for one in found) + 2
    yield f"{'':4}{'':<{wide}}" + "".join(f"{name:>{len(name) + 2}}" for name in names)
    for one in found:
        figures = one.proved.figures
        cells = "".join(f"{figure_text(figures[name]):>{len(name) + 2}}" for name in names)
        told = f"  best: {', '.join(first)}" if (first := best(one)) else ""
        yield f"{one.rulebook.id:<4}{one.rulebook.title:<{wide}}{cells}{told}"


def _none_lines(search: DesignSearch, proved: Sequence[Proved]) -> Iterator[str]:
    """Why nothing was found, and what comes nearest."""
    question = search.question
    if question.complete and not search.met:
        words = f" with up to {question.space.words} words" if question.space.words else ""
        yield f"\nNo duel within these bounds{words} meets all goals."
        if search.too_large:
            yield f"Not counted: {search.too_large:,} that are too large to be proved."
        if search.with_battles:
            yield "Duels with battles were judged by values in floats, which is not a proof."
    else:
        yield "\nNo duel that was tried meets all goals."
    missed: dict[str, int] = {}
    for one in proved:
        for goal in one.unmet:
            missed[goal] = missed.get(goal, 0) + 1
    for goal, times in sorted(missed.items(), key=lambda item: -item[1]):
        yield f"  {goal}: not proved for {times} of {len(proved)} that came near"
