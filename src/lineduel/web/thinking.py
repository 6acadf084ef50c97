"""Programs that play in live games; they think in worker processes.

A move that is found quickly is never kept waiting by solving: other processes solve. A program that
turns out to be slow moves where games are solved.
"""

import pickle
import time
from collections import OrderedDict
from collections.abc import Callable
from random import Random
from secrets import randbits
from typing import NamedTuple

from lineduel.engine import Game, Move, Position
from lineduel.errors import TimeLimit, UnknownPlayer
from lineduel.players import (
    ENGINE_PREFIX,
    HUMAN,
    LEVELS_LISTED,
    PERFECT,
    SEARCH,
    Player,
    check_player_name,
    searches,
    seat_player,
    solution_for_perfect,
)
from lineduel.record import parse_move, read_position
from lineduel.rulebooks import SHIPPED
from lineduel.rules import Side
from lineduel.solve import Solution, solve
from lineduel.web.bounded_cache import BoundedCache
from lineduel.web.rulebook_shelf import RulebookText, cache_for, shipped_text, stored_rulebook
from lineduel.web.work_queue import WorkQueue

SECONDS_TO_MOVE = 20.0
"""A program that takes longer forfeits its game."""
SECONDS_TO_BEGIN = 30.0
"""How long a program may take to get ready, such as to solve the game."""
QUICK_SECONDS = 4.0
"""A program that takes longer for a move counts as slow from then on."""
_SLOW_AT_FIRST = 1.0
"""The same in seconds of a processor, for the first move, while it gets ready."""
MOST_BYTES_OF_SOLUTIONS = 128 << 20
"""Bytes of all solutions together that are kept for perfect players."""
_LARGEST_SOLUTION = MOST_BYTES_OF_SOLUTIONS // 4
_MOST_PLAYERS = 20
"""Players that a worker keeps."""


class Thinkers:
    """Asks programs for their choices: quick ones of some workers, slow ones of others."""

    def __init__(self, movers: WorkQueue, solvers: WorkQueue) -> None:
        self._movers, self._solvers = movers, solvers
        self._solutions: BoundedCache[bytes] = BoundedCache(MOST_BYTES_OF_SOLUTIONS)
        self._slow: BoundedCache[bool] = BoundedCache(1 << 20)

    async def get_ready(self, rulebook: RulebookText, seat: str, start: str, address: str) -> None:
        """Prepare a program to play by that rulebook; raises if it cannot."""
        if seat == PERFECT:
            await self._have_solved(rulebook, start, SECONDS_TO_BEGIN, address)
            return
        queue = self._movers if _is_quick(rulebook, seat) else self._solvers
        took = await queue.run(
            _get_ready, rulebook, seat, start, seconds=SECONDS_TO_BEGIN, address=address
        )
        if took > _SLOW_AT_FIRST:
            self._note_slow(rulebook, seat)

    async def choose(
        self,
        rulebook: RulebookText,
        seat: str,
        start: str,
        position: str,
        side: Side,
        address: str,
    ) -> Move | int:
        """A program's move, or its number in a battle."""
        asked = _Question(rulebook, seat, start, position, int(side))
        if seat == PERFECT and not self._is_slow(rulebook, seat):
            await self._have_solved(rulebook, start, SECONDS_TO_MOVE, address, is_refusable=False)
        chosen = None
        if seat != SEARCH and not self._is_slow(rulebook, seat):
            try:
                chosen = await self._choose_quickly(asked, address)
            except TimeLimit:
                self._note_slow(rulebook, seat)
        if chosen is None:
            chosen = await self._solvers.run(
                _choose,
                asked,
                self._solutions.get((rulebook.key, start)),
                seconds=SECONDS_TO_MOVE,
                address=address,
                is_refusable=False,
            )
        return chosen if isinstance(chosen, int) else parse_move(chosen)

    async def is_better_than_even(
        self, rulebook: RulebookText, start: str, position: str, side: Side, address: str
    ) -> bool:
        """Whether a side can be sure to expect more than an even game."""
        await self._have_solved(rulebook, start, SECONDS_TO_MOVE, address, is_refusable=False)
        return await self._solvers.run(
            _is_better_than_even,
            _Question(rulebook, PERFECT, start, position, int(side)),
            self._solutions.get((rulebook.key, start)),
            seconds=SECONDS_TO_MOVE,
            address=address,
            is_refusable=False,
        )

    async def _choose_quickly(self, asked: "_Question", address: str) -> str | int | None:
        """The choice of a program that is ready; None if it cannot be."""
        for solution in (None, self._solutions.get((asked.rulebook.key, asked.start))):
            chosen = await self._movers.run(
                _choose_if_ready,
                asked,
                solution,
                seconds=QUICK_SECONDS,
                address=address,
                is_refusable=False,
            )
            if chosen is not None:
                return chosen
        return None

    async def _have_solved(
        self,
        rulebook: RulebookText,
        start: str,
        seconds: float,
        address: str,
        *,
        is_refusable: bool = True,
    ) -> None:
        """Keep the solution of a game for perfect players."""
        key = rulebook.key, start
        if self._solutions.get(key) is not None:
            return
        solution = await self._solvers.run(
            _solved, rulebook, start, seconds=seconds, address=address, is_refusable=is_refusable
        )
        if solution is None:
            self._note_slow(rulebook, PERFECT)
        else:
            self._solutions.put(key, solution, len(solution))

    def _is_slow(self, rulebook: RulebookText, seat: str) -> bool:
        return self._slow.get((rulebook.key, seat)) is not None

    def _note_slow(self, rulebook: RulebookText, seat: str) -> None:
        if not _is_quick(rulebook, seat):
            self._slow.put((rulebook.key, seat), True, 0)


def _is_quick(rulebook: RulebookText, seat: str) -> bool:
    """Whether a program never needs long: a level in a game that comes with the program."""
    return rulebook.id in SHIPPED and searches(seat)


def check_program(name: str) -> str:
    """A program that strangers may play against; it is never one that runs a command."""
    program = check_player_name(name)
    if program == HUMAN or program.startswith(ENGINE_PREFIX):
        raise UnknownPlayer(name, f"{LEVELS_LISTED}, perfect, fallible and search")
    return program


# In the workers


class _Question(NamedTuple):
    """Whose choice is asked for."""

    rulebook: RulebookText
    seat: str
    start: str
    position: str
    side: int


class _NotReady(Exception):
    """A player needs the solution of its game first."""


def get_ready_to_move() -> None:
    """Load what levels need to choose a move."""
    text = shipped_text("ctf-tokens", None)
    game = Game(stored_rulebook(text))
    start = game.start()
    _choose_if_ready(_Question(text, "level:3", str(start), str(start), int(start.side)), None)


def _get_ready(rulebook: RulebookText, seat: str, start: str) -> float:
    """How long a program takes to get ready."""
    began = time.process_time()
    _player(rulebook, seat, start, _solution)
    return time.process_time() - began


def _solved(rulebook: RulebookText, start: str) -> bytes | None:
    """The solution of a game, for another process; None if it is too large to be sent there."""
    game = Game(stored_rulebook(rulebook))
    begin = read_position(game, start)
    solution = solution_for_perfect(lambda: _solution(rulebook, game, begin), game, begin)
    content = pickle.dumps(solution)
    if len(content) <= _LARGEST_SOLUTION:
        return content
    _player(rulebook, PERFECT, start, lambda rulebook, game, begin: solution)  # kept here
    return None


def _choose(asked: _Question, solution: bytes | None) -> str | int:
    """The choice of a program; one that needs a solution that is not given works it out."""
    return _choice(asked, _solution if solution is None else lambda *_: _unpacked(solution))


def _choose_if_ready(asked: _Question, solution: bytes | None) -> str | int | None:
    """The choice of a program; None if it needs a solution and none is given."""
    try:
        return _choice(asked, lambda *_: _unpacked(solution))
    except _NotReady:
        return None


def _is_better_than_even(asked: _Question, solution: bytes | None) -> bool:
    game = Game(stored_rulebook(asked.rulebook))
    begin = read_position(game, asked.start)
    solved = _unpacked(solution) if solution else _solution(asked.rulebook, game, begin)
    return solved.value(read_position(game, asked.position)).sure(Side(asked.side)) > 0


def _unpacked(solution: bytes | None) -> Solution:
    if solution is None:
        raise _NotReady
    unpacked: Solution = pickle.loads(solution)  # it comes from another process of this server
    return unpacked


_Solve = Callable[[RulebookText, Game, Position], Solution]


def _choice(asked: _Question, solved: _Solve) -> str | int:
    game, player = _player(asked.rulebook, asked.seat, asked.start, solved)
    where = read_position(game, asked.position)
    if where.battle is not None:
        return player.choose_number(where, Side(asked.side))
    return str(player.choose_move(where))


_players: OrderedDict[tuple[RulebookText, str, str], tuple[Game, Player]] = OrderedDict()
"""The latest players of this process."""


def _player(rulebook: RulebookText, seat: str, start: str, solved: _Solve) -> tuple[Game, Player]:
    known = _players.get((rulebook, seat, start))
    if known is None:
        game = Game(stored_rulebook(rulebook))
        begin = read_position(game, start)
        player = seat_player(
            check_program(seat),
            game,
            begin,
            solved=lambda: solved(rulebook, game, begin),
            rng=Random(randbits(128)),
        )
        known = _players[rulebook, seat, start] = game, player
        if len(_players) > _MOST_PLAYERS:
            _players.popitem(last=False)
    _players.move_to_end((rulebook, seat, start))
    return known


def _solution(rulebook: RulebookText, game: Game, begin: Position) -> Solution:
    return solve(game, begin, cache=cache_for(rulebook.id))
