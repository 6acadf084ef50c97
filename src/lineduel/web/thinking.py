"""Programs that play in live games; they think in worker processes."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from random import Random
from secrets import randbits
from typing import Any, TypeVar

from lineduel.engine import Game, Move
from lineduel.errors import UnknownPlayer
from lineduel.jobs import LimitedWorkers
from lineduel.players import ENGINE_PREFIX, HUMAN, Player, check_player_name, seat_player
from lineduel.record import parse_move, read_position
from lineduel.rules import Side
from lineduel.solve import Solution, solve
from lineduel.web.rulebook_shelf import RulebookText, cache_for, rulebook_of

SECONDS_TO_MOVE = 20.0
"""A program that takes longer forfeits its game."""
SECONDS_TO_BEGIN = 30.0
"""How long a program may take to get ready, such as to solve the game."""
_MOST_PLAYERS = 20
_Result = TypeVar("_Result")


class Thinkers:
    """Asks programs for their choices without ever making the event loop wait."""

    def __init__(self, workers: LimitedWorkers) -> None:
        self._workers = workers

    async def get_ready(self, rulebook: RulebookText, seat: str, start: str) -> None:
        """Prepare a program to play by that rulebook; raises if it cannot."""
        await self.run(_get_ready, rulebook, seat, start, seconds=SECONDS_TO_BEGIN)

    async def choose(
        self, rulebook: RulebookText, seat: str, start: str, position: str, side: Side
    ) -> Move | int:
        """A program's move, or its number in a battle."""
        chosen = await self.run(
            _choose, rulebook, seat, start, position, int(side), seconds=SECONDS_TO_MOVE
        )
        return chosen if isinstance(chosen, int) else parse_move(chosen)

    async def run(
        self, function: Callable[..., _Result], *arguments: object, seconds: float
    ) -> _Result:
        """Call a function in a worker process, and wait for its result."""
        result: _Result = await asyncio.get_running_loop().run_in_executor(
            self._workers.threads,
            lambda: self._workers.run(function, *arguments, seconds=seconds),
        )
        return result

    async def stream(self, function: Any, *arguments: object, seconds: float) -> AsyncIterator[Any]:
        """Call a function in a worker process: its messages, and then its result.

        The work stops when nobody listens any more.
        """
        loop, stop = asyncio.get_running_loop(), threading.Event()
        messages: asyncio.Queue[Any] = asyncio.Queue()
        result = loop.run_in_executor(
            self._workers.threads,
            lambda: self._workers.run(
                function,
                *arguments,
                seconds=seconds,
                listener=lambda message: loop.call_soon_threadsafe(messages.put_nowait, message),
                stop=stop,
            ),
        )
        result.add_done_callback(lambda _: messages.put_nowait(result))
        try:
            while (message := await messages.get()) is not result:
                yield message
            yield await result
        finally:
            stop.set()
            if not result.done():
                result.cancel()


def check_program(name: str) -> str:
    """A program that strangers may play against; it is never one that runs a command."""
    program = check_player_name(name)
    if program == HUMAN or program.startswith(ENGINE_PREFIX):
        raise UnknownPlayer(name, "level:1 to level:8, perfect, fallible and search")
    return program


def _get_ready(rulebook: RulebookText, seat: str, start: str) -> None:
    _player(rulebook, seat, start)


def _choose(rulebook: RulebookText, seat: str, start: str, position: str, side: int) -> str | int:
    """Runs in a worker."""
    game, player = _player(rulebook, seat, start)
    where = read_position(game, position)
    if where.battle is not None:
        return player.choose_number(where, Side(side))
    return str(player.choose_move(where))


@lru_cache(_MOST_PLAYERS)
def _player(rulebook: RulebookText, seat: str, start: str) -> tuple[Game, Player]:
    game = Game(rulebook_of(rulebook))
    begin = read_position(game, start)

    def solved() -> Solution:
        return solve(game, begin, cache=cache_for(rulebook.id))

    rng = Random(randbits(128))
    return game, seat_player(check_program(seat), game, begin, solved=solved, rng=rng)
