"""What a search found: designs whose goals are proved, with their rulebooks, and in words."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import fill
from typing import NamedTuple

from lineduel.discover.design import Design, rulebook_of_design, summary_of, title_of_design
from lineduel.discover.design_search import DesignCandidate, DesignSearch, SearchQuestion
from lineduel.discover.qualities import NEVER, QUALITIES, Goal, Unit, all_figures
from lineduel.errors import LineduelError
from lineduel.jobs import Pool
from lineduel.lab import Analysis, Figures, Ruling, Verdict, general_claims
from lineduel.quantities import counted, percent, plural
from lineduel.rules import Property, Rulebook
from lineduel.solve import proof_of

_WIDTH = 76
_SHOWN = ("value", "advantage", "skill", "elo_range", "turns", "decisions_per_turn", "words")


class Proved(NamedTuple):
    """A design with its exact figures, and what is proved about it."""

    number: int
    """The candidate's number."""
    design: Design
    exact: Figures
    rulings: Mapping[Property, Ruling]
    unmet: tuple[str, ...]
    """The goals that it turned out not to meet."""
    elo: tuple[float, ...]
    """The ratings of the players of the ladder, as in the figures of equals."""
    rulebook: Rulebook
    """With a title of its own once it is kept."""
    certificate: str | tuple[bytes, ...]
    """What proves the solution, as it is written to a file; empty if a goal is not met."""
    on_front: bool = False
    """Whether it is kept, and no other that is kept is at least as good by every preferred figure.
    """

    @property
    def figures(self) -> dict[str, float]:
        return all_figures(self.exact, self.design.words)

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that are proved."""
        return tuple(
            about for about, ruling in self.rulings.items() if ruling.verdict is Verdict.PROVED
        )


def proved_designs(
    candidates: Sequence[DesignCandidate], goals: tuple[Goal, ...], wanted: int, pool: Pool
) -> Iterator[Proved]:
    """Prove candidates in order, in batches, until enough of them meet all goals."""
    met, order = 0, {one.number: at for at, one in enumerate(candidates)}
    for begin in range(0, len(candidates), wanted):
        batch = [(one.number, one.design, goals) for one in candidates[begin : begin + wanted]]
        proved = [one for done in pool.run(prove_designs, batch) for one in done]
        for one in sorted(proved, key=lambda each: order[each.number]):
            yield one
            met += not one.unmet
        if met >= wanted:
            return


def prove_designs(items: Iterable[tuple[int, Design, tuple[Goal, ...]]]) -> list[Proved]:
    """The exact figures of some designs; those that cannot be proved are left out."""
    found = []
    for number, design, goals in items:
        try:
            found.append(_proved(number, design, goals))
        except LineduelError:  # too large after all
            continue
    return found


def _proved(number: int, design: Design, goals: tuple[Goal, ...]) -> Proved:
    analysis = Analysis(rulebook_of_design(design))
    figures = analysis.figures
    claims = general_claims(analysis.game.rules)
    rulings = {claim.property: analysis.ruling(claim.property) for claim in claims}
    elo, rulebook = analysis.ladder.elo, analysis.rulebook
    proved = Proved(number, design, figures, rulings, (), elo, rulebook, "")
    unmet = tuple(
        goal.text
        for goal in goals
        if goal.property not in proved.properties
        and (goal.property is not None or goal.missed_by(figures, proved.figures))
    )
    if unmet:
        return proved._replace(unmet=unmet)
    proof = proof_of(analysis.solution)
    return proved._replace(certificate=proof if isinstance(proof, str) else tuple(proof))


def kept_duels(proved: Sequence[Proved], preferred: Sequence[str]) -> list[Proved]:
    """The duels that meet all goals, as rulebooks with titles of their own, and the front."""
    kept = [one for one in proved if not one.unmet]
    titles: set[str] = set()
    found = []
    for number, one in enumerate(kept, start=1):
        title = title_of_design(one.design, titles)
        titles.add(title)
        claims = tuple(
            claim
            for claim in general_claims(one.rulebook.rules)
            if claim.property in one.properties
        )
        rulebook = replace(
            one.rulebook,
            id=f"{number:02}",
            title=title,
            summary=summary_of(one.design),
            claims=claims,
        )
        others = [other.figures for other in kept if other is not one]
        front = not any(_dominates(other, one.figures, preferred) for other in others)
        found.append(one._replace(rulebook=rulebook, on_front=front))
    return found


def _dominates(
    one: Mapping[str, float], other: Mapping[str, float], preferred: Sequence[str]
) -> bool:
    """Whether one is at least as good as the other everywhere, and better somewhere."""
    ahead = [QUALITIES[name].worth(one[name] - other[name]) for name in preferred]
    return min(ahead) >= 0 and max(ahead) > 0


def best_on_front(
    found: Sequence[Proved], preferred: Sequence[str]
) -> Mapping[str, tuple[Proved, ...]]:
    """For each preferred figure, the duels of the front that are best at it."""
    front = [one for one in found if one.on_front]
    best = {}
    for name in preferred:
        worths = [QUALITIES[name].worth(one.figures[name]) for one in front]
        most = max(worths)
        best[name] = tuple(one for one, worth in zip(front, worths, strict=True) if worth == most)
    return best


# In words


def figure_text(name: str, found: float) -> str:
    """A figure as people read it: `97%`, `0.10`, `14.2`, `1,204`."""
    if found >= NEVER:
        return "never ends"
    match QUALITIES[name].unit:
        case Unit.SHARE:
            return percent(found)
        case Unit.WORTH:
            return f"{found:.2f}"
        case Unit.COUNT:
            return f"{found:,.0f}"
        case Unit.MEAN:
            return f"{found:,.1f}"


def found_lines(
    search: DesignSearch, proved: Sequence[Proved], found: Sequence[Proved]
) -> Iterator[str]:
    """The duels with their figures and the front, or why there are none."""
    question = search.question
    how = "all there are" if question.complete else "a search that keeps the best of each kind"
    promising = len(search.best_first())
    yield fill(
        f"Tried {counted(search.tried, 'candidate')} ({how}), {search.with_battles:,} of them with "
        f"battles. {search.measured:,} could be measured, and {promising:,} "
        f"{plural(promising, 'looks', 'look')} as if {plural(promising, 'it meets', 'they meet')} "
        "the goals.",
        _WIDTH,
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


def _front_lines(found: Sequence[Proved], preferred: tuple[str, ...]) -> Iterator[str]:
    """The trade-offs: what each duel is best at that no other beats by every preferred figure."""
    best = best_on_front(found, preferred)
    front = [one for one in found if one.on_front]
    if len(found) == 1:
        yield ""
        return
    yield (
        "\nThe front: every other duel that is better than one of these in a preferred figure "
        "is\nworse in another."
    )
    yield from _table(front, preferred, lambda one: [name for name in best if one in best[name]])
    yield ""


def _table(
    found: Sequence[Proved],
    names: Sequence[str],
    best: Callable[[Proved], list[str]] = lambda one: [],
) -> Iterator[str]:
    """The figures of those names, and behind them what a duel is best at."""
    wide = max(len(one.rulebook.title) for one in found) + 2
    titles = [QUALITIES[name].title for name in names]
    yield f"{'':4}{'':<{wide}}" + "".join(f"{title:>{len(title) + 2}}" for title in titles)
    for one in found:
        figures = one.figures
        cells = "".join(
            f"{figure_text(name, figures[name]):>{len(title) + 2}}"
            for name, title in zip(names, titles, strict=True)
        )
        first = ", ".join(QUALITIES[name].title for name in best(one))
        told = f"  best: {first}" if first else ""
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
    missed = Counter(goal for one in proved for goal in one.unmet)
    for goal, times in missed.most_common():
        yield f"  {goal}: not proved for {times} of {len(proved)} that came near"
