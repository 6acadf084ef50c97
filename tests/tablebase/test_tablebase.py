"""The compiled form of the rules says what the engine says, and its tables hold the truth."""

import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings, strategies as st

from lineduel.compiled import threads as compiled_threads
from lineduel.compiled.threads import Threads
from lineduel.engine import PASS, Game, Position, check_position
from lineduel.errors import InvalidPosition
from lineduel.rulebooks import find_rulebook
from lineduel.rules import (
    Again,
    Displacement,
    Edge,
    Meeting,
    Meetings,
    Movement,
    Piece,
    Rulebook,
    Rules,
    Side,
    Team,
    Track,
)
from lineduel.rules.vocabulary import Stuck
from lineduel.tablebase import (
    ENDLESS,
    LARGEST_PLIES,
    NO_POSITION,
    DenseSolution,
    Summary,
    Tables,
    TableValue,
    estimate,
    make_tables,
    retrograde_tables,
    solve_dense,
)
from lineduel.tablebase.ended import count_ended
from lineduel.tablebase.formations import SideRules, formations, most_formations
from lineduel.tablebase.verify import first_mistake, verify_rows
from oracles import bruteforce
from support.repetition import for_games
from support.strategies import ALL_GAMES, rulebooks

PEACEFUL = tuple(meeting for meeting in Meeting if meeting is not Meeting.BATTLE)

GAMES = tuple(game for game in ALL_GAMES if find_rulebook(game).rules.meet.enemy in PEACEFUL)
ONE_WAY = ("cross-over", "cross-over:own-may-share", "cross-over:no-jump", "blockade-duel")
"""Games in which nothing can repeat."""

LARGE = 3000
"""More positions than the plain solver is asked to solve for one random rulebook."""

peaceful = rulebooks().filter(lambda rulebook: rulebook.rules.meet.enemy in PEACEFUL)
random_games = settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


def starts(game: Game) -> list[Position]:
    return [game.start(side) for side in Side]


@cache
def explored(name: str) -> tuple[Game, bruteforce.Graph]:
    """A shipped game and all that play can reach in it, whoever begins."""
    game = Game(find_rulebook(name))
    return game, bruteforce.explore(game, starts(game))


def named(cells: range | list[int], prefix: str) -> tuple[Piece, ...]:
    return tuple(Piece(f"{prefix}{at}", cell) for at, cell in enumerate(cells))


def camps(last: int, pieces: int) -> Rules:
    """Cross Over, with a longer track and more pieces."""
    left, right = range(pieces), range(last, last - pieces, -1)
    return Rules(
        track=Track(first=0, last=last),
        player1=Team(pieces=named(left, "A"), goal=tuple(right)),
        player2=Team(pieces=named(right, "B"), goal=tuple(left)),
        movement=Movement(steps=(1, 2)),
        meet=Meetings(own=Meeting.BLOCKED, enemy=Meeting.CAPTURED),
    )


def soldiers(last: int, pieces: int) -> Rules:
    """Capture the Flag with soldiers, with a longer track and more of them."""
    return Rules(
        track=Track(first=0, last=last),
        player1=Team(pieces=named([0] * pieces, "A"), goal=(last,)),
        player2=Team(pieces=named([last] * pieces, "B"), goal=(0,)),
        movement=Movement(steps=(1, 2)),
        meet=Meetings(own=Meeting.SHARED, enemy=Meeting.SENT_HOME),
    )


def game_of(rules: Rules) -> Game:
    return Game(replace(find_rulebook("cross-over"), rules=rules))


def start_of(rules: Rules) -> Position:
    return Position(rules.player1.homes, rules.player2.homes, Side.ONE)


def results(tables: Tables, position: Position) -> set[Position | Side]:
    """Where the moves of an open position lead: to other positions, or to a win of a side."""
    side, numbers = position.side, tables.numbers(position)
    mine, theirs = numbers if side is Side.ONE else numbers[::-1]
    own, enemy = (tables.formations_of(one).moves for one in (side, side.other))
    found: set[Position | Side] = set()
    for move in range(int(own.start[mine]), int(own.start[mine + 1])):
        if own.bar[move] & enemy.occupied[theirs]:
            continue
        to, hit = int(own.to[move]), int(enemy.hit[own.land[move], theirs])
        if to == own.size or hit == enemy.size:
            found.add(side)
        else:
            bars = own.bar[own.start[to] : own.start[to + 1]]
            can_move = bool((bars & enemy.occupied[hit] == 0).any())
            keeps = own.again and hit != theirs and can_move
            pair = (to, hit) if side is Side.ONE else (hit, to)
            theirs_now = enemy.bar[enemy.start[hit] : enemy.start[hit + 1]]
            if enemy.loses and not keeps and not (theirs_now & own.occupied[to] == 0).any():
                found.add(side)
                continue
            found.add(tables.position(*pair, side if keeps else side.other))
    return found or {tables.position(*numbers, side.other)}


def assert_same_moves(
    game: Game, tables: Tables, position: Position, successors: set[Position] | None = None
) -> None:
    """The kernel knows who has won, or else leads to just the positions the engine leads to."""
    if successors is None:
        successors = bruteforce.successors(game, position)
    winner = game.outcome(position)
    assert tables.winner(position) is winner
    if winner is not None:
        return
    by_engine = {game.outcome(after) or after for after in successors}
    assert results(tables, position) == by_engine, position


def anywhere(tables: Tables, number: int, seed: int) -> list[Position]:
    """Some positions of the tables, whether play reaches them or not."""
    chance = random.Random(seed)
    rows, columns = tables.shape
    found = []
    for _ in range(number if rows > 1 and columns > 1 else 0):
        pair = chance.randrange(rows - 1), chance.randrange(columns - 1)
        position = tables.position(*pair, chance.choice(list(Side)))
        try:
            tables.numbers(position)
        except KeyError:
            continue
        found.append(position)
    return found


# The rules


@for_games("name", GAMES)
def test_shipped_games_have_the_engines_moves_everywhere(name: str) -> None:
    """From every position that play reaches the kernel leads where the engine leads."""
    game, found = explored(name)
    tables = make_tables(game.rules, game.start())
    for position, successors in found.items():
        assert_same_moves(game, tables, position, successors)
    for side in Side:
        side_rules = tables.formations_of(side).side_rules
        for cells in {position.cells(side) for position in found}:
            assert side_rules.cells(side_rules.stand(cells)) == cells


@random_games
@given(peaceful, st.integers(0, 1 << 16))
def test_random_games_have_the_engines_moves(rulebook: Rulebook, seed: int) -> None:
    """So it is for any rulebook, at positions that play reaches and at others."""
    game = Game(rulebook)
    assume(estimate(game.rules, game.start()).positions < 1 << 20)
    tables = make_tables(game.rules, game.start())
    chance, position = random.Random(seed), game.start()
    for _ in range(40):
        assert_same_moves(game, tables, bruteforce.canonical(game.rules, position))
        if game.outcome(position) is not None:
            break
        position = game.play(position, chance.choice(game.moves(position)))
    for position in anywhere(tables, 20, seed):
        assert_same_moves(game, tables, position)


# The values


@pytest.mark.parametrize("name", GAMES)
def test_shipped_games_are_solved(name: str) -> None:
    """Winner and plies of every position are those of the plain solver, by either way."""
    game, found = explored(name)
    solutions = [solve_dense(game.rules, game.start(), backward=way) for way in (False, True)]
    for position, value in bruteforce.solve(game, found).items():
        for solution in solutions:
            assert solution.lookup(position) == value, position


@pytest.mark.parametrize("steps", [(1, 2), (1, -1), (2, 0, -1)], ids=str)
@pytest.mark.parametrize("enemy", PEACEFUL)
def test_every_word_is_solved(enemy: Meeting, steps: tuple[int, ...]) -> None:
    """Two pieces against two with all that can be said about steps and own pieces."""
    displaces = enemy.consequences.displaces is not Displacement.NONE
    for own, edge, jump, again, stuck in product(
        (Meeting.SHARED, Meeting.BLOCKED), Edge, (True, False), Again, Stuck
    ):
        if again is not Again.NEVER and not displaces:
            continue
        rules = Rules(
            track=Track(first=-1, last=4),
            player1=Team(pieces=named([0, 1], "A"), goal=(4,)),
            player2=Team(pieces=named([3, 2], "B"), goal=(-1,)),
            movement=Movement(steps=steps, edge=edge, jump=jump, again=again),
            meet=Meetings(own=own, enemy=enemy),
            stuck=stuck,
        )
        game, solution = game_of(rules), solve_dense(rules, start_of(rules))
        asked = starts(game) + anywhere(solution.tables, 10, seed=1)
        for position, value in bruteforce.solve(game, bruteforce.explore(game, asked)).items():
            assert solution.lookup(position) == value, (rules, position)


@pytest.mark.parametrize("enemy", [Meeting.CAPTURED, Meeting.SENT_HOME])
@pytest.mark.parametrize("jump", [True, False])
def test_who_moves_again_has_not_won_though_the_enemy_could_not_move(
    enemy: Meeting, jump: bool
) -> None:
    """Only who is to move and stuck has lost."""
    for steps, own in product(((3, -2), (2, 3), (2,)), (Meeting.SHARED, Meeting.BLOCKED)):
        rules = Rules(
            track=Track(first=0, last=7),
            player1=Team(pieces=named([2, 4], "A"), goal=(7,)),
            player2=Team(pieces=named([5, 0], "B"), goal=(1,)),
            movement=Movement(steps=steps, jump=jump, again=Again.CAPTURE),
            meet=Meetings(own=own, enemy=enemy),
            stuck=Stuck.LOSES,
        )
        game, solution = game_of(rules), solve_dense(rules, start_of(rules), backward=True)
        found = bruteforce.explore(game, starts(game))
        for position, value in bruteforce.solve(game, found).items():
            assert solution.lookup(position) == value, (rules, position)


@random_games
@given(peaceful, st.integers(0, 1 << 16))
def test_random_games_are_solved(rulebook: Rulebook, seed: int) -> None:
    """So it is for any rulebook, at positions that play reaches and at others."""
    game = Game(rulebook)
    assume(game.outcome(game.start()) is None)  # else play reaches nothing
    assume(estimate(game.rules, game.start()).positions < 1 << 20)
    solution = solve_dense(game.rules, game.start())
    asked = starts(game) + anywhere(solution.tables, 5, seed)
    try:
        found = bruteforce.explore(game, asked, LARGE)
    except bruteforce.TooLarge:
        reject()
    for position, value in bruteforce.solve(game, found).items():
        assert solution.lookup(position) == value, position


@random_games
@given(peaceful, st.booleans(), st.lists(st.integers(1, 5), min_size=1, max_size=3, unique=True))
def test_both_solvers_agree_where_nothing_repeats(
    rulebook: Rulebook, backward: bool, steps: list[int]
) -> None:
    """One sweep and the way backward fill the same tables."""
    rules = rulebook.rules
    players = (rules.player1, rules.player2)
    one, two = (team._replace(steps=(), piece_steps=()) for team in players)
    enemy = Meeting.CAPTURED if rules.meet.enemy is Meeting.SENT_HOME else rules.meet.enemy
    rules = replace(
        rules,
        movement=Movement(
            steps=tuple(-step if backward else step for step in steps),
            edge=Edge.ILLEGAL,
            jump=rules.movement.jump,
            again=rules.movement.again,
        ),
        meet=Meetings(own=rules.meet.own, enemy=enemy),
        player1=one,
        player2=two,
    )
    forward = solve_dense(rules, start_of(rules))
    assert forward.tables.onward
    general = solve_dense(rules, start_of(rules), backward=True)
    assert np.array_equal(forward.plies1, general.plies1)
    assert np.array_equal(forward.plies2, general.plies2)
    assert forward.summary == general.summary


@pytest.mark.parametrize("name", ONE_WAY)
def test_the_one_way_games_are_swept(name: str) -> None:
    game = Game(find_rulebook(name))
    assert make_tables(game.rules, game.start()).onward


def test_a_game_that_can_repeat_is_not_swept() -> None:
    assert not make_tables(soldiers(10, 2), start_of(soldiers(10, 2))).onward


def test_many_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cutting the work into small pieces changes nothing, in a game where positions repeat."""
    rules = soldiers(7, 3)
    alone = solve_dense(rules, start_of(rules))
    monkeypatch.setattr(compiled_threads, "PIECE", 256)
    together = solve_dense(rules, start_of(rules))
    assert np.array_equal(alone.plies1, together.plies1)
    assert np.array_equal(alone.plies2, together.plies2)
    game = game_of(rules)
    for position, value in bruteforce.solve(game, bruteforce.explore(game, [game.start()])).items():
        assert together.lookup(position) == value, position


def test_a_large_game_is_solved() -> None:
    """Cross Over on 20 cells with six pieces a side: figures that must not drift."""
    rules = camps(19, 6)
    solution = solve_dense(rules, start_of(rules))
    assert solution.lookup(start_of(rules)) == (Side.ONE, 57)
    assert solution.summary.positions == 22_924_874 + 9_939_426  # open ones, and ended ones
    assert solution.summary.wins1 == solution.summary.wins2  # the mirror of each is there too
    assert (solution.summary.endless, solution.summary.longest) == (0, 64)


def test_too_many_plies_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that does not fit is an error, never a smaller number."""
    game = Game(find_rulebook("ctf-soldiers"))
    monkeypatch.setattr(retrograde_tables, "LARGEST_PLIES", 4)
    with pytest.raises(OverflowError, match="more than 4 plies"):
        solve_dense(game.rules, game.start())


# The check of a table

LOCKED = Rules(
    track=Track(first=0, last=3),
    player1=Team(pieces=named([1], "A"), goal=(3,)),
    player2=Team(pieces=named([2], "B"), goal=(0,)),
    movement=Movement(steps=(1,), jump=False),
    meet=Meetings(own=Meeting.BLOCKED, enemy=Meeting.BLOCKED),
)
"""Neither can ever move: both pass for ever."""
STILL = replace(LOCKED, movement=Movement(steps=(5,)))
"""There are no steps at all, so that there is one formation each."""
SHUT_IN = replace(
    LOCKED,
    track=Track(first=0, last=4),
    player1=Team(pieces=named([0], "A"), goal=(4,)),
    player2=Team(pieces=named([1, 4], "B"), goal=(0,)),
    movement=Movement(steps=(1, -1), jump=False),
)
"""Player 1 passes while player 2 keeps the door shut and walks up and down behind it."""


def mistake(solution: DenseSolution) -> tuple[int, int, Side] | None:
    with Threads(lambda _: None) as threads:
        return first_mistake(solution.tables, solution.plies1, solution.plies2, threads)


@pytest.mark.parametrize("side", Side)
def test_a_value_where_there_is_no_position_is_a_mistake(side: Side) -> None:
    """Whoever would be to move, and wherever it stands."""
    rules = camps(5, 2)
    solution = solve_dense(rules, start_of(rules))
    table = solution.plies1 if side is Side.ONE else solution.plies2
    assert mistake(solution) is None
    for row, column in np.argwhere(table[:-1, :-1] == NO_POSITION).tolist():
        table[row, column] = 1
        found = mistake(solution)
        assert found is not None
        assert found[:2] == (row, column)
        table[row, column] = NO_POSITION


@pytest.mark.parametrize("rules", [LOCKED, SHUT_IN], ids=["both pass", "one passes"])
def test_passes_that_go_on_for_ever_are_endless_and_nothing_else(rules: Rules) -> None:
    """A true table of them is accepted; any other number in its place is refused."""
    game, solution = game_of(rules), solve_dense(rules, start_of(rules))
    start = game.start()
    assert game.moves(start) == (PASS,)
    assert bruteforce.solve(game, bruteforce.explore(game, [start]))[start] == (None, None)
    pair = solution.tables.numbers(start)
    assert solution.plies1[pair] == ENDLESS
    assert mistake(solution) is None
    for false in (0, 1, 2, 3, 4, ENDLESS - 1, ENDLESS + 1, 0x8000, 0x8001, 0xFFFF):
        solution.plies1[pair] = false
        assert mistake(solution) is not None, false


@settings(random_games, max_examples=60)
@given(peaceful, st.integers(0, 1 << 16))
def test_true_tables_are_accepted_and_every_other_number_is_refused(
    rulebook: Rulebook, seed: int
) -> None:
    """At a place drawn by chance, the rows and columns of the end included."""
    rules = rulebook.rules
    assume(estimate(rules, start_of(rules)).positions < 1 << 16)
    solution, chance = solve_dense(rules, start_of(rules)), random.Random(seed)
    assert mistake(solution) is None
    for _ in range(10):
        table = chance.choice((solution.plies1, solution.plies2))
        at = tuple(map(chance.randrange, table.shape))
        right = int(table[at])
        table[at] = chance.choice((0, 1, 2, right ^ 1, right ^ 2, ENDLESS, 0xFFFF))
        assert (mistake(solution) is None) == (int(table[at]) == right)
        table[at] = right


def test_more_plies_than_can_be_written_are_not_taken_for_endless() -> None:
    """One ply more than the most is the number that means endless: such a table is refused."""
    tables = make_tables(STILL, start_of(STILL))
    two, found = tables.formations2.moves, np.full((1, 2), -1, np.int64)
    one = tables.formations1.moves._replace(  # with a move that leads back
        start=np.array([0, 1]),
        to=np.zeros(1, np.uint32),
        land=np.zeros(1, np.uint8),
        bar=np.zeros(1, np.uint64),
    )
    most, endless = (np.full((2, 2), plies, np.uint16) for plies in (LARGEST_PLIES, ENDLESS))
    verify_rows(0, 1, endless, most, one, two, found)
    assert found[0, 0] == 0  # all moves of player 1 lead to a win in the most plies
    found[:] = -1
    verify_rows(0, 1, most, endless, one, two, found)
    assert found[0, 1] == 0  # and so does player 2's pass


# What a solution tells


@for_games("name", GAMES)
def test_the_summary_counts_the_positions_that_the_rules_allow(name: str) -> None:
    """Open ones, reachable or not, and the ended ones that their moves lead to."""
    game = Game(find_rulebook(name))
    solution = solve_dense(game.rules, game.start())
    tables, (rows, columns) = solution.tables, solution.tables.shape
    values = []
    for row, column, side in product(range(rows - 1), range(columns - 1), Side):
        position = tables.position(row, column, side)
        if allowed(game.rules, position) and game.outcome(position) is None:
            values.append(solution.lookup(position))
        else:
            assert (solution.plies1, solution.plies2)[side is Side.TWO][row, column] == NO_POSITION
    with Threads(lambda _: None) as threads:
        values += [
            TableValue(side, 0) for side in Side for _ in range(count_ended(tables, side, threads))
        ]
    winners = Counter(value.winner for value in values)
    summary = solution.summary
    assert (summary.wins1, summary.wins2, summary.endless) == tuple(
        winners[winner] for winner in (Side.ONE, Side.TWO, None)
    )
    assert summary.positions == len(values)
    assert summary.longest == max(value.plies or 0 for value in values)


@settings(random_games, max_examples=60)
@given(peaceful)
def test_ended_positions_are_counted(rulebook: Rulebook) -> None:
    """Those that the engine's moves lead to from the open positions of the table, each once."""
    game = Game(rulebook)
    assume(estimate(game.rules, game.start()).positions < LARGE)
    assert_ended_positions(game)


@pytest.mark.parametrize("enemy", PEACEFUL)
@pytest.mark.parametrize("own", [Meeting.SHARED, Meeting.BLOCKED])
def test_ended_positions_are_counted_however_pieces_meet(own: Meeting, enemy: Meeting) -> None:
    """A piece never captures where its own side stands already, and shares a cell."""
    rules = replace(camps(5, 2), meet=Meetings(own=own, enemy=enemy))
    assert_ended_positions(Game(replace(find_rulebook("cross-over"), rules=rules)))


def assert_ended_positions(game: Game) -> None:
    solution = solve_dense(game.rules, game.start())
    if game.outcome(game.start()) is not None:  # a player who begins and is stuck may have lost
        assert solution.summary.positions == 1
        return
    going, ended, longest = 0, set(), 0
    for (row, column), side in product(np.ndindex(*solution.tables.shape), Side):
        if (solution.plies1, solution.plies2)[side is Side.TWO][row, column] != NO_POSITION:
            going += 1
            position = solution.tables.position(row, column, side)
            ended |= ended_after(game, position)
            longest = max(longest, solution.lookup(position).plies or 0)
    assert solution.summary.positions == going + len(ended)
    assert (solution.summary.longest or 0) == longest
    with Threads(lambda _: None) as threads:
        counted = {side: count_ended(solution.tables, side, threads) for side in Side}
    won = Counter(map(game.outcome, ended))
    assert counted == {side: won[side] for side in Side}


def ended_after(game: Game, position: Position) -> set[Position]:
    after = bruteforce.successors(game, position)
    return {one for one in after if game.outcome(one) is not None}


def test_nothing_is_forced_where_nobody_can_win() -> None:
    """Two who can only pass, and no position that is lost: there is no longest win."""
    assert solve_dense(STILL, start_of(STILL)).summary == Summary(0, 0, 2, None)


def allowed(rules: Rules, position: Position) -> bool:
    try:
        check_position(rules, position)
    except InvalidPosition:
        return False
    return True


def test_a_lookup_knows_what_is_over_and_refuses_what_it_has_not() -> None:
    game = Game(find_rulebook("cross-over"))
    solution = solve_dense(game.rules, game.start())
    over = Position((8, 1, 2), (10, 9, None), Side.TWO)
    gone = Position((3, 4, 5), (None, None, None), Side.TWO)
    assert solution.lookup(over) == solution.lookup(gone) == (Side.ONE, 0)
    for refused in (
        Position((0, 1, 7), (10, 9, 7), Side.ONE),  # enemies on one cell
        Position((0, 0, 2), (10, 9, 8), Side.ONE),  # own pieces on one cell
        Position((0, 1), (10, 9, 8), Side.ONE),
        Position((0, 1, 11), (10, 9, 8), Side.ONE),
        Position((0, 1, 2), (10, 9, 8), Side.ONE, battle=2),
    ):
        with pytest.raises(KeyError):
            solution.lookup(refused)


def test_like_pieces_may_change_places() -> None:
    game = Game(find_rulebook("cross-over"))
    solution = solve_dense(game.rules, game.start())
    position, swapped = Position((0, 3, 2), (10, 9, 8), Side.TWO), ((2, 0, 3), (8, 10, 9))
    assert solution.lookup(Position(*swapped, Side.TWO)) == solution.lookup(position)


def test_a_solution_can_be_written_and_read(tmp_path: Path) -> None:
    """The arrays and the summary are all there is to keep; memory-mapped ones do as well."""
    game = Game(find_rulebook("ctf-soldiers"))
    solution = solve_dense(game.rules, game.start())
    np.save(tmp_path / "1.npy", solution.plies1)
    np.save(tmp_path / "2.npy", solution.plies2)
    again = DenseSolution(
        make_tables(game.rules, game.start()),
        np.load(tmp_path / "1.npy", mmap_mode="r"),
        np.load(tmp_path / "2.npy", mmap_mode="r"),
        solution.summary,
    )
    for position in bruteforce.explore(game, [game.start()]):
        assert again.lookup(position) == solution.lookup(position)


def test_a_position_that_is_over_has_nothing_to_solve() -> None:
    game = Game(find_rulebook("cross-over"))
    over = Position((8, 1, 2), (10, 9, None), Side.TWO)
    solution = solve_dense(game.rules, over)
    assert solution.summary == Summary(wins1=1, wins2=0, endless=0, longest=None)
    assert solution.lookup(over) == (Side.ONE, 0)
    assert estimate(game.rules, over).positions == 0
    tokens, met = find_rulebook("ctf-tokens").rules, Position((0,), (0,), Side.ONE)
    assert solve_dense(tokens, met).summary == Summary(wins1=0, wins2=1, endless=0, longest=None)
    assert estimate(tokens, met).pairs == make_tables(tokens, met).shape[0] == 1


def test_battles_are_refused() -> None:
    rules = find_rulebook("flag-chase").rules
    for refuse in (estimate, make_tables, solve_dense):
        with pytest.raises(ValueError, match="battles"):
            refuse(rules, start_of(rules))


# Before and while it is solved


@random_games
@given(peaceful)
def test_an_estimate_is_the_size_of_the_table_or_more(rulebook: Rulebook) -> None:
    rules = rulebook.rules
    for side in Side:
        side_rules, cells = SideRules(rules, side), start_of(rules).cells(side)
        assert len(formations(side_rules, cells)) <= most_formations(side_rules, cells)
    guess = estimate(rules, start_of(rules))
    rows, columns = make_tables(rules, start_of(rules)).shape
    assert guess.exact
    assert guess.positions == 2 * (rows - 1) * (columns - 1)
    assert guess.bytes >= 2 * guess.positions


@pytest.mark.parametrize("steps", [(1,), (1, 2), (1, -1), (1, 0), (2, 1, -3)])
def test_positions_that_come_back_take_twice_the_memory(steps: tuple[int, ...]) -> None:
    """Two bytes for either side to move, and as much again to go backward from the ends."""
    rules = replace(camps(9, 2), movement=Movement(steps=steps))
    guess = estimate(rules, start_of(rules))
    onward = all(step > 0 for step in steps)
    assert guess.bytes - guess.lists == guess.pairs * (4 if onward else 8)


@pytest.mark.parametrize("enemy", PEACEFUL)
@pytest.mark.parametrize("own", [Meeting.SHARED, Meeting.BLOCKED])
def test_the_largest_rulebooks_are_estimated_at_once(own: Meeting, enemy: Meeting) -> None:
    """64 cells, eight pieces a side and eight steps: far too much, and said so in a moment."""
    rules = replace(
        camps(63, 8),
        movement=Movement(steps=(1, 2, 3, -1, -2, 5, 7, 0), jump=False),
        meet=Meetings(own=own, enemy=enemy),
    )
    begun = time.process_time()
    guess = estimate(rules, start_of(rules))
    assert time.process_time() - begun < 2  # some tenths of a second on a free machine
    assert not guess.exact
    assert guess.bytes > guess.positions > 10**15


def test_progress_goes_from_nothing_to_everything() -> None:
    for rules in (camps(15, 5), soldiers(14, 3)):
        heard: list[float] = []
        solve_dense(rules, start_of(rules), heard.append)
        assert heard == sorted(heard)
        assert (heard[0], heard[-1]) == (0.0, 1.0)
        assert len(heard) > 10


def test_an_interrupt_is_heard_between_two_pieces() -> None:
    rules = camps(19, 6)
    heard: list[float] = []

    def interrupted(share: float) -> None:
        heard.append(share)
        if share > 0.01:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_dense(rules, start_of(rules), interrupted)
    assert heard[-1] < 0.1


@pytest.mark.parametrize(
    ("module", "absent"),
    [("lineduel.cli.main", {"numpy", "numba"}), ("lineduel.tablebase", {"numba"})],
)
def test_nothing_heavy_is_imported_before_it_is_needed(module: str, absent: set[str]) -> None:
    """Estimates and lookups do without the compiler, and all else without NumPy too."""
    program = f"import sys, {module}; print(*{absent!r} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, ""), run.stderr
