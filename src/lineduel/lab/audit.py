"""Tests whether a rulebook keeps its promises; a line of play, position or number shows it."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from lineduel.arena import everyone
from lineduel.engine import Move, Numbers, Position
from lineduel.graph import joint_chances, strong_components
from lineduel.lab.analysis import Analysis
from lineduel.lab.claims import SELDOM, Ruling, Verdict, claims_of, players_named
from lineduel.lab.figures import Figures
from lineduel.narration import line_text, move_text
from lineduel.players import policy_table
from lineduel.quantities import counted, percent
from lineduel.record import Record
from lineduel.rules import Claim, Property, Rulebook, Side, rule_sentences
from lineduel.solve import Cache, Endless, PlainSolution, Value, leading_to, move_in_words

_SHOWN = 12
"""Moves of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What can be looked at; a line of play is a record that can be replayed."""

    text: str
    record: Record | None = None
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class AuditedClaim:
    """A claim, the verdict on it, and the evidence."""

    claim: Claim
    ruling: Ruling
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything an audit found about a rulebook."""

    analysis: Analysis
    figures: Figures
    findings: tuple[AuditedClaim, ...]

    @property
    def rulebook(self) -> Rulebook:
        return self.analysis.rulebook

    @property
    def refuted(self) -> tuple[AuditedClaim, ...]:
        return tuple(one for one in self.findings if one.ruling.verdict is Verdict.REFUTED)

    @property
    def openings(self) -> tuple[tuple[Move, Value], ...]:
        """Every first move with its value."""
        return self.analysis.solution.moves(self.analysis.game.start())


def audit(
    rulebook: Rulebook,
    everything: bool = False,
    report: Callable[[float], None] | None = None,
    cache: Cache | None = None,
) -> Audit:
    """Decide a rulebook's claims; those that any might make as well, if everything is asked."""
    return audit_analysis(Analysis(rulebook, report=report, cache=cache), everything)


def audit_analysis(analysis: Analysis, everything: bool = False) -> Audit:
    """The same for a rulebook of which some things may be known already."""
    rulebook = analysis.rulebook
    findings = []
    for claim in claims_of(rulebook.rules, rulebook.claims, everything):
        ruling = analysis.ruling(claim.property)
        findings.append(AuditedClaim(claim, ruling, evidence(analysis, claim.property)))
    return Audit(analysis, analysis.figures, tuple(findings))


class Difference(NamedTuple):
    """The sentences in which two rulebooks differ."""

    here: tuple[str, ...]
    there: tuple[str, ...]


def difference(rulebook: Rulebook, other: Rulebook) -> Difference:
    """The sentences that only the one or only the other rulebook has."""
    here, there = rule_sentences(rulebook.rules), rule_sentences(other.rules)
    return Difference(
        tuple(one for one in here if one not in there),
        tuple(one for one in there if one not in here),
    )


# What shows that a claim holds or fails


def evidence(analysis: Analysis, about: Property) -> Evidence:
    """What the verdict on a property rests on."""
    match about:
        case Property.ALWAYS_ENDS | Property.NO_DRAW if analysis.figures.longest_game is None:
            return _endless_line(analysis)
        case Property.FAIR_SEATS if analysis.figures.value.winner is not None:
            return _line(analysis, best_line(analysis), "Best play")
        case Property.CHOICES_MATTER:
            return _decision(analysis)
        case Property.NO_BEST_NUMBER:
            return _battle(analysis)
        case Property.RULES_MATTER:
            return _words(analysis)
        case Property.ENDS_QUICKLY if analysis.figures.shortest_game is not None:
            return _length(analysis)
        case _:
            return _computed(analysis)


def _computed(analysis: Analysis) -> Evidence:
    """Nothing but all positions together shows it."""
    number = analysis.figures.positions
    return Evidence(f"Computed over {'all ' if number > 1 else ''}{counted(number, 'position')}.")


def _endless_line(analysis: Analysis) -> Evidence:
    """Play that never ends: best play if possible, else between levels, else any play."""
    if analysis.figures.value.endless is not Endless.NEVER:
        return _line(analysis, best_loop(analysis), "Best play that repeats a position")
    pairs = [
        (result.endless, one, two)
        for one, row in enumerate(analysis.ladder.results)
        for two, result in enumerate(row)
    ]
    endless, one, two = max(pairs)
    if endless > 0:
        names = analysis.ladder.players
        text = f"A game between {names[one]} and {names[two]} that never ends"
        return _line(analysis, loop_between(analysis, one, two), text)
    return _line(analysis, round_trip(analysis), "Play that repeats a position, if both want to")


def _length(analysis: Analysis) -> Evidence:
    """A game that never ends between equals, if that is not rare; else the shortest game."""
    equals = analysis.figures.equals
    worst = max(range(len(equals)), key=lambda at: equals[at].endless)
    if equals[worst].endless >= SELDOM:
        text = f"A game between two {players_named(equals[worst].player)} that never ends"
        return _line(analysis, loop_between(analysis, worst, worst), text)
    end = int(analysis.graph.winner.nonzero()[0][0])
    return _line(
        analysis, _played(analysis, analysis.graph.way_to(end)), "The shortest possible game"
    )


def best_loop(analysis: Analysis) -> tuple[Move, ...]:
    """Best play of both until a position comes back."""
    if analysis.game.rules.battle is None:
        return best_line(analysis)
    assert isinstance(analysis.solution, PlainSolution)  # battles are never solved in a table
    return _replayed(analysis, analysis.solution.best_play.loop(analysis.solution.start))


def loop_between(analysis: Analysis, one: int, two: int) -> tuple[Move, ...]:
    """The way of two players of the ladder to where they never end, and once round there."""
    graph, players = analysis.graph, everyone(analysis.solution)
    chances = joint_chances(graph, *(policy_table(players[at], graph) for at in (one, two)))
    choices = [
        [at for at in range(*span) if chances[at] > 0] for span in pairwise(graph.first.tolist())
    ]
    after = [[int(graph.after[at]) for at in row] for row in choices]
    ending = leading_to(after, graph.winner.nonzero()[0].tolist())
    came = _searched(after)
    way = _way(came, next(at for at in came if at not in ending))
    while (ahead := after[way[-1]][0]) not in way:
        way.append(ahead)
    steps = []
    for at, to in pairwise([*way, ahead]):
        choice = choices[at][after[at].index(to)] - int(graph.first[at])
        steps.append((analysis.game.choices(graph.positions[at])[choice], graph.positions[to]))
    return _replayed(analysis, steps)


def best_line(analysis: Analysis) -> tuple[Move, ...]:
    """Best play until the end or until a position comes back; in a battle the likeliest numbers."""
    solution, game = analysis.solution, analysis.game
    position = game.start()
    line: list[Move] = []
    seen = {position}
    while game.outcome(position) is None:
        if position.battle is not None:
            mixtures = [solution.mixture(position, side).items() for side in Side]
            move: Move = Numbers(*(max((one, number) for number, one in m)[1] for m in mixtures))
        else:
            best = solution.best_move(position)
            assert best is not None  # the game is not over
            move = best
        line.append(move)
        position = game.play(position, move)
        if position in seen:
            break
        seen.add(position)
    return tuple(line)


def round_trip(analysis: Analysis) -> tuple[Move, ...]:
    """The way to a position that can come back, and once round."""
    graph = analysis.graph
    part = strong_components(graph.first, graph.after)
    for at, after in enumerate(graph.successors):
        inside = [one for one in after if part[one] == part[at]]
        if inside:
            around = _searched(graph.successors, inside[0], (part == part[at]).__getitem__)
            return _played(analysis, [*graph.way_to(at), *_way(around, at)])
    return ()


def way_to(analysis: Analysis, position: Position) -> tuple[Move, ...]:
    """The shortest way from the start to a position."""
    target = list(analysis.graph.positions).index(analysis.solution.likeness.standing_for(position))
    return _played(analysis, analysis.graph.way_to(target))


def _searched(
    after: Sequence[Sequence[int]], start: int = 0, within: Callable[[int], bool] = lambda _: True
) -> dict[int, int]:
    """Breadth first from a start through positions that are within: where each came from."""
    came = {start: start}
    waiting = deque([start])
    while waiting:
        at = waiting.popleft()
        for reached in after[at]:
            if reached not in came and within(reached):
                came[reached] = at
                waiting.append(reached)
    return came


def _way(came: Mapping[int, int], end: int) -> list[int]:
    """The shortest way from where a search started, both ends included."""
    way = [end]
    while came[way[-1]] != way[-1]:
        way.append(came[way[-1]])
    return way[::-1]


def _played(analysis: Analysis, numbers: list[int]) -> tuple[Move, ...]:
    """Moves that lead through the positions of these numbers, the first being the start."""
    return _replayed(analysis, [(None, analysis.graph.positions[number]) for number in numbers[1:]])


def _replayed(
    analysis: Analysis, steps: Sequence[tuple[Move | None, Position]]
) -> tuple[Move, ...]:
    """Moves from the start that lead to what these positions stand for.

    Numbers in a battle are those that come with the step, if any do; a move may be one of
    another piece that is alike.
    """
    game, standing = analysis.game, analysis.solution.likeness.standing_for
    position = game.start()
    line: list[Move] = []
    for wanted, target in steps:
        move = next(
            one
            for one in ((wanted,) if isinstance(wanted, Numbers) else game.moves(position))
            if standing(game.play(position, one)) == target
        )
        line.append(move)
        position = game.play(position, move)
    return tuple(line)


def _line(analysis: Analysis, moves: tuple[Move, ...], text: str) -> Evidence:
    if not moves:
        return Evidence("The game is over at the start.")
    more = f"… ({len(moves)} turns)" if len(moves) > _SHOWN else ""
    shown = line_text(analysis.game, analysis.game.start(), moves[:_SHOWN], more, captures=True)
    return Evidence(f"{text}: {shown}", _record(analysis, moves))


def _record(analysis: Analysis, moves: tuple[Move, ...]) -> Record:
    return Record(rulebook=analysis.rulebook, start=analysis.game.start(), moves=moves)


def _decision(analysis: Analysis) -> Evidence:
    """The first decision that matters."""
    found = analysis.shape.matters.nonzero()[0]
    if not len(found):
        return _computed(analysis)
    position = analysis.graph.positions[int(found[0])]
    text = ", ".join(
        f"{move_text(analysis.game, position, move)} {move_in_words(value, position.side)}"
        for move, value in analysis.solution.moves(position)[:6]
    )
    return Evidence(f"In {position}: {text}.", position=position)


def _battle(analysis: Analysis) -> Evidence:
    """The first battle, and how it is played best."""
    battles = [one for one in analysis.graph.positions if one.battle is not None]
    mixed = [one for one in battles if len(analysis.drawn(one, Side.ONE)) > 1]
    if not battles:
        return Evidence("No battle can come up.")
    position = (mixed or battles)[0]
    mixture = analysis.solution.mixture(position, Side.ONE)
    drawn = analysis.drawn(position, Side.ONE)
    if len(drawn) == 1:
        text = f"always plays {drawn[0]}"
    else:
        shares = ", ".join(f"{number} with {percent(float(mixture[number]))}" for number in drawn)
        text = f"plays {shares}"
    return Evidence(f"In {position} player 1 {text}.", position=position)


def _words(analysis: Analysis) -> Evidence:
    """Where each word counts first."""
    parts = [
        f"{one.word.value} in {one.positions:,}"
        + (f" (first {one.example})" if one.example else "")
        for one in analysis.words
    ]
    used = [one for one in analysis.words if one.example]
    rare = min(used, key=lambda one: one.positions, default=None)
    text = f"Positions in which it counts: {'; '.join(parts)}."
    if rare is None or rare.example is None:
        return Evidence(text)
    return Evidence(text, _record(analysis, way_to(analysis, rare.example)), rare.example)
