"""Whatever is told about a game is true: each kind of fact has a law that recomputes it.

A sentence is made from a typed fact. The laws here work facts out again from the rules and from
the values of positions, over the games, their variants and random rulebooks with battles; the
values themselves are proved by the checker and by going round all positions until nothing
changes. Lies that are planted in facts are found. The words are not tested here, but for one
rendering of each kind.
"""

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tomli_w
from hypothesis import given, reject, settings

import lineduel
from coach import test_reasons
from discover import test_discover
from lab import test_single_changes
from lineduel.coach import (
    Accuracy,
    Act,
    Ahead,
    ChancesLost,
    Distance,
    Draw,
    Gain,
    Habit,
    Judgement,
    LeftGuard,
    LostTurns,
    Mistake,
    MistakeWarning,
    MoveAdvice,
    MoveHint,
    NoPuzzleLeft,
    NumberAdvice,
    NumberHint,
    Puzzle,
    PuzzleVerdict,
    Race,
    Reply,
    Review,
    TakeAway,
    Threat,
    Training,
    Unstoppable,
    Waiting,
    WinningChances,
    Zugzwang,
    account,
    chances_in_words,
    comment,
    ending,
    judge,
    mistake_puzzle,
    number_reasons,
    puzzle_at,
    reasons,
    review,
    take_aways,
    value_in_words,
)
from lineduel.coach.training import Practice
from lineduel.discover import DroppedGoal
from lineduel.engine import Game, Move, Numbers, Position, Step
from lineduel.errors import TooLarge
from lineduel.facts import Fact
from lineduel.graph.explore import explore_by_engine
from lineduel.lab import RulebookWarning, Verdict, audit, warnings_of
from lineduel.lab.repair import SingleChange
from lineduel.narration import move_effect
from lineduel.narration.move_effect import MoveEffect
from lineduel.players import Level
from lineduel.record import Record, parse_move, read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Property, Rulebook, Side, apply_changes, rulebook_from_data
from lineduel.rules.assignments import parse_assignments
from lineduel.solve import PlainSolution, Value, as_sentence
from lineduel.solve.certificate import read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.solver import solve_plainly
from oracles.truth import Truth, as_good
from rules import test_rulebook_warnings
from support.program import Program
from support.repetition import for_games
from support.solved import IN_THE_END, solution_of
from support.strategies import ALL_GAMES, battle_rulebooks, play_out, rulebooks

MOST = 600
"""The largest random game that is looked at."""
HINT = 3 * "hint\n"
"""What is typed for a whole hint: where to look, the reason, the move."""
TODAY = date(2026, 5, 1)
CHANGED = {
    "undercut": ("flag-chase", "battle.wins=undercut"),
    "cyclic": ("flag-chase", "battle.wins=cyclic", "battle.tie=nobody"),
}
"""Games with battles in which the highest number is not always the best."""


@cache
def truth_of(address: str) -> Truth:
    """A shipped game, one that is changed as `CHANGED` says, or one of `IN_THE_END`."""
    if address in IN_THE_END:
        return Truth(solved(rulebook_from_data(IN_THE_END[address], "end")))
    if address not in CHANGED:
        return Truth(solution_of(address))
    game, *changes = CHANGED[address]
    rulebook = apply_changes(find_rulebook(game), parse_assignments(changes))
    return Truth(solved(rulebook))


def solved(rulebook: Rulebook) -> PlainSolution:
    game = Game(rulebook)
    return solve_plainly(explore_by_engine(game, game.start(), MOST))


@dataclass(frozen=True)
class Told:
    """A fact, and the position or the review that it is told about."""

    fact: Any
    truth: Truth
    position: Position
    move: Move | None = None
    side: Side | None = None
    level: int = 4
    turns: int = 30
    review: Review | None = None

    def lying(self, fact: Fact) -> "Told":
        return replace(self, fact=fact)


# The laws


def law_of_values(told: Told) -> None:
    """Forced wins follow from those of the positions after them; the rest is never forced."""
    fact, truth, position = told.fact, told.truth, told.position
    assert fact.low <= fact.high
    winner = truth.game.outcome(position)
    if winner is not None:
        assert (fact.winner, fact.plies) == (winner, 0)
        return
    afters = truth.afters(position)
    if position.battle is None:
        side = position.side
        assert fact.sure(side) <= max(one.hoped(side) for one in afters.values())
        assert fact.hoped(side) >= max(one.sure(side) for one in afters.values())
        wins = [one.plies or 0 for one in afters.values() if one.winner is side]
        loses = [one.plies or 0 for one in afters.values() if one.winner is side.other]
        if wins:
            assert (fact.winner, fact.plies) == (side, min(wins))
        elif len(loses) == len(afters):
            assert (fact.winner, fact.plies) == (side.other, max(loses))
        else:
            assert fact.plies is None
        return
    for side in Side:
        others = truth.numbers(position, side.other)
        rows = [[truth.value(truth.paid(position, side, own, other)) for other in others]
                for own in truth.numbers(position, side)]  # fmt: skip
        assert fact.hoped(side) >= max(min(one.sure(side) for one in row) for row in rows)
        forcing = [
            max((one.plies or 0) + 1 for one in row)
            for row in rows
            if all(one.winner is side for one in row)
        ]
        assert (fact.winner is side) == bool(forcing)
        if forcing:
            assert fact.plies == min(forcing)


def law_of_chances(told: Told) -> None:
    """Backward induction by the rules and the level's own policy gives the same."""
    fact, truth = told.fact, told.truth
    assert told.side is not None
    assert (fact.level, fact.turns) == (told.level, told.turns)
    if told.move is None:
        win, lose = truth.chances(told.position, told.side, fact.level, fact.turns)
    else:
        after = truth.game.play(told.position, told.move)
        win, lose = truth.chances(after, told.side, fact.level, fact.turns - 1)
    assert (fact.win, fact.lose) == (pytest.approx(win, abs=1e-9), pytest.approx(lose, abs=1e-9))
    assert fact.still == pytest.approx(1 - win - lose, abs=1e-9)


def chances_after(told: Told, fact: WinningChances) -> dict[Move, tuple[float, float]]:
    """The chances after each move, against the level of a fact and within its turns."""
    truth, position = told.truth, told.position
    return {
        move: truth.chances(
            truth.game.play(position, move), position.side, fact.level, fact.turns - 1
        )
        for move in truth.game.moves(position)
    }


def best_with_chances(told: Told, fact: WinningChances | None) -> set[Move]:
    best = told.truth.best(told.position)
    if fact is None:
        return best
    chances = chances_after(told, fact)
    return {move for move in best if all(as_good(chances[move], chances[other]) for other in best)}


def law_of_advised_moves(told: Told) -> None:
    fact, truth, position = told.fact, told.truth, told.position
    assert fact.value == truth.after(position, fact.move)
    forced = truth.value(position).winner is not None
    assert (fact.chances is None) == (forced or fact.value.winner is not None)
    if fact.chances:
        law_of_chances(replace(told, fact=fact.chances, move=fact.move, side=position.side))
    asked = None if forced else WinningChances(0, 0, told.level, told.turns)
    assert fact.best == (fact.move in best_with_chances(told, asked))
    found = [
        one for one in reasons(truth.solution, position, fact.move) if one.line[0] == fact.move
    ]
    assert fact.reason == (found[0] if found else None)


def law_of_lost_chances(told: Told) -> None:
    """Both moves keep the value, the other has the best chances of these, by 5 points or more."""
    fact, truth, position = told.fact, told.truth, told.position
    assert fact.side is position.side
    assert truth.value(position).winner is None
    worse = truth.proved_worse(position)
    assert not {fact.move, fact.best} & worse
    for move, one in ((fact.move, fact.after), (fact.best, fact.could)):
        law_of_chances(replace(told, fact=one, move=move, side=position.side))
    leads = {
        move: win - lose
        for move, (win, lose) in chances_after(told, fact.could).items()
        if move not in worse
    }
    assert leads[fact.best] == pytest.approx(max(leads.values()), abs=1e-9)
    assert leads[fact.best] - leads[fact.move] >= 0.05 - 1e-9


def law_of_move_hints(told: Told) -> None:
    fact, truth, position = told.fact, told.truth, told.position
    value, forced = truth.value(position), truth.value(position).winner is not None
    assert (fact.side, fact.value) == (position.side, value)
    assert fact.move in best_with_chances(told, fact.chances)
    sooner = {
        move
        for move, after in truth.afters(position).items()
        if not forced and after.winner is position.side.other
    }
    worse = {} if forced else truth.afters(position)
    assert dict(fact.worse) == {
        move: after
        for move, after in worse.items()
        if move in truth.proved_worse(position) or move in sooner
    }
    assert (fact.chances is None) == forced
    assert fact.likeliest or not forced
    if fact.chances:
        law_of_chances(replace(told, fact=fact.chances, move=fact.move, side=position.side))
        chances = chances_after(told, fact.chances)
        assert fact.likeliest == all(
            as_good(chances[fact.move], other) for other in chances.values()
        )
    if forced:
        assert fact.line[:1] == (fact.move,)
        law_of_lines(truth, position, fact.line)


def law_of_lines(truth: Truth, position: Position, line: tuple[Move, ...]) -> None:
    """Best play keeps what it is worth from move to move, and wins in time."""
    value = truth.value(position)
    for number, move in enumerate(line, start=1):
        assert move in truth.game.moves(position)
        assert move in truth.best(position)
        position = truth.game.play(position, move)
        if value.winner is not None:
            now = truth.value(position)
            assert (now.winner, now.plies) == (value.winner, (value.plies or 0) - number)


def law_of_number_hints(told: Told) -> None:
    """Whatever the other side chooses, the mixture is worth the proved bound."""
    fact, truth, position = told.fact, told.truth, told.position
    assert told.side is not None
    assert sum(fact.mixture.values()) == 1
    assert all(chance > 0 for chance in fact.mixture.values())
    for other in truth.numbers(position, told.side.other):
        worth = sum(
            chance * truth.value(truth.paid(position, told.side, own, other)).hoped(told.side)
            for own, chance in fact.mixture.items()
        )
        assert worth >= truth.value(position).sure(told.side)


def law_of_advised_numbers(told: Told) -> None:
    fact, truth = told.fact, told.truth
    assert told.side is not None
    mixture = truth.solution.mixture(told.position, told.side)
    assert fact.chance == mixture[fact.number]
    worth = truth.worth_of_number(told.position, told.side, fact.number)
    assert fact.worth == pytest.approx(float(worth), abs=1e-12)


def law_of_warnings(told: Told) -> None:
    fact, truth, position = told.fact, told.truth, told.position
    assert fact.side is position.side
    assert fact.before == truth.value(position)
    assert fact.after == truth.after(position, fact.move)
    assert fact.move in truth.proved_worse(position)
    law_of_given_reasons(told)


def law_of_given_reasons(told: Told) -> None:
    """All reasons are given; each of them has a law of its own in `test_reasons.py`."""
    fact, truth, position = told.fact, told.truth, told.position
    found = reasons(truth.solution, position, fact.move)
    if fact.move not in truth.proved_worse(position):
        found = tuple(
            one
            for one in found
            if (isinstance(one, Threat) and one.avoidable)
            or (isinstance(one, Gain) and one.line[0] != fact.move)
        )
    assert fact.reasons == found


def law_of_effects(told: Told) -> None:
    """What changes between the positions before and after is what is told."""
    fact, truth, position = told.fact, told.truth, told.position
    assert told.move is not None
    other = position.side.other
    after = truth.game.play(position, told.move)
    pieces = truth.game.rules.team(other).pieces
    cells = zip(pieces, position.cells(other), after.cells(other), strict=True)
    changed = {piece.name: now for piece, was, now in cells if was != now}
    assert set(fact.takes) == {name for name, now in changed.items() if now is None}
    # A piece that is sent home from its home stays there, and is told all the same.
    assert {name for name, now in changed.items() if now is not None} <= set(fact.sends_home)
    homes = {piece.name: piece.home for piece in pieces}
    now = dict(zip((piece.name for piece in pieces), after.cells(other), strict=True))
    assert all(now[name] == homes[name] for name in fact.sends_home)
    assert fact.battle == (after.battle is not None)
    assert fact.wins == (truth.game.outcome(after) is not None)
    again = after.side is position.side and not fact.wins and not fact.battle
    assert fact.moves_again == again
    own = position.side
    moved = {
        cell for was, cell in zip(position.cells(own), after.cells(own), strict=True) if was != cell
    }
    quiet = not (fact.takes or fact.sends_home or fact.battle or fact.wins or fact.moves_again)
    joined = {name for name, cell in now.items() if cell is not None and cell in moved}
    assert set(fact.joins) == (joined if quiet else set())


def law_of_puzzles(told: Told) -> None:
    """The answer is good, others are not, and so many levels would rather play one of those."""
    fact, truth, position = told.fact, told.truth, told.position
    assert fact.is_only == truth.is_only(position, fact.answer)
    moves, worse = truth.game.moves(position), truth.proved_worse(position)
    right = [move for move in moves if move not in worse]
    assert fact.answer in right
    assert worse
    missed = 0
    for number in range(1, 9):
        policy = Level(number, truth.solution).chances(position, position.side)
        found = sum(chance for move, chance in zip(moves, policy, strict=True) if move in right)
        missed += found < 0.5
    assert fact.grade == missed


def law_of_puzzle_verdicts(told: Told) -> None:
    fact, truth, position = told.fact, told.truth, told.position
    assert fact.side is position.side
    assert fact.value == truth.after(position, fact.move)
    assert fact.right == (fact.move not in truth.proved_worse(position))
    assert fact.is_only == truth.is_only(position, fact.move)
    found = reasons(truth.solution, position, fact.move)
    assert fact.reasons == tuple(one for one in found if one.line[0] == fact.move)
    assert set(fact.alike) == truth.alike(position, fact.move) - {fact.move}
    after = truth.game.play(position, fact.move)
    assert fact.moves_again == (after.side is position.side)
    if not fact.right:
        assert bool(fact.line) == (after.battle is None and bool(truth.game.moves(after)))
        law_of_lines(truth, after, fact.line)


def law_of_no_puzzles(told: Told) -> None:
    """Nothing is left today; there are as many puzzles as positions with one good move."""
    fact, truth = told.fact, told.truth
    found = 0
    for position in dict(truth.solution.items()):
        moves = truth.game.moves(position) if position.battle is None else ()
        found += any(truth.is_only(position, move) for move in moves)
    assert fact.puzzles == found
    assert fact.due == (date(2026, 5, 2) if found else None)


def law_of_judgements(told: Told) -> None:
    fact, truth, position = told.fact, told.truth, told.position
    played = truth.game.play(position, fact.move)
    assert told.review is not None
    assert fact.position == told.review.record.positions()[fact.number - 1]
    assert fact.move == told.review.record.moves[fact.number - 1]
    assert (fact.position, fact.before) == (position, truth.value(position))
    assert fact.after == truth.value(played)
    moves = truth.game.moves(position)
    assert fact.choices == len(moves)
    law_of_given_reasons(told)
    side = position.side
    chances_lost = None
    if position.battle is None and fact.move not in truth.proved_worse(position):
        chances_lost = truth.forecast.lost(position, fact.move, 4)
    assert fact.chances_lost == chances_lost
    if isinstance(fact.move, Numbers):
        bounds = {(value.low, value.high) for value in map(truth.value, all_after(told))}
        assert fact.at_stake == (len(bounds) > 1)
        assert len(fact.draws) == len(Side)
        assert (fact.found_only, fact.delay, fact.line) == (False, 0, ())
        assert fact.always_punished is False
        grades = [draw.mistake for draw in fact.draws if draw.mistake]
        assert fact.mistake == max(grades, default=None)
        return
    assert (fact.draws, fact.at_stake) == (None, True)
    assert (fact.mistake is not None) == (fact.move in truth.proved_worse(position))
    if fact.mistake is None:
        assert fact.found_only == truth.is_only(position, fact.move)
        best = max(truth.after(position, one).plies or 0 for one in truth.best(position))
        plies = truth.after(position, fact.move).plies
        slower = 0 if fact.before.winner is None or plies is None else plies - best
        assert fact.delay == (slower if fact.before.winner is side else -slower)
        assert (fact.better, fact.line, fact.punished_by) == (None, (), None)
        assert not fact.always_punished
        return
    assert (fact.found_only, fact.delay) == (False, 0)
    lost = truth.middle(position, side) - truth.middle(played, side)
    assert (fact.mistake is Mistake.BLUNDER) == (lost > 1)
    assert fact.better not in truth.proved_worse(position)
    assert fact.line[:1] == (fact.better,)
    law_of_lines(truth, position, fact.line)
    replies = truth.game.moves(played) if played.battle is None else ()
    if not replies or played.side is side:
        assert (fact.punished_by, fact.always_punished) == (None, False)
        return
    assert fact.punished_by in truth.best(played)
    keeping = {move for move in replies if same_bounds(truth.after(played, move), fact.after)}
    assert fact.always_punished == (len(replies) > 1 and len(keeping) == len(replies))


def all_after(told: Told) -> Iterator[Position]:
    """Where every pair of numbers leads."""
    for pair in told.truth.game.moves(told.position):
        yield told.truth.game.play(told.position, pair)


def same_bounds(one: Value, other: Value) -> bool:
    return (one.low, one.high) == (other.low, other.high)


def law_of_draws(told: Told) -> None:
    fact, truth, position, side = told.fact, told.truth, told.position, told.side
    assert side is not None
    assert isinstance(told.move, Numbers)
    own, other = told.move if side is Side.ONE else told.move[::-1]
    assert fact.number == own
    assert fact.optimal == truth.solution.mixture(position, side)[own]
    assert fact.expected == truth.worth_of_number(position, side, own)
    assert fact.skill == fact.expected - truth.middle(position, side)
    now = truth.middle(truth.paid(position, side, own, other), side)
    assert fact.luck == now - fact.expected
    mixture = truth.solution.mixture(position, side.other)
    hoped = sum(
        chance * truth.value(truth.paid(position, side, own, one)).hoped(side)
        for one, chance in mixture.items()
    )
    assert (fact.mistake is not None) == (hoped < truth.value(position).sure(side))
    if fact.mistake:
        assert (fact.mistake is Mistake.BLUNDER) == (-fact.skill > 1)
    assert fact.reasons == number_reasons(truth.solution, position, side, own)


def law_of_accuracies(told: Told) -> None:
    """Counted again from the judgements, which have laws of their own."""
    fact, side = told.fact, told.side
    assert told.review is not None
    assert side is not None
    marks: list[Mistake | None] = []
    befores, skill, luck, battles = [], Fraction(0), Fraction(0), 0
    for one in told.review.judgements:
        if one.draws:
            draw = one.draws[0 if side is Side.ONE else 1]
            marks.append(draw.mistake)
            skill, luck, battles = skill + draw.skill, luck + draw.luck, battles + 1
        elif one.position.side is side and one.choices > 1:
            marks.append(one.mistake)
        else:
            continue
        befores.append(told.truth.value(one.position))
    counts = (marks.count(None), marks.count(Mistake.SLIP), marks.count(Mistake.BLUNDER))
    assert (fact.kept, fact.slips, fact.blunders) == counts
    assert (fact.choices, fact.battles, fact.skill, fact.luck) == (len(marks), battles, skill, luck)
    assert fact.share == (Fraction(counts[0], len(marks)) if marks else None)
    assert fact.always_lost == all(value.winner is side.other for value in befores)
    record = told.review.record
    wrong = {one.number for one in told.review.judgements if one.is_mistake_of(side)}
    assert set(fact.wrong_turns) == wrong
    chosen = [one for one in told.review.judgements if one.side is side and one.choices > 1]
    assert fact.slow == sum(one.mark == "?!" for one in chosen)
    gave_up = record.resigned is side and told.review.resigned_mistake is not None
    assert (fact.resigned_unlost, fact.is_over) == (gave_up, record.winner is not None)


def law_of_take_aways(told: Told) -> None:
    """Counted again from the judgements, which have laws of their own."""
    fact, side = told.fact, told.side
    assert told.review is not None
    assert side is not None
    assert fact.side is side
    if fact.habit is Habit.SAME_NUMBER:
        draws = [one.draws[side - 1] for one in told.review.judgements if one.draws]
        assert len({draw.number for draw in draws}) == 1 < len(draws)
        assert fact.times == 1
        return
    assert fact.times == sum(shows(told, one, fact.habit) for one in told.review.judgements)


def shows(told: Told, one: Judgement, habit: Habit) -> bool:
    """Whether a move of the side shows a habit."""
    assert told.side is not None
    if one.draws:
        return habit is Habit.BAD_NUMBER and one.draws[told.side - 1].mistake is not None
    if one.position.side is not told.side:
        return False
    game = told.truth.game
    after = game.play(one.position, one.move)
    went = Counter(after.cells(told.side)) - Counter(one.position.cells(told.side))
    struck = [why.deed for why in one.reasons if isinstance(why, Reply | Threat)]
    hit = [deed for deed in struck if deed.act not in (Act.REACHES_GOAL, Act.BLOCKS)]
    missed = [
        why.deed.act
        for why in one.reasons
        if isinstance(why, Gain) and why.line[0] != one.move and len(why.line) == 1
    ]
    match habit:
        case Habit.STEPPED_INTO_REACH:
            return any(deed.cell in went for deed in hit)
        case Habit.LEFT_IN_REACH:
            return any(deed.cell not in went for deed in hit)
        case Habit.LET_THROUGH:
            return any(deed.act is Act.REACHES_GOAL for deed in struck)
        case Habit.LEFT_GUARD:
            return any(isinstance(why, LeftGuard) for why in one.reasons)
        case Habit.MISSED_WIN:
            return any(act.wins for act in missed)
        case Habit.MISSED_PIECE:
            return any(act in (Act.TAKES, Act.SENDS_HOME) for act in missed)
        case Habit.LOST_RACE:
            raced = [why for why in one.reasons if type(why) is Race]
            return one.mistake is not None and any(why.line[0] == one.move for why in raced)
        case Habit.FELL_BEHIND:
            late = [why for why in one.reasons if isinstance(why, Unstoppable | Ahead | LostTurns)]
            return one.mistake is not None and any(why.line[0] == one.move for why in late)
        case Habit.NO_GOOD_MOVE:
            return any(
                isinstance(why, Zugzwang | Distance | Waiting) and why.side is told.side
                for why in one.reasons
            )
        case Habit.ONLY_MOVE:
            return one.found_only
        case _:
            return False


def law_of_reviews(told: Told) -> None:
    fact, truth = told.fact, told.truth
    turning, winner = fact.turning_point, fact.record.winner
    mistaken = [one for one in fact.judgements if one.mistake]
    assert (turning is None) == (not mistaken)
    if turning is not None:
        own = [one for one in mistaken if winner is None or one.is_mistake_of(winner.other)]
        assert turning is (own or mistaken)[-1]
    assert fact.start == truth.value(fact.record.start)
    positions = fact.record.positions()
    assert len(fact.judgements) == len(fact.record.moves)
    assert fact.last == truth.value(positions[-1])
    resigned = fact.record.resigned
    if resigned is None:
        assert fact.resigned_lost is None
    else:
        assert fact.resigned_lost == (truth.value(positions[-1]).hoped(resigned) == -1)
    left = fact.record.resigned or fact.record.forfeited
    end = () if left is None else (Fraction(-1 if left is Side.ONE else 1),)
    assert fact.curve == (*map(truth.middle, positions), *end)
    worth = truth.middle(positions[-1]) * (1 if resigned is Side.ONE else -1)
    expected = None if resigned is None or fact.resigned_lost else "??" if worth > 0 else "?"
    assert fact.resigned_mistake == expected


@dataclass(frozen=True)
class Kind:
    """A kind of fact: its law, and one sentence that it makes."""

    law: Callable[[Told], None]
    sentence: str
    told: Callable[[], object]
    """What that sentence is made by."""


def cross_over() -> Truth:
    return truth_of("cross-over")


def hint_in(address: str, position: str) -> object:
    truth = truth_of(address)
    at = read_position(truth.game, position)
    return truth.adviser.hint(at, at.side)


def reviewed(address: str, moves: str, start: str = "", resigned: Side | None = None) -> Review:
    rulebook = find_rulebook(address)
    game = Game(rulebook)
    at = read_position(game, start) if start else game.start()
    played = tuple(map(parse_move, moves.split()))
    record = Record(rulebook=rulebook, start=at, moves=played, resigned=resigned)
    return review(record, truth_of(address).solution)


def puzzle_in(address: str, position: str) -> Puzzle:
    truth = truth_of(address)
    puzzle = puzzle_at(truth.solution, read_position(truth.game, position))
    assert puzzle is not None
    return puzzle


def lines_of(address: str, moves: str, start: str = "") -> str:
    judged = reviewed(address, moves, start)
    game = Game(find_rulebook(address))
    return "\n".join(line for one in judged.judgements for line in comment(one, 4, game, width=200))


def warned(address: str, move: str) -> MistakeWarning | None:
    truth = truth_of(address)
    return truth.adviser.warning(truth.game.start(), parse_move(move))


KINDS: dict[type[Fact], Kind] = {
    Value: Kind(
        law_of_values,
        "With best play player 2 wins in 20 turns.",
        lambda: as_sentence(cross_over().value(cross_over().game.start())),
    ),
    WinningChances: Kind(
        law_of_chances,
        "If you play your best, within 30 turns against level 4: "
        "win 89%, lose 0%, still playing 11%.",
        lambda: chances_in_words(chances_at_start("ctf-soldiers")),
    ),
    MoveAdvice: Kind(
        law_of_advised_moves,
        "loses in 18",
        lambda: value_in_words(cross_over().adviser.moves(cross_over().game.start())[0], Side.ONE),
    ),
    MoveHint: Kind(
        law_of_move_hints,
        "P1 1→2: nobody can force a win, and no move is proved to be worse. Even if you play your "
        "best, neither side is likely to win within 30 turns against level 4.",
        lambda: hint_in("flag-chase", "1/5/1"),
    ),
    NumberHint: Kind(law_of_number_hints, "Choose 5.", lambda: hint_in("flag-chase", "3/3/1*")),
    NumberAdvice: Kind(
        law_of_advised_numbers,
        "[1, Fraction(0, 1), 0.0]",
        lambda: list(asdict(number_advice("flag-chase", "5/5/2*")).values()),
    ),
    MistakeWarning: Kind(
        law_of_warnings,
        "P1 -5→-2 is a mistake: it turns a win in 5 into a loss in 4.",
        lambda: warned("ctf-tokens", "P1+3"),
    ),
    MoveEffect: Kind(
        law_of_effects,
        "takes P2-C",
        lambda: effect_of("cross-over", "0,3,4/10,9,5/1", "P1-C+1"),
    ),
    Puzzle: Kind(law_of_puzzles, "0", lambda: puzzle_in("blockade-duel", "8/2/2").grade),
    PuzzleVerdict: Kind(
        law_of_puzzle_verdicts,
        "Right: P2 2→0 wins in 1 turn; every other move is worse.",
        lambda: judge(
            truth_of("blockade-duel").solution,
            puzzle_in("blockade-duel", "8/2/2").position,
            parse_move("P2+2"),
        ),
    ),
    NoPuzzleLeft: Kind(
        law_of_no_puzzles,
        "You have solved all 7 puzzles of this game. The next one comes back on 2026-05-02.",
        lambda: NoPuzzleLeft(7, date(2026, 5, 2)),
    ),
    Judgement: Kind(
        law_of_judgements,
        "  1. player 1 P1 -5→-2 ?? wins in 5 → loses in 4\n"
        "     P2 +5→+2 leaves P1 and P2 4 cells apart with player 1 to move: at that distance, the "
        "side that has to move loses, since any move comes within reach of the other piece, which "
        "wins. P1 -5→-3 would\n     have left P1 and P2 8 cells apart with player 2 to move.\n"
        "     Better: P1 -5→-3, P2 +5→+4, P1 -3→0, P2 +4→+3, P1 0→+3.",
        lambda: lines_of("ctf-tokens", "P1+3"),
    ),
    Draw: Kind(
        law_of_draws,
        "     Player 1 chose 5, a good choice (best play chooses it 100% of the time); lucky: the "
        "other player's number brought 1.000.",
        lambda: lines_of("flag-chase", "5:4", "5/5/2*").splitlines()[1],
    ),
    Accuracy: Kind(
        law_of_accuracies,
        "Player 1: 1 blunder (turn 1); accuracy 0% (0 of 1 choice kept the value)",
        lambda: next(account(Side.ONE, accuracy_of("ctf-tokens", "P1+3"), width=100)),
    ),
    ChancesLost: Kind(
        law_of_lost_chances,
        "S2+1 costs chances: win 89%, lose 0% within 30 turns against level 4; S1+2 would give "
        "win 95%, lose 0%.",
        lambda: truth_of("ctf-soldiers").adviser.chances_lost(
            read_position(truth_of("ctf-soldiers").game, "0,5/8,8/1"), parse_move("S2+1")
        ),
    ),
    TakeAway: Kind(
        law_of_take_aways,
        "Twice you stepped onto a cell that an enemy piece could reach: before you step, look at "
        "what can reach that cell.",
        lambda: TakeAway(side=Side.ONE, habit=Habit.STEPPED_INTO_REACH, times=2),
    ),
    Review: Kind(
        law_of_reviews,
        "Player 1 resigned a lost position (loses in 20).",
        lambda: ending(reviewed("cross-over", "", resigned=Side.ONE)),
    ),
}
"""Every kind of fact that a sentence is made from."""


def accuracy_of(address: str, moves: str) -> Accuracy:
    return reviewed(address, moves).accuracy(Side.ONE)


def chances_at_start(address: str) -> WinningChances:
    truth = truth_of(address)
    return truth.forecast.chances(truth.game.start(), Side.ONE)


def number_advice(address: str, position: str) -> NumberAdvice:
    truth = truth_of(address)
    return truth.adviser.numbers(read_position(truth.game, position), Side.ONE)[0]


def effect_of(address: str, position: str, move: str) -> MoveEffect:
    game = truth_of(address).game
    return move_effect(game, read_position(game, position), parse_move(move))


LAWS_OF_RULEBOOKS: dict[type[Fact], tuple[Callable[..., None], str, Callable[[], object]]] = {
    RulebookWarning: (
        test_rulebook_warnings.test_every_warning_about_a_random_rulebook_is_true_and_none_is_missing,
        "[4, 'player1.goal', <WarningKind.NO_WIN: 'player cannot win'>, 'Player 1 can never win.']",
        lambda: list(asdict(warnings_of(TOO_SLOW).warnings[0]).values()),
    ),
    SingleChange: (
        test_single_changes.test_the_effects_are_true_of_random_rulebooks,
        "1 of 29 single changes changes the value. 17 more change only how long the game lasts.",
        lambda: test_single_changes.tried(find_rulebook("blockade-duel")).sentence,
    ),
    DroppedGoal: (
        test_discover.test_goals_are_dropped_exactly_where_the_rest_can_be_met,
        "The default goal 'no draw' was dropped. Why.",
        lambda: DroppedGoal("no draw", "Why."),
    ),
}
"""The facts about rulebooks, each with its law beside the other tests of its subject, and a
sentence with what makes it."""

TOO_SLOW = """title = "Race"
summary = ""
track = { first = 1, last = 4 }
player1 = { pieces = { A = 1 }, goal = [4] }
player2 = { pieces = { B = 2 }, goal = [1] }
turn = { first = "player1" }
meet = { own = "blocked", enemy = "shared" }
move = { steps = [1], edge = "illegal", jump = true }
"""


# Facts, drawn at random


def told_about(truth: Truth, chance: Random, most: int) -> Iterator[Told]:
    """Facts about some positions and about a game that was played by chance."""
    open_ = [one for one, _ in truth.solution.items() if truth.game.outcome(one) is None]
    for position in chance.sample(open_, min(most, len(open_))):
        yield Told(truth.value(position), truth, position)
        for side in Side:
            level, turns = chance.randint(1, 8), chance.randint(0, 12)
            fact = truth.forecast.chances(position, side, level, turns)
            yield Told(fact, truth, position, side=side, level=level, turns=turns)
        yield from told_of_choices(truth, position)
    yield from told_of_play(truth, chance)


def told_of_choices(truth: Truth, position: Position) -> Iterator[Told]:
    adviser = truth.adviser
    if position.battle is not None:
        for side in Side:
            yield Told(adviser.hint(position, side), truth, position, side=side)
            for number in adviser.numbers(position, side):
                yield Told(number, truth, position, side=side)
        return
    yield Told(adviser.hint(position, position.side), truth, position)
    for advice in adviser.moves(position):
        yield Told(advice, truth, position)
    for move in truth.game.moves(position):
        yield Told(move_effect(truth.game, position, move), truth, position, move)
        if warning := adviser.warning(position, move):
            yield Told(warning, truth, position)
        if lost := adviser.chances_lost(position, move):
            yield Told(lost, truth, position)
    if puzzle := mistake_puzzle(truth.solution, position):
        yield Told(puzzle, truth, position)
        assert (puzzle_at(truth.solution, position) is None) == (not puzzle.is_only)
        for move in truth.game.moves(position):
            yield Told(judge(truth.solution, position, move), truth, position)


def told_of_play(truth: Truth, chance: Random) -> Iterator[Told]:
    played = play_out(truth.game.rulebook, None, chance.randint(0, 25), chance)
    over = truth.game.outcome(played.last) is not None
    resigned = None if over else chance.choice([None, *Side])
    record = Record(
        rulebook=truth.game.rulebook, start=played.start, moves=played.moves, resigned=resigned
    )
    found = review(record, truth.solution)
    yield Told(found, truth, played.start)
    for side in Side:
        yield Told(found.accuracy(side), truth, played.start, side=side, review=found)
        for learned in take_aways(found, side):
            yield Told(learned, truth, played.start, side=side, review=found)
    for one in found.judgements:
        yield Told(one, truth, one.position, one.move, review=found)
        for side, draw in zip(Side, one.draws or (), strict=False):
            yield Told(draw, truth, one.position, one.move, side)


def check(told: Told) -> None:
    KINDS[type(told.fact)].law(told)


# Lies


def lies(fact: Any) -> Iterator[Fact]:
    """The same fact with one thing changed so that it is false."""
    if isinstance(fact, Value):  # a wider interval would be true
        yield from changed(fact)
        return
    for field in fields(fact):
        if field.name in NOT_TOLD:
            continue
        for other in changed(getattr(fact, field.name)):
            yield replace(fact, **{field.name: other})


NOT_TOLD = {"position", "record", "number", "move", "answer", "better", "endless", "sight"}
"""What a fact is about, not what it says; `endless` has its laws in `test_best_play.py`."""


def changed(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case Side():
            yield value.other
        case int():
            yield from (value + 1, value - 1)
        case float():
            yield value + 0.01
        case Fraction():
            yield value + Fraction(1, 100)
        case date():
            yield value.replace(year=value.year + 1)
        case Value(winner=None):
            yield from (Value.won(side, 3) for side in Side)
        case Value(winner=Side() as winner, plies=int(plies)):
            yield from (Value.won(winner.other, plies), Value.won(winner, plies + 1), Value(0, 0))
        case WinningChances():
            yield from lies(value)
        case Mistake():
            yield None
        case dict() if value:
            yield dict(list(value.items())[1:])
        case tuple() if value and not isinstance(value, Step | Numbers):
            yield value[1:]


def is_found(told: Told) -> bool:
    """Whether a law refutes what is told."""
    try:
        check(told)
    except (AssertionError, KeyError):
        return True
    return False


# The tests


def test_every_kind_of_fact_has_a_law_and_a_rendering() -> None:
    """A new kind of sentence does not come in without a law."""
    sources = Path(lineduel.__path__[0]).rglob("*.py")
    kinds = [
        node.name
        for source in sources
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and "Fact" in map(ast.unparse, node.bases)
    ]
    lawful = (*KINDS, *LAWS_OF_RULEBOOKS, *test_reasons.FACTS)
    assert sorted(kinds) == sorted(kind.__name__ for kind in lawful)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_fact_reads_as_it_should(kind: type[Fact]) -> None:
    assert str(KINDS[kind].told()) == KINDS[kind].sentence


@pytest.mark.parametrize("kind", LAWS_OF_RULEBOOKS, ids=lambda kind: kind.__name__)
def test_a_fact_about_a_rulebook_reads_as_it_should(kind: type[Fact]) -> None:
    law, sentence, told = LAWS_OF_RULEBOOKS[kind]
    assert law.__name__.startswith("test_"), "pytest runs it"
    assert str(told()) == sentence


@settings(max_examples=20)
@given(rulebook=rulebooks().filter(lambda one: one.rules.battle is None))
def test_without_battles_the_goals_of_which_one_is_dropped_exclude_each_other(
    rulebook: Rulebook,
) -> None:
    """Where somebody is sure to win, one seat is favoured."""
    try:
        found = audit(rulebook, everything=True)
    except TooLarge:
        reject()
    proved = {one.claim.property for one in found.findings if one.ruling.verdict is Verdict.PROVED}
    assert not proved >= {Property.NO_DRAW, Property.FAIR_SEATS}


@for_games("address", [*ALL_GAMES, *CHANGED, *IN_THE_END])
def test_what_is_told_about_a_game_is_true(address: str) -> None:
    for told in told_about(truth_of(address), Random(address), 12):
        check(told)


@given(rulebook=battle_rulebooks())
@settings(max_examples=40)
def test_what_is_told_about_random_battles_is_true(rulebook: Rulebook) -> None:
    try:
        truth = Truth(solved(rulebook))
    except TooLarge:
        reject()
    check_certificate(read_certificate(write_certificate(truth.solution)))
    for told in told_about(truth, Random(1), 6):
        check(told)


@pytest.mark.parametrize(
    "address", ["cross-over", "ctf-soldiers", "blockade-duel", *CHANGED, *IN_THE_END]
)
def test_planted_lies_are_found(address: str) -> None:
    seen: set[type] = set()
    for told in told_about(truth_of(address), Random(address), 5):
        for lie in lies(told.fact):
            seen.add(type(lie))
            assert is_found(told.lying(lie)), f"not found in {told.position}: {lie}"
    assert len(seen) >= 8


@pytest.mark.parametrize("address", ["blockade-duel", "flag-chase:closed-cells", "ctf-tokens"])
def test_that_no_puzzle_is_left_is_true(address: str, tmp_path: Path) -> None:
    """Where all are solved it is not said that there are none."""
    truth = truth_of(address)
    training = Training(truth.game, Practice(tmp_path / "puzzles.json"))
    for puzzle in training.puzzles(Random(1), TODAY):
        training.note(puzzle, True, TODAY)
    assert next(training.puzzles(Random(1), TODAY), None) is None
    told = Told(training.none_left(TODAY), truth, truth.game.start())
    check(told)
    for lie in lies(told.fact):
        assert is_found(told.lying(lie))


# What people read


def written(program: Program, name: str) -> str:
    """The file of a game that is decided, but not within a fixed number of turns."""
    path = program.folder / "end.toml"
    path.write_text(tomli_w.dumps(IN_THE_END[name]), encoding="utf-8")
    return str(path)


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def test_a_battle_with_something_at_stake_is_not_called_nothing(program: Program) -> None:
    """5:5 keeps the value, and so did each choice; but 5:4 would have won at once."""
    typed = "1\n5\n5\nsave n.duel\nquit\n"
    program("play", "flag-chase", "--plain", "--position", "4/5/1", typed=typed)
    told = in_one_line(program("review", "n.duel").out)
    assert "Nothing was at stake" not in told
    assert "Player 1 chose 5, a good choice" in told


def test_where_every_pair_of_numbers_is_worth_the_same_that_is_told() -> None:
    """In the middle of the track nobody gains anything by a battle between high numbers."""
    assert "Nothing was at stake" in lines_of("flag-chase", "1:5", "3/3/1*")


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (
            "ctf-soldiers",
            "If you play your best, within 30 turns against level 4: "
            "win 89%, lose 0%, still playing 11%.",
        ),
        (
            "flag-chase",
            "Even if you play your best, neither side is likely to win within 30 turns "
            "against level 4.",
        ),
    ],
)
def test_a_hint_tells_chances_that_one_can_picture(program: Program, game: str, told: str) -> None:
    """In games that never end."""
    said = program("play", game, "--plain", "--p2", "human", typed=f"{HINT}values\nquit\n")
    assert told in in_one_line(said.out)
    assert "fallible" not in said.out


def test_the_level_of_the_chances_sits_in_the_other_seat(program: Program) -> None:
    """Level 1 is beaten more often than level 4 within the same time."""
    said = program("play", "ctf-soldiers", "--plain", "--p2", "level:1", typed=f"{HINT}quit\n")
    assert "within 30 turns against level 1: win " in in_one_line(said.out)


def test_solved_puzzles_are_not_called_none(program: Program) -> None:
    """All seven of Blockade Duel, asked for again on the same day."""
    training = Training(truth_of("blockade-duel").game, Practice(program.data / "puzzles.json"))
    for puzzle in training.puzzles(Random(1), date.today()):
        training.note(puzzle, True, date.today())
    done = program("puzzle", "blockade-duel")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("You have solved all 7 puzzles of this game. The next one comes ")
    refused = program("puzzle", "blockade-duel", "--count", "0")
    assert refused.status == 2
    assert "'0' is not a whole number from 1 to 9999" in refused.err


def test_resigning_a_game_that_is_lost_in_the_end_is_resigning_a_lost_one(
    program: Program,
) -> None:
    """It is proved to be lost, though nobody can say when."""
    game = written(program, "lost in the end")
    program("play", game, "--plain", typed="A+1\nundo\nresign\nyes\nsave n.duel\n")
    [record] = program.folder.rglob("*.duel")
    told = in_one_line(program("review", str(record)).out)
    assert "resigned a lost position (loses in the end)." in told


def test_the_star_marks_the_longest_loss_and_every_equal_win(program: Program) -> None:
    """Also where no number of turns is fixed; best play begins with a star."""
    lost = program("solve", written(program, "lost in the end")).out
    assert "* A 0→1  loses in the end" in lost
    assert "  A 0→2  loses in 3" in lost
    assert "Best play: A 0→1, " in lost
    won = program("solve", written(program, "won in the end")).out
    assert "* B 1→2  wins in the end" in won
    assert "* B 1→3  wins in the end" in won


def test_a_hint_in_a_lost_game_names_what_loses_sooner(program: Program) -> None:
    """It is not said that no move is worse."""
    game = written(program, "lost in the end")
    told = in_one_line(program("play", game, "--plain", typed=f"{HINT}values\nquit\n").out)
    assert "A 0→1: it loses in the end, but not within a fixed number of turns; " in told
    assert "A 0→2 loses in 3 turns." in told
    assert "no move is proved to be worse" not in told
    assert "* A 0→1 loses in the end" in told
