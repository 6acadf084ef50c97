"""What a search found: designs whose goals are proved, with their rulebooks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lineduel.discover.candidate import DesignCandidate
from lineduel.discover.design import Design, rulebook_of_design
from lineduel.discover.naming import summary_of, title_of_design
from lineduel.discover.qualities import QUALITIES, Direction, Goal, all_figures
from lineduel.errors import LineduelError
from lineduel.jobs import Pool
from lineduel.lab import Analysis, Figures, Ruling, Verdict, general_claims, rule
from lineduel.rules import Property, Rulebook
from lineduel.solve import proof_of


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
    """Without a title of its own."""
    certificate: str | tuple[bytes, ...]
    """What proves the solution, as it is written to a file; empty if a goal is not met."""

    @property
    def figures(self) -> dict[str, float]:
        return all_figures(self.exact, self.design.words)

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that are proved."""
        return tuple(
            about for about, ruling in self.rulings.items() if ruling.verdict is Verdict.PROVED
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDuel:
    """A duel that a search keeps."""

    rulebook: Rulebook
    proved: Proved
    on_front: bool
    """Whether no other duel that was kept is at least as good by every preferred figure."""


def proved_designs(
    candidates: Sequence[DesignCandidate], goals: tuple[Goal, ...], wanted: int, pool: Pool
) -> Iterator[Proved]:
    """Prove candidates in order, in batches, until enough of them meet all goals."""
    met = 0
    for begin in range(0, len(candidates), wanted):
        batch = [(one.number, one.design, goals) for one in candidates[begin : begin + wanted]]
        proved = [one for done in pool.run(prove_designs, batch) for one in done]
        for one in sorted(proved, key=lambda each: _place(each, candidates)):
            yield one
            met += not one.unmet
        if met >= wanted:
            return


def _place(one: Proved, candidates: Sequence[DesignCandidate]) -> int:
    return next(at for at, each in enumerate(candidates) if each.number == one.number)


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
    rulings = {
        claim.property: rule(claim.property, figures, lambda: analysis.words)
        for claim in general_claims(analysis.game.rules)
    }
    unmet = tuple(goal.text for goal in goals if not _is_met(goal, figures, design.words, rulings))
    proof = "" if unmet else proof_of(analysis.solution)
    certificate = proof if isinstance(proof, str) else tuple(proof)
    elo, rulebook = analysis.ladder.elo, analysis.rulebook
    return Proved(number, design, figures, rulings, unmet, elo, rulebook, certificate)


def _is_met(goal: Goal, figures: Figures, words: int, rulings: Mapping[Property, Ruling]) -> bool:
    if goal.property is None:
        return goal.missed_by(figures, words) == 0
    ruling = rulings.get(goal.property)
    return ruling is not None and ruling.verdict is Verdict.PROVED


def kept_duels(proved: Sequence[Proved], preferred: Sequence[str]) -> list[FoundDuel]:
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
        found.append(FoundDuel(rulebook=rulebook, proved=one, on_front=front))
    return found


def _dominates(
    one: Mapping[str, float], other: Mapping[str, float], preferred: Sequence[str]
) -> bool:
    """Whether one is at least as good as the other everywhere, and better somewhere."""
    ahead = [
        (one[name] - other[name]) * (1 if QUALITIES[name].better is Direction.MORE else -1)
        for name in preferred
    ]
    return min(ahead) >= 0 and max(ahead) > 0


def best_on_front(
    found: Sequence[FoundDuel], preferred: Sequence[str]
) -> Mapping[str, tuple[FoundDuel, ...]]:
    """For each preferred figure, the duels of the front that are best at it."""
    front = [one for one in found if one.on_front]
    best = {}
    for name in preferred:
        figures = [one.proved.figures[name] for one in front]
        wanted = max(figures) if QUALITIES[name].better is Direction.MORE else min(figures)
        best[name] = tuple(
            one for one, figure in zip(front, figures, strict=True) if figure == wanted
        )
    return best
