"""Every reason is true: an oracle with rules and a solver of its own works each of them out again.

Without battles the oracle shares nothing with the program, from the rules to the values. With
battles it takes the values of the solution, whose certificate is checked. Lies that are planted in
reasons are found.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, reject, settings

from lineduel.coach import Adviser, hint_stages, reason_facts
from lineduel.coach.deeds import Act, Deed, Needs
from lineduel.coach.number_reasons import (
    Beaten,
    NumberMixture,
    NumberReason,
    Predictable,
    mixture_reason,
    number_reasons,
)
from lineduel.coach.reason_facts import (
    NO_SEQUEL,
    Ahead,
    AllLose,
    BadBattle,
    Distance,
    Escape,
    Gain,
    GivenUp,
    Later,
    LeftGuard,
    Loss,
    LostTurns,
    NewGuard,
    NoEscape,
    OnlySafe,
    OwnAnswer,
    Race,
    Reason,
    ReasonKind,
    Reply,
    Sequel,
    StrikeBack,
    Terms,
    Threat,
    Unstoppable,
    Waiting,
    Zugzwang,
)
from lineduel.coach.reason_sentences import ReasonWords, Tense, number_sentence
from lineduel.coach.reasons import reasons
from lineduel.coach.waiting import SafeMoves
from lineduel.engine import PASS, Game, Position
from lineduel.errors import InvalidPosition, NotationError, NotSolved, TooLarge
from lineduel.graph.explore import explore_by_engine
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side, apply_changes, rulebook_data
from lineduel.solve import PlainSolution, Value
from lineduel.solve.certificate import read_certificate, write_certificate
from lineduel.solve.checker import check_certificate
from lineduel.solve.solver import solve_plainly
from oracles.naive import Board
from oracles.reasons import ENDS, ORDER, QUIET, STRIKES, Deed as SeenDeed, ReasonOracle, Worth
from support.program import Program
from support.repetition import tried
from support.solved import solution_of
from support.strategies import ALL_GAMES, rulebooks

MOST = 600
"""The largest random game that is looked at."""
KINDS_IN_ORDER = (
    (GivenUp,),
    (Reply, Threat, BadBattle, LeftGuard, NoEscape),
    (Gain, Escape, NewGuard),
    (Race, Unstoppable, Ahead, LostTurns),
    (Distance, Zugzwang, Waiting),
    (OnlySafe,),
    (Later,),
    (AllLose,),
)
NAMES = {Side.ONE: "you", Side.TWO: "the computer"}


@dataclass(frozen=True)
class Asked:
    """A reason for a move in a position, and who knows the truth."""

    oracle: ReasonOracle
    board: Board
    move: str
    reason: Any

    @property
    def line(self) -> list[str]:
        return [str(move) for move in self.reason.line]

    @property
    def boards(self) -> list[Board]:
        """The boards of the line, the one asked about first."""
        boards = [self.board]
        for move in self.line:
            boards.append(self.oracle.play(boards[-1], move))
        return boards

    @property
    def is_mistake(self) -> bool:
        return self.move not in self.oracle.keeping(self.board)


# The laws


def check(asked: Asked) -> None:
    """The line is the one that it is said to be, and the reason is true of it."""
    oracle, line, boards = asked.oracle, asked.line, asked.boards
    me = asked.board.mover
    assert line[0] == asked.move or line[0] in oracle.keeping(asked.board)
    assert asked.reason.turn == len(line) - 1
    for board, move in list(zip(boards, line, strict=False))[1:]:
        assert move in oracle.keeping(board) or isinstance(asked.reason, Threat)
        free = isinstance(asked.reason, Reply | Threat)
        if not oracle.naive.numbers and not free:
            assert move == oracle.best(board)[0]
    LAWS[type(asked.reason)](asked, me, boards)


def law_of_replies(asked: Asked, me: int, boards: list[Board]) -> None:
    assert asked.is_mistake
    assert len(asked.line) == 2
    assert boards[1].mover == 3 - me
    law_of_deeds(asked, boards)
    own = asked.oracle.deed(asked.board, asked.move)
    own = own if own is not None and own.act in STRIKES else None
    assert own == (asked.reason.own and seen_deed(asked.reason.own))
    assert not asked.reason.forced
    if not asked.oracle.naive.numbers:
        assert asked.reason.is_best == (asked.line[1] == asked.oracle.best(boards[1])[0])


def law_of_deeds(asked: Asked, boards: list[Board]) -> None:
    """The last move of the line does it, and a battle has those terms."""
    seen = asked.oracle.deed(boards[-2], asked.line[-1])
    assert seen == seen_deed(asked.reason.deed)
    terms = asked.oracle.terms(boards[-2], asked.line[-1])
    assert terms == worth_of_terms(asked.reason.terms)
    if isinstance(asked.reason, Reply | Gain | Later):
        law_of_blocks(asked, boards[-1], seen)
        if isinstance(asked.reason, Later):
            assert not asked.reason.sequel.brief
        law_of_sequels(asked, boards[-1], seen)
    else:
        assert asked.reason.sequel == NO_SEQUEL


def law_of_blocks(asked: Asked, after: Board, deed: SeenDeed) -> None:
    """All pieces that cannot go forward are named, and whether best play gives the block up."""
    oracle, enemy, brief = asked.oracle, 3 - deed.player, asked.reason.sequel.brief
    if deed.act != "blocks":
        assert not brief
        return
    assert deed.victims == oracle.stuck(after, enemy)

    def best(board: Board) -> list[str]:
        return oracle.keeping(board) if oracle.naive.numbers else oracle.best(board)[:1]

    if after.mover != enemy:
        assert not brief
        return
    answered = [oracle.play(after, move) for move in best(after)]
    lasts = {
        one.won is not None
        or one.fight is not None
        or oracle.landing(one, move) is None
        or deed.piece not in move
        for one in answered
        for move in (best(one) if one.won is None and one.fight is None else [""])
    }
    assert (not brief) in lasts, "best play gives the block up at once, or does not"


def law_of_losses(asked: Asked, me: int, boards: list[Board]) -> None:
    """What a mistake gives up by itself was there before it and is not after it."""
    oracle, reason, [board, after] = asked.oracle, asked.reason, boards[:2]
    enemy = 3 - me
    assert asked.is_mistake
    assert asked.line[0] == asked.move
    assert asked.move.startswith(reason.piece)
    assert after.mover == enemy
    assert after.fight is None
    [man] = [one for one in board.men if one.name == reason.piece]
    assert (man.owner, man.cell) == (me, reason.cell)
    stays = oracle.landing(board, asked.move) is None
    assert stays == (reason.loss == "turn")
    assert len(asked.line) == (2 if reason.loss == "hold" else 1)
    if stays:
        assert (oracle.winner(board), oracle.winner(after)) == (me, enemy)
        assert str(after) == str(oracle.turned(board, enemy))
    elif reason.loss == "goal":
        assert oracle.naive.needs[me] > 1
        assert reason.cell in oracle.naive.goals[me]
        need, left = (oracle.need_on_an_empty_track(one, me) for one in boards)
        assert need is not None
        assert left is None or left > need
    else:
        assert reason.loss == "hold"
        reply = asked.line[1]
        assert reply not in oracle.moves(oracle.turned(board, enemy))
        landed = oracle.landing(after, reply)
        assert landed is not None
        [start] = [one.cell for one in after.men if one.name == landed[0]]
        assert start is not None
        assert min(start, landed[1]) <= reason.cell <= max(start, landed[1])


def law_of_sequels(asked: Asked, after: Board, deed: SeenDeed) -> None:
    """What comes right after a deed: extra moves, or what the other side can do, and the end."""
    oracle, told = asked.oracle, asked.reason.sequel
    again = [seen_deed(one) for one in told.again]
    ways = [board for struck, board in oracle.extra_moves(after, deed.player) if struck == again]
    assert ways
    if again or all(one.fight is not None or one.won is not None for one in ways):
        assert (told.back, told.only, told.within) == (None, None, None)
        return
    moved_again = after.mover == deed.player
    assert any(
        law_of_striking_back(oracle, told.back, None if moved_again else one, deed)
        and (None if told.only is None else [str(told.only)])
        == (oracle.moves(one) if len(oracle.moves(one)) == 1 else None)
        and told.within == (oracle.worth(one)[2] if oracle.winner(one) == deed.player else None)
        for one in ways
        if one.fight is None and one.won is None
    )


def law_of_striking_back(
    oracle: ReasonOracle, told: StrikeBack | None, board: Board | None, deed: SeenDeed
) -> bool:
    """Whether that piece strikes back, and that is what the struck side answers and wins by."""
    move = None if board is None else oracle.strike_back(board, deed)
    if told is None or board is None or move is None:
        return told is None and move is None
    after, back = oracle.play(board, move), oracle.deed(board, move)
    assert back is not None
    if (told.piece, told.winner) != (back.piece, oracle.winner(after)):
        return False
    left = [
        sum(man.cell is not None for man in after.of(one)) for one in (board.mover, deed.player)
    ]
    if [*told.left] != left:
        return False
    if told.winner != deed.player or after.mover != deed.player:
        return (told.then, told.needs) == (None, None)
    best = oracle.keeping(after) if oracle.naive.numbers else oracle.best(after)[:1]
    struck = [
        one if one and one.act in ORDER else None
        for one in map(oracle.deed, [after] * len(best), best)
    ]
    if (told.then and seen_deed(told.then)) not in struck:
        return False
    if told.needs is None:
        return True
    own = oracle.need(after, deed.player)
    unstoppable = own is not None and oracle.reaches_goal(after, deed.player, own)
    first = oracle.is_race(after) or unstoppable
    return told.then is None and first and law_of_needs(oracle, after, told.needs)


def law_of_needs(oracle: ReasonOracle, board: Board, needs: Needs) -> bool:
    """Whether these are the needs, and they and whose turn it is give the winner and when."""
    seen = {player: oracle.need(board, player) for player in (1, 2)}
    if (needs.player1, needs.player2) != (seen[1], seen[2]):
        return False
    turns = [
        (2 * need - (player == board.mover), player)
        for player, need in seen.items()
        if need is not None
    ]
    if not turns:
        return oracle.worth(board) == (Fraction(0), Fraction(0), None)
    plies, winner = min(turns)
    return (oracle.winner(board), oracle.worth(board)[2]) == (winner, plies)


def law_of_forced_wins(asked: Asked, boards: list[Board]) -> None:
    """A win is forced if it takes as long as the proof says after the first move."""
    deed, turn = asked.reason.deed, asked.reason.turn
    proved = asked.oracle.winner(boards[1]), asked.oracle.worth(boards[1])[2]
    wins = deed.act in ENDS and turn > 0 and proved == (deed.side, turn)
    assert asked.reason.forced == wins


def law_of_threats(asked: Asked, me: int, boards: list[Board]) -> None:
    """Nobody has won or lost anything by it, and the loss is as large as is told."""
    oracle, deed = asked.oracle, asked.reason.deed
    assert not asked.is_mistake
    assert oracle.winner(asked.board) is None
    assert len(asked.line) == 2
    assert boards[1].mover == 3 - me
    law_of_deeds(asked, boards)
    assert seen_deed(deed) in oracle.harm(asked.board, asked.move)
    keeping = oracle.keeping(asked.board)
    assert asked.reason.avoidable == any(not oracle.harm(asked.board, one) for one in keeping)
    homes = {man.name: man.home for man in asked.board.men}
    sent = deed.victims if deed.act == "sends home" else ()
    assert not asked.reason.forced
    assert asked.reason.cells_lost == sum(abs(deed.cell - homes[one]) for one in sent)


def law_of_bad_battles(asked: Asked, me: int, boards: list[Board]) -> None:
    assert asked.is_mistake
    assert asked.line == [asked.move]
    assert asked.reason.deed.act == "battle"
    assert not asked.reason.forced
    law_of_deeds(asked, boards)


def law_of_gains(asked: Asked, me: int, boards: list[Board]) -> None:
    """It is done by the side to move; by a good move later only on the way to a forced win."""
    assert asked.reason.deed.side == me
    assert boards[-2].mover == me
    law_of_deeds(asked, boards)
    law_of_forced_wins(asked, boards)
    assert asked.line[0] in asked.oracle.keeping(asked.board)
    if len(asked.line) > 1 and not asked.is_mistake:
        assert asked.oracle.winner(asked.board) == me
    if asked.reason.deed.act == "battle" and not asked.is_mistake:
        assert asked.oracle.is_free_battle(boards[-2], asked.line[-1])


def law_of_escapes(asked: Asked, me: int, boards: list[Board]) -> None:
    oracle, board, deed = asked.oracle, asked.board, seen_deed(asked.reason.deed)
    enemy = 3 - me
    assert len(asked.line) == 1
    assert asked.reason.terms is None
    assert (asked.reason.sequel, asked.reason.forced) == (NO_SEQUEL, False)
    assert deed in [one for _, one in oracle.threats(board, enemy)]
    after = boards[1]
    assert after.won is None
    for _, one in oracle.threats(after, enemy):
        assert not one.is_like(deed)
        if not {one.act, deed.act} & set(QUIET):
            assert not set(one.victims) & set(deed.victims), "it would be struck all the same"
    others = [asked.move] if asked.move != asked.line[0] else oracle.moves(board)
    left = [
        oracle.play(board, move)
        for move in others
        if move != asked.line[0] and oracle.play(board, move).won is None
    ]
    assert any(
        one.is_like(deed)
        for later in left
        if later.mover == enemy and later.fight is None
        for _, one in oracle.threats(later, enemy)
    )


def law_of_new_guards(asked: Asked, me: int, boards: list[Board]) -> None:
    oracle, reason = asked.oracle, asked.reason
    assert len(asked.line) == 1
    stood, stands = (
        (reason.piece, reason.cell) in [(man.name, man.cell) for man in board.men]
        for board in boards
    )
    comes = stands and not stood
    assert comes or not oracle.guards(asked.board, reason.piece, reason.cell)
    assert oracle.guards(boards[1], reason.piece, reason.cell)
    law_of_guards_that_hold(asked, me, boards[1])
    if asked.line[0] == asked.move:
        threats = oracle.threats(asked.board, 3 - me)
        assert (reason.enemy, reason.cell) in [(one.piece, one.cell) for _, one in threats]
        assert reason.threat is None
        return
    after = oracle.play(asked.board, asked.move)
    assert after.mover == 3 - me
    replies = oracle.keeping(after) if oracle.naive.numbers else oracle.best(after)[:1]
    replies = [one for one in replies if oracle.landing(after, one) == (reason.enemy, reason.cell)]
    assert replies
    seen = [oracle.gravest_threat(oracle.play(after, one), reason.enemy) for one in replies]
    assert (reason.threat and seen_deed(reason.threat)) in seen


def law_of_guards_that_hold(asked: Asked, me: int, board: Board) -> None:
    """Striking the enemy that comes to the cell keeps the value, and is not struck back."""
    oracle, reason = asked.oracle, asked.reason
    if (reason.piece, reason.cell) in [(man.name, man.cell) for man in board.men]:
        return
    for coming in oracle.moves(board):
        landed, come = oracle.landing(board, coming), oracle.play(board, coming)
        if landed is None or landed[1] != reason.cell or come.won or come.mover != me:
            continue
        for move in oracle.moves(come):
            if oracle.landing(come, move) != (reason.piece, reason.cell):
                continue
            struck, deed = oracle.play(come, move), oracle.deed(come, move)
            assert deed is not None
            assert oracle.bounds(struck, me)[0] >= oracle.bounds(asked.board, me)[0]
            if struck.won is None and struck.mover != me:
                assert oracle.strike_back(struck, deed) is None


def law_of_races(asked: Asked, me: int, boards: list[Board]) -> None:
    """The needs and whose turn it is give the proved winner, and when he wins."""
    oracle, board, needs = asked.oracle, boards[-1], asked.reason.needs
    assert board.won is None
    assert board.fight is None
    meets = isinstance(asked.reason, Unstoppable)
    runner = asked.reason.runner if meets else None
    assert oracle.is_race(board) != meets
    if meets:
        winner = oracle.winner(board)
        assert winner is not None
        own = oracle.need(board, winner)
        assert own is not None
        assert oracle.reaches_goal(board, winner, own), "it can be stopped on the way"
    if runner is not None:
        assert meets
        [owner] = [man.owner for man in board.men if man.name == runner]
        assert owner == oracle.winner(board)
        assert oracle.naive.needs[owner] == 1
        assert oracle.has_passed_all(board, runner)
        assert oracle.need_alone(board, runner) == oracle.need(board, owner)
    assert asked.reason.first == board.mover
    assert law_of_needs(oracle, board, needs)
    good = asked.line[0] in oracle.keeping(asked.board)
    assert (oracle.winner(board) == me) == good


def law_of_leads(asked: Asked, me: int, boards: list[Board]) -> None:
    """Whoever needs fewer turns on an empty track is the proved winner."""
    oracle, board, needs = asked.oracle, boards[-1], asked.reason.needs
    assert asked.is_mistake
    assert len(asked.line) == 1
    assert asked.reason.first == board.mover
    one, two = (oracle.need_on_an_empty_track(board, player) for player in (1, 2))
    assert (needs.player1, needs.player2) == (one, two)
    assert one is not None
    assert two is not None
    assert (oracle.need(board, 1), oracle.need(board, 2)) == (one, two), "something is in the way"
    ahead = board.mover if one == two else 1 if one < two else 2
    assert oracle.winner(board) == ahead
    assert (ahead == me) == (asked.line[0] in oracle.keeping(asked.board))


def law_of_lost_turns(asked: Asked, me: int, boards: list[Board]) -> None:
    """The mistake leaves its player further from a goal than a move that keeps the value."""
    oracle, reason = asked.oracle, asked.reason
    assert asked.is_mistake
    assert asked.line == [asked.move]
    needs = [oracle.need_on_an_empty_track(boards[1], player) for player in (1, 2)]
    assert [reason.needs.player1, reason.needs.player2] == needs
    assert None not in needs
    assert str(reason.better) in oracle.keeping(asked.board)
    kept = oracle.need_on_an_empty_track(oracle.play(asked.board, str(reason.better)), me)
    assert reason.kept == kept
    assert kept is not None
    assert kept < (needs[me - 1] or 0)
    assert (needs[2 - me] or 0) <= (needs[me - 1] or 0), "it would still be ahead"
    better = oracle.play(asked.board, str(reason.better))
    real = oracle.need(boards[1], me), oracle.need(better, me)
    assert real == (needs[me - 1], kept), "something is in the way"


def law_of_answers(asked: Asked, board: Board) -> None:
    """Each move of the side without a good one is there, with what it runs into."""
    oracle = asked.oracle
    assert board.mover == asked.reason.side
    assert oracle.moves(board) != ["pass"]
    assert oracle.answers(board) == [
        (str(move), own and seen_deed(own), deed and seen_deed(deed), repeats, within)
        for move, own, deed, repeats, within in asked.reason.answers
    ]
    assert asked.reason.within == oracle.worth(board)[2]


def law_of_no_escapes(asked: Asked, me: int, boards: list[Board]) -> None:
    """After the best reply every move loses, and of each it is known by what."""
    assert asked.is_mistake
    assert asked.line[0] == asked.move
    assert len(asked.line) == 2
    assert boards[1].mover == 3 - me
    assert asked.reason.side == me
    assert asked.oracle.winner(boards[-1]) == 3 - me
    law_of_answers(asked, boards[-1])
    for _, _, deed, _, within in asked.oracle.answers(boards[-1]):
        assert within is not None
        assert deed is not None or within <= 5


def law_of_zugzwangs(asked: Asked, me: int, boards: list[Board]) -> None:
    """Whoever is in it has to move and would rather not."""
    oracle, board = asked.oracle, boards[-1]
    law_of_answers(asked, board)
    assert boards[-2].mover != board.mover
    assert oracle.is_zugzwang(board)
    deed = oracle.deed(boards[-2], asked.line[-1])
    assert asked.reason.to_spare == (deed is None or deed.act in QUIET)
    turned = oracle.turned(board, 3 - board.mover)
    assert (asked.reason.winner, asked.reason.turned) == (
        oracle.winner(board),
        oracle.winner(turned),
    )
    good = asked.line[0] in oracle.keeping(asked.board)
    assert asked.reason.side == (3 - me if good else me)


def law_of_waits(asked: Asked, me: int, boards: list[Board]) -> None:
    """Nobody can strike; whoever runs out of safe moves first loses, and the moves show it."""
    oracle, side, board = asked.oracle, asked.reason.side, boards[-1]
    assert len(asked.line) == 1
    for player in (1, 2):
        assert not [*oracle.threats(board, player)]
    assert oracle.runs_out_of_safe_moves(board) == side
    assert oracle.winner(board) == 3 - side
    good = asked.line[0] in oracle.keeping(asked.board)
    assert side == (3 - me if good else me)
    law_of_safe_moves_left(asked, board)
    for move in map(str, asked.reason.wait):
        assert move in oracle.safe_moves(board)
        assert board.mover == side or move in oracle.keeping(board)
        board = oracle.play(board, move)
    assert board.mover == side
    assert not oracle.safe_moves(board)


def law_of_safe_moves_left(asked: Asked, board: Board) -> None:
    """From some move of the wait on, each one costs its own side one safe move, and nothing else.

    So many each side has left then; they are told where that comes soon.
    """
    oracle, left, side = asked.oracle, asked.reason.spare, asked.reason.side
    rows, settled = [], 0
    for turn, move in enumerate([*map(str, asked.reason.wait), None]):
        rows.append({player: oracle.safe_moves_in_a_row(board, player) for player in (1, 2)})
        if turn:
            used = {player: rows[-2][player] - rows[-1][player] for player in (1, 2)}
            settled = settled if used == {3 - board.mover: 1, board.mover: 0} else turn
        board = board if move is None else oracle.play(board, move)
    assert rows[-1][side] == 0
    assert asked.reason.settled == settled
    told = None if left is None else {1: left.player1, 2: left.player2}
    assert told == (rows[settled] if settled <= 2 else None)


def law_of_distances(asked: Asked, me: int, boards: list[Board]) -> None:
    """Whoever has to move loses at that distance, wherever the pieces are."""
    oracle, board = asked.oracle, boards[-1]
    assert board.mover == asked.reason.side
    assert boards[-2].mover != board.mover
    [one], [two] = board.of(1), board.of(2)
    assert (one.cell or 0) + asked.reason.apart == (two.cell or 0)
    assert asked.reason.apart > 0
    assert oracle.loses_at_distance(asked.reason.apart)
    law_of_distances_left(asked, board)
    good = asked.line[0] in oracle.keeping(asked.board)
    assert asked.reason.side == (3 - me if good else me)


def law_of_distances_left(asked: Asked, board: Board) -> None:
    """After every move the other player can win at once or leave one of these distances."""
    oracle, told, left = asked.oracle, asked.reason.left, set()
    if not told:
        return
    for move in oracle.moves(board):
        after, reached = oracle.play(board, move), set()
        for reply in oracle.keeping(after):
            answered = oracle.play(after, reply)
            if answered.won is not None:
                reached.add(0)
                continue
            [one], [two] = answered.of(1), answered.of(2)
            apart = (two.cell or 0) - (one.cell or 0)
            if apart > 0 and oracle.loses_at_distance(apart):
                reached.add(apart)
        assert reached & {0, *told}
        left |= reached
    assert set(told) <= left


def law_of_only_safe_moves(asked: Asked, me: int, boards: list[Board]) -> None:
    oracle, reason = asked.oracle, asked.reason
    assert len(asked.line) == 1
    safe = []
    for move in oracle.moves(asked.board):
        after = oracle.play(asked.board, move)
        if after.fight is None and after.mover != me and not [*oracle.threats(after, 3 - me)]:
            safe.append(move)
    assert safe == asked.line
    [cell] = [man.cell for man in boards[1].men if man.name == reason.piece]
    assert cell == reason.cell
    assert asked.line[0].startswith(reason.piece)


def law_of_left_guards(asked: Asked, me: int, boards: list[Board]) -> None:
    oracle, reason = asked.oracle, asked.reason
    assert asked.is_mistake
    assert len(asked.line) == 2
    assert asked.line[0] == asked.move
    assert asked.move.startswith(reason.piece)
    assert boards[1].mover == 3 - me
    assert oracle.guards(asked.board, reason.piece, reason.cell)
    assert not oracle.guards(boards[1], reason.piece, reason.cell)
    landed = oracle.landing(boards[1], asked.line[1])
    assert landed is not None
    assert landed[1] == reason.cell


def law_of_later_deeds(asked: Asked, me: int, boards: list[Board]) -> None:
    """It is the other side's first lasting deed on the line of a mistake, or its first."""
    oracle, reason = asked.oracle, asked.reason
    assert asked.is_mistake
    assert asked.line[0] == asked.move
    assert reason.deed.side == 3 - me
    law_of_deeds(asked, boards)
    law_of_forced_wins(asked, boards)
    law_of_lasting_deeds(asked, boards)
    stepped_in = False
    if len(asked.line) > 2 and boards[-3].mover == me:
        landed = oracle.landing(boards[-3], asked.line[-2])
        stepped_in = landed is not None and landed in [
            (victim, reason.deed.cell) for victim in reason.deed.victims
        ]
    assert reason.stepped_in == stepped_in
    must = stepped_in and oracle.keeping(boards[-3]) == [asked.line[-2]]
    assert reason.must == must


def law_of_lasting_deeds(asked: Asked, boards: list[Board]) -> None:
    """No deed of that side before it lasts: each can be struck back, or strikes back itself."""
    oracle, side = asked.oracle, asked.reason.deed.side
    steps = list(zip(boards, asked.line, strict=False))
    before = [
        (turn, deed)
        for turn, (board, move) in enumerate(steps[:-1])
        if turn > 0 and board.mover == side
        for deed in [oracle.deed(board, move)]
        if deed is not None and deed.act != "blocks"
    ]
    if not before or asked.reason.turn <= before[0][0]:
        return
    for turn, deed in before:
        last, after = oracle.deed(*steps[turn - 1]), boards[turn + 1]
        answers = last is not None and last.act in STRIKES and last.cell == deed.cell
        answered = after.mover != side and oracle.strike_back(after, deed) is not None
        assert answers or answered


def law_of_last_resorts(asked: Asked, me: int, boards: list[Board]) -> None:
    oracle, board = asked.oracle, asked.board
    plies = {}
    for move in oracle.moves(board):
        after = oracle.play(board, move)
        assert oracle.winner(after) == 3 - me
        plies[move] = (oracle.worth(after)[2] or 0) + 1
    assert asked.line == [asked.move]
    assert asked.reason.turns == plies[asked.move] == max(plies.values())
    assert asked.reason.alone == (list(plies.values()).count(plies[asked.move]) == 1)


Law = Callable[[Asked, int, list[Board]], None]
LAWS: dict[type[Reason], Law] = {
    GivenUp: law_of_losses,
    Reply: law_of_replies,
    Threat: law_of_threats,
    BadBattle: law_of_bad_battles,
    Gain: law_of_gains,
    Escape: law_of_escapes,
    NewGuard: law_of_new_guards,
    Race: law_of_races,
    Unstoppable: law_of_races,
    Distance: law_of_distances,
    Ahead: law_of_leads,
    LostTurns: law_of_lost_turns,
    Zugzwang: law_of_zugzwangs,
    Waiting: law_of_waits,
    OnlySafe: law_of_only_safe_moves,
    LeftGuard: law_of_left_guards,
    NoEscape: law_of_no_escapes,
    Later: law_of_later_deeds,
    AllLose: law_of_last_resorts,
}


FACTS = (Reason, Beaten, Predictable, NumberMixture)
"""The facts that have their laws here; a reason by its kind."""


def seen_deed(deed: Deed) -> SeenDeed:
    act, side, piece, start, cell, victims = deed
    return SeenDeed(str(act), int(side), piece, start, cell, victims)


def worth(value: Value) -> Worth:
    return Fraction(value.low), Fraction(value.high), value.plies


def worth_of_terms(terms: Terms | None) -> tuple[Worth, ...] | None:
    return None if terms is None else tuple(worth(one) for one in terms)


def check_number(
    oracle: ReasonOracle,
    board: Board,
    mixtures: dict[int, dict[int, Fraction]],
    told: NumberReason | NumberMixture,
) -> None:
    """A number of a battle, against each number of the other side."""
    side = int(told.side)
    pairs = [pair.split(":") for pair in oracle.moves(board)]
    ones, twos = (list(dict.fromkeys(int(pair[at]) for pair in pairs)) for at in (0, 1))
    owns, others = (ones, twos) if side == 1 else (twos, ones)

    def after(own: int, other: int) -> Board:
        return oracle.play(board, f"{own}:{other}" if side == 1 else f"{other}:{own}")

    def middle(board: Board) -> Fraction:
        return sum(oracle.bounds(board, side), Fraction(0)) / 2

    mixture = mixtures[side]
    row = {own: {other: middle(after(own, other)) for other in others} for own in owns}
    if isinstance(told, NumberMixture):
        used = {own: chance for own, chance in mixture.items() if chance}
        assert len(told.numbers) + told.others == len(used)
        assert len(told.numbers) == min(3, len(used))
        left = set(used) - {one.number for one in told.numbers}
        for one in told.numbers:
            assert one.chance == used[one.number]
            assert all(used[other] <= one.chance for other in left)
            least = min(row[one.number].values())
            best = tuple(other for other in others if row[one.number][other] == least)
            assert one.beaten_by == (best if least < middle(board) else ())
        return
    assert row[told.number][told.answer] == min(row[told.number].values())
    expected = sum(
        (
            chance * oracle.bounds(after(told.number, other), side)[1]
            for other, chance in mixtures[3 - side].items()
        ),
        Fraction(0),
    )
    is_mistake = expected < oracle.bounds(board, side)[0]
    if isinstance(told, Predictable):
        assert told.price == middle(board) - row[told.number][told.answer]
        assert told.price > 0
        assert mixture[told.number] > 0
        assert not is_mistake
    else:
        assert is_mistake
        pair = (told.number, told.answer) if side == 1 else (told.answer, told.number)
        assert told.winner == oracle.naive._battle_winner(*pair)
        assert worth(told.after) == oracle.worth(after(told.number, told.answer))


# Games, and what is told about them


def oracle_of(solution: PlainSolution) -> ReasonOracle:
    """Without battles it solves the game itself; with battles values are proved before."""
    game = solution.game
    if game.rules.battle is None:
        return ReasonOracle(rulebook_data(game.rulebook), str(solution.start))
    check_certificate(read_certificate(write_certificate(solution)))

    def given(text: str) -> Worth:
        try:
            return worth(solution.value(read_position(game, text)))
        except (NotSolved, InvalidPosition, NotationError) as error:
            raise KeyError(text) from error

    return ReasonOracle(rulebook_data(game.rulebook), str(solution.start), given)


@cache
def shipped(address: str) -> tuple[PlainSolution, ReasonOracle]:
    solution = solution_of(address)
    return solution, oracle_of(solution)


def asked_about(
    solution: PlainSolution, oracle: ReasonOracle, position: Position
) -> Iterator[Asked]:
    """Every reason for every move of a position."""
    board = oracle.board(str(position))
    for move in solution.game.moves(position):
        for reason in reasons(solution, position, move):
            yield Asked(oracle, board, str(move), reason)


def open_positions(solution: PlainSolution, chance: Random, most: int) -> list[Position]:
    game = solution.game
    found = [one for one, _ in solution.items() if game.outcome(one) is None]
    return chance.sample(found, min(most, len(found)))


def numbers_told(
    solution: PlainSolution, position: Position
) -> Iterator[NumberReason | NumberMixture]:
    battle = solution.game.rules.battle
    assert battle is not None
    for side in Side:
        if mixture := mixture_reason(solution, position, side):
            yield mixture
        for number in range(1, battle.numbers + 1):
            yield from number_reasons(solution, position, side, number)


def all_checked(
    solution: PlainSolution, oracle: ReasonOracle, chance: Random, most: int
) -> Counter[type]:
    """Check every reason of some positions; how many there are of each kind."""
    seen: Counter[type] = Counter()
    for position in open_positions(solution, chance, most):
        if position.battle is not None:
            board = oracle.board(str(position))
            mixtures = {int(side): solution.mixture(position, side) for side in Side}
            for told in numbers_told(solution, position):
                check_number(oracle, board, mixtures, told)
                number_sentence(told, NAMES)
                seen[type(told)] += 1
            continue
        for asked in asked_about(solution, oracle, position):
            check(asked)
            seen[type(asked.reason)] += 1
            words = ReasonWords(
                game=solution.game,
                position=position,
                move=parse_move(asked.move),
                names=NAMES,
                tense=Tense.BEFORE,
            )
            assert words.sentence(asked.reason).count(".") >= 1
    return seen


# Lies


def lies(reason: Any) -> Iterator[Any]:
    """The same reason with one thing changed so that it is false."""
    for field in fields(reason):
        value = getattr(reason, field.name)
        # The next cell may be guarded as well; no cell so far away is.
        others: Iterable[Any] = [value + 1000] if field.name == "cell" else changed(value)
        if field.name == "wait":
            others = [value[:-1], (*value, value[-1])] if value else [(PASS,)]
        elif field.name == "left":
            others = [(*value, 1000)] if value else []
        for other in others:
            yield replace(reason, **{field.name: other})


def changed(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case Loss():
            yield from (loss for loss in Loss if loss is not value)
        case SafeMoves():
            yield value._replace(player1=value.player1 + 1)
            yield value._replace(player2=value.player2 + 1)
            yield None
        case Side():
            yield value.other
        case Deed():
            yield value._replace(cell=value.cell + 1)
            yield value._replace(start=value.start - 1)
            yield value._replace(side=value.side.other)
            yield value._replace(piece="Nobody")
            yield value._replace(victims=(*value.victims, "Nobody"))
            yield from (value._replace(act=act) for act in Act if act is not value.act)
        case Needs():
            yield value._replace(player1=(value.player1 or 0) + 1)
            yield value._replace(player2=(value.player2 or 0) + 1)
        case Terms(won, tied, lost, fight):
            yield Terms(lost, tied, won, fight)
            yield Terms(won, tied, lost, won if won != fight else lost)
        case Sequel():
            deed = Deed(Act.TAKES, Side.ONE, "Nobody", 1, 2)
            yield value._replace(again=(*value.again, deed))
            yield value._replace(back=StrikeBack("Nobody", None))
            yield value._replace(only=PASS)
            yield value._replace(within=(value.within or 0) + 1)
            yield value._replace(brief=not value.brief)
            if value.back is not None:
                own, other = value.back.left
                yield value._replace(back=value.back._replace(left=(own + 1, other)))
        case (OwnAnswer(), *_):
            yield value[1:]
            first = value[0]
            yield (first._replace(repeats=not first.repeats), *value[1:])
            deed = Deed(Act.TAKES, Side.ONE, "Nobody", 1, 2)
            yield (first._replace(own=deed), *value[1:])
            yield (first._replace(deed=deed), *value[1:])
        case int():
            yield value + 1
        case str():
            yield "Nobody"


def is_found(asked: Asked) -> bool:
    try:
        check(asked)
    except (AssertionError, KeyError, ValueError):
        return True
    return False


# The tests


@tried(40, 1_000)
@pytest.mark.parametrize("address", ALL_GAMES)
def test_every_reason_in_a_shipped_game_is_true(address: str, times: int) -> None:
    solution, oracle = shipped(address)
    all_checked(solution, oracle, Random(address), times)


@settings(max_examples=60)
@given(rulebook=rulebooks())
def test_every_reason_in_a_random_game_is_true(rulebook: Rulebook) -> None:
    game = Game(rulebook)
    try:
        solution = solve_plainly(explore_by_engine(game, game.start(), MOST))
    except TooLarge:
        reject()
    all_checked(solution, oracle_of(solution), Random(1), 30)


@pytest.mark.parametrize("address", ["cross-over", "ctf-soldiers", "ctf-tokens", "flag-chase"])
def test_planted_lies_are_found(address: str) -> None:
    solution, oracle = shipped(address)
    for position in open_positions(solution, Random(address), 30):
        if position.battle is not None:
            continue
        for asked in asked_about(solution, oracle, position):
            for lie in lies(asked.reason):
                assert is_found(replace(asked, reason=lie)), f"not found in {position}: {lie}"


@pytest.mark.parametrize("address", ALL_GAMES)
def test_at_most_two_reasons_are_given_the_earliest_first(address: str) -> None:
    """Among reasons of one turn the kinds have their order."""
    solution, _ = shipped(address)
    order: dict[type[Reason], int] = {
        kind: at for at, kinds in enumerate(KINDS_IN_ORDER) for kind in kinds
    }
    for position in open_positions(solution, Random(address), 40):
        for move in solution.game.moves(position):
            found = reasons(solution, position, move)
            places = [(max(one.turn, 1), order[type(one)]) for one in found]
            assert places == sorted(places)
            assert len(found) <= 2


def told(address: str, position: str, move: str) -> str:
    solution, _ = shipped(address)
    at, step = read_position(solution.game, position), parse_move(move)
    words = ReasonWords(game=solution.game, position=at, move=step, names=NAMES, tense=Tense.BEFORE)
    return words.sentences(reasons(solution, at, step))


RENDERINGS: dict[type, tuple[str, str, str, str]] = {
    Reply: ("cross-over", "0,3,4/8,9,7/1", "P1-C+2", "P2-A takes P1-C on 6 next turn."),
    Threat: (
        "ctf-soldiers",
        "4,0/7,10/1",
        "S1+2",
        "S3 can send S1 home from 6 next turn: 6 cells lost.",
    ),
    Gain: (
        "flag-chase",
        "4/5/1",
        "P1-1",
        "P1 could attack P2 on 5 instead; if you win the battle, you win the game, "
        "otherwise the game is even.",
    ),
    Escape: ("ctf-soldiers", "0,2/3,7/1", "S2+2", "It saves S2 from S3."),
    NewGuard: (
        "blockade-duel:from-bases",
        "2/6/1",
        "P1+1",
        "P1 2→4 would keep P2 out of 4. You cannot stop the computer: the computer needs "
        "3 turns to reach a goal, you 4.",
    ),
    Race: (
        "blockade-duel",
        "6/3/1",
        "P1+1",
        "The race is lost: both sides need 2 turns to reach a goal, and the computer moves next. "
        "After P1 6→8 you would win the race: 1 turn to reach a goal against 2.",
    ),
    Distance: (
        "ctf-tokens",
        "-5/5/1",
        "P1+3",
        "P2 +5→+2 leaves P1 and P2 4 cells apart with you to move: at that distance, the side "
        "that has to move loses, since any move comes within reach of the other piece, which "
        "wins. P1 -5→-3 would leave P1 and P2 8 cells apart with the computer to move.",
    ),
    Zugzwang: (
        "cross-over:no-jump",
        "2,3,4/6,7,9/2",
        "P2-C+1",
        "It leaves you without a good move: after P1-C 4→5, P2-A takes P1-C on 5; after P1-C 4→6 "
        "(which takes P2-A), P2-B takes P1-C on 6.",
    ),
    Waiting: (
        "cross-over:own-may-share",
        "0,3,2/9,9,7/1",
        "P1-A+2",
        "Nobody can strike yet, but if both make only safe moves, you run out of them first, five "
        "turns later; then the computer can take a piece whatever you play.",
    ),
    OnlySafe: (
        "cross-over",
        "1,3,5/9,x,x/2",
        "P2-A+1",
        "It is the only safe move: after any other move you can strike at once.",
    ),
    LeftGuard: (
        "cross-over",
        "0,3,4/6,7,8/1",
        "P1-B+2",
        "P1-B no longer guards 4, and P2-A goes there next turn. You cannot stop the computer: "
        "both sides need 2 turns to reach a goal, and the computer moves next.",
    ),
    Later: (
        "ctf-soldiers",
        "7,7/6,10/1",
        "S2+2",
        "S4 sends S2 home from 9 next turn; S1 can send S4 home from there. With best play S4 "
        "sends S1 home from 8, three turns later (S4 10→9 sending S2 home, S1 7→8).",
    ),
    AllLose: (
        "ctf-soldiers",
        "6,9/8,8/2",
        "S3+1",
        "Every move loses; this one lasts as long as any, 2 turns.",
    ),
}
"""One sentence of each kind that the shipped games have, or two sentences with one of it."""


@pytest.mark.parametrize("kind", RENDERINGS, ids=lambda kind: kind.__name__)
def test_a_reason_reads_as_it_should(kind: type[Reason]) -> None:
    address, position, move, sentence = RENDERINGS[kind]
    solution, _ = shipped(address)
    found = reasons(solution, read_position(solution.game, position), parse_move(move))
    assert kind in map(type, found)
    assert told(address, position, move) == sentence


@pytest.mark.parametrize(
    ("address", "position", "move", "sentence"),
    [
        (
            "cross-over",
            "0,3,4/6,7,9/1",
            "P1-C+2",
            "P1-C takes P2-A on 6, but P2-B takes P1-C on 6 next turn. P2-B 7→6 leaves you without "
            "a good move: after P1-B 3→4 or P1-B 3→5, P2-B takes it there; every other move "
            "loses as well.",
        ),
        (
            "cross-over",
            "1,3,4/6,7,10/2",
            "P2-A+1",
            "P1-B takes P2-A on 5 next turn; P2-B can take back there, but then you get to a goal "
            "first: both sides need 2 turns to reach a goal, and you move next.",
        ),
        (
            "cross-over",
            "2,4,5/7,10,x/1",
            "P1-C+2",
            "P1-C takes P2-A on 7; whatever the computer plays then, you win the turn after.",
        ),
        (
            "cross-over",
            "4,x,x/5,9,x/1",
            "P1-A+1",
            "P1-A could go to 6 instead: then nothing can stop you from winning with the next "
            "move. After it, P2-B 9→8 leaves you without a good move: whatever you play, "
            "P2-B takes P1-A and wins.",
        ),
        (
            "cross-over:no-jump",
            "2,x,x/5,10,x/2",
            "P2-B+1",
            "It leaves you without a safe move: the computer can take the last piece and win "
            "whatever you play.",
        ),
        (
            "cross-over:no-jump",
            "0,2,x/8,6,x/1",
            "P1-A+1",
            "P2-B 6→5 leaves you without a good move: after P1-B 2→3 or P1-B 2→4, P2-B takes it "
            "there. P1-B 2→3 would guard 5, where P2-B goes now: P1-B could take it there.",
        ),
        (
            "cross-over",
            "0,2,x/5,8,10/2",
            "P2-B+1",
            "Nobody can strike yet, but if both make only safe moves, you run out of them first "
            "(1 left against 4, and you move next); then the computer can take a piece whatever "
            "you play.",
        ),
        (
            "cross-over",
            "1,x,x/5,9,x/2",
            "P2-B+1",
            "Nobody can strike yet, but if both make only safe moves, you run out of them first "
            "(none left against 2 after P1-A 1→2, with the computer to move); then the computer "
            "can take the last piece and win whatever you play.",
        ),
        (
            "cross-over",
            "0,1,5/8,9,6/1",
            "P1-B+1",
            "P2-C takes P1-C on 5 next turn. P1-B 1→3 would guard P1-C on 5: P1-B could take back.",
        ),
        (
            "ctf-soldiers",
            "0,6/4,4/2",
            "S3+1",
            "S2 is past every enemy piece, so nothing can stop it: both sides need 2 turns to "
            "reach a goal, and you move next.",
        ),
        (
            "blockade-duel:from-bases",
            "4/7/2",
            "P2+1",
            "It leaves you without a good move: your only move is P1 4→5, and then the computer "
            "wins within five turns.",
        ),
    ],
)
def test_a_reason_says_what_comes_of_it(
    address: str, position: str, move: str, sentence: str
) -> None:
    """A trade with both of its captures, and what decides."""
    assert told(address, position, move) == sentence


def test_an_extra_move_is_told_with_what_earned_it() -> None:
    game = Game(apply_changes(find_rulebook("cross-over"), {"move": {"again": "capture"}}))
    position, move = read_position(game, "0,x,4/10,6,x/1"), parse_move("P1-A+1")
    solution = solve_plainly(explore_by_engine(game, position, 20_000))
    words = ReasonWords(game=game, position=position, move=move, names=NAMES)
    assert words.sentences(reasons(solution, position, move)) == (
        "P2-B takes P1-C on 4 next turn, and with an extra move P2-B reaches 2 and wins. "
        "P1-C should have taken P2-B on 6 first, and with an extra move P1-C would have reached 8 "
        "and won."
    )


def test_every_kind_of_reason_has_a_law_and_a_place() -> None:
    """A new kind of reason does not come in without a law."""
    made = {
        name
        for name, one in vars(reason_facts).items()
        if isinstance(one, type) and issubclass(one, Reason) and hasattr(one, "kind")
    }
    assert made == {one.__name__ for one in LAWS}
    assert set(LAWS) == {one for kinds in KINDS_IN_ORDER for one in kinds}
    assert {one.kind for one in LAWS} == set(ReasonKind)


# What people read


def typed_in(program: Program, game: str, position: str, *typed: str) -> str:
    options = ("--plain", "--position", position, "--p2", "level:3", "--seed", "1", "--coach")
    lines = "".join(f"{one}\n" for one in (*typed, "quit"))
    return " ".join(program("play", game, *options, typed=lines).out.split())


def test_the_coach_says_why_a_move_is_a_mistake(program: Program) -> None:
    """Before it is played, and without naming the better move if there is something else to say."""
    told_by_coach = typed_in(program, "cross-over", "0,3,4/8,9,7/1", "5", "no")
    why = "it turns a win in 11 into a loss in 10. P2-A takes P1-C on 6 next turn. Play it anyway?"
    assert f"P1-C 4→6 is a mistake: {why}" in told_by_coach


def test_in_a_game_that_never_ends_the_coach_states_what_would_be_lost(program: Program) -> None:
    """A fact, which is not called a mistake."""
    told_by_coach = typed_in(program, "ctf-soldiers", "4,0/7,10/1", "S1 2", "no")
    assert (
        "S3 can send S1 home from 6 next turn: 6 cells lost. Play it anyway? (yes/no):"
        in told_by_coach
    )
    assert "mistake" not in told_by_coach


def test_the_coach_says_what_else_could_be_done(program: Program) -> None:
    """A battle that can be won and not be lost."""
    told_by_coach = typed_in(program, "flag-chase", "4/5/1", "2", "no")
    assert "P1 could attack P2 on 5 instead; if you win the battle, you win" in told_by_coach


def test_a_hint_comes_in_three_stages(program: Program) -> None:
    """Where to look, the reason, the move; after another move it starts again."""
    told_by_hint = typed_in(program, "cross-over", "0,3,4/8,9,7/1", "hint", "hint", "hint", "hint")
    stages = [
        "Look at P1-C on 4 and P2-C on 7. Type hint again for the reason.",
        "With best play P2-C takes P1-B on 5 and P1-C takes back, two turns later (P2-C 7→5 "
        "taking P1-B). Type hint again for the move.",
        "P1-B 3→5: it wins in 11 turns.",
        "P1-B 3→5: it wins in 11 turns.",
    ]
    places = [told_by_hint.find(stage) for stage in stages[:3]]
    assert -1 not in places
    assert places == sorted(places)
    assert told_by_hint.count(stages[-1]) == 2
    again = typed_in(program, "cross-over", "0,3,4/8,9,7/1", "hint", "3", "hint")
    assert again.count("Type hint again for the reason.") == 2


def test_a_hint_says_what_the_best_move_avoids(program: Program) -> None:
    """Where no move changes the value, and the best one does nothing but keep out of reach."""
    told_by_hint = typed_in(program, "ctf-soldiers", "4,0/7,10/1", "hint", "hint", "hint")
    stages = [
        "Look at S3 on 7 and S1 on 4. Type hint again for the reason.",
        "The best move leaves nothing in reach: after S1 4→6, S3 can send S1 home from 6 next "
        "turn: 6 cells lost. Type hint again for the move.",
        "S2 0→2: nobody can force a win",
    ]
    assert all(stage in told_by_hint for stage in stages)


def test_nothing_is_in_reach_after_a_best_move_that_is_said_to_avoid_it() -> None:
    solution, oracle = shipped("ctf-soldiers")
    adviser = Adviser(solution.game, lambda: solution)
    seen = 0
    for position in open_positions(solution, Random(5), 60):
        stages = hint_stages(adviser, position, position.side, NAMES)
        if any("leaves nothing in reach" in stage.text for stage in stages):
            seen += 1
            best = adviser.line(position, 1)[0]
            assert not oracle.harm(oracle.board(str(position)), str(best))
    assert seen


def test_a_hint_in_a_battle_says_what_each_number_is_beaten_by(program: Program) -> None:
    said = program(
        *("play", "flag-chase", "--set", "battle.wins=undercut", "--position", "3/3/1*"),
        typed="hint\nquit\n",
    )
    assert (
        "5 with 33.3% (1/3). 3 is answered by 2 or 5, 4 by 3 and 5 by 4, so keep player 2 guessing."
        in " ".join(said.out.split())
    )


def test_a_review_gives_the_reason_in_text_and_json(program: Program) -> None:
    """The same facts and sentences."""
    typed_moves = "5\nsave n.duel\nquit\n"
    program(
        *("play", "cross-over", "--plain", "--position", "0,3,4/8,9,7/1", "--p2", "human"),
        typed=typed_moves,
    )
    assert "P2-A takes P1-C on 6 next turn." in " ".join(program("review", "n.duel").out.split())
    [judged] = json.loads(program("review", "n.duel", "--json").out)["moves"]
    first = judged["reasons"][0]
    assert (first["kind"], first["turn"], first["line"]) == ("reply", 1, ["P1-C+2", "P2-A+2"])
    assert first["sentence"] == "P2-A takes P1-C on 6 next turn."
    assert (first["pieces"], first["cells"]) == (["P2-A", "P1-C"], [8, 6])
    assert first["deed"]["act"] == "takes"
