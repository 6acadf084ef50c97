"""Programs that play: quick moves and solving have queues of their own."""

from collections.abc import Callable
from typing import Any

import pytest

from lineduel.engine import Game
from lineduel.errors import TimeLimit
from lineduel.record import read_position
from lineduel.rules import Side
from lineduel.web import thinking
from lineduel.web.rulebook_shelf import RulebookText, shipped_text, stored_rulebook
from lineduel.web.thinking import Thinkers
from web.test_rulebook_shelf import RULES

OWN = RulebookText("own", RULES, "")
START = "0/6/1"
HERE = "10.0.0.1"


class Queue:
    """Works in this process, and notes what it was asked for; it can be slow."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_slow = False

    async def run(self, function: Callable[..., Any], *arguments: object, **options: Any) -> Any:
        assert options["address"] == HERE
        self.asked.append(function.__name__)
        if self.is_slow:
            raise TimeLimit("This took longer than a moment, so it was stopped.")
        return function(*arguments)


@pytest.fixture
def queues(monkeypatch: pytest.MonkeyPatch) -> tuple[Queue, Queue]:
    """Of movers and of solvers, who keep no players yet."""
    monkeypatch.setattr(thinking, "_players", type(thinking._players)())
    return Queue(), Queue()


def thinkers_of(queues: tuple[Queue, Queue]) -> Thinkers:
    return Thinkers(*queues)  # type: ignore[arg-type]


async def choose(thinkers: Thinkers, seat: str, text: RulebookText = OWN) -> object:
    start = str(Game(stored_rulebook(text)).start())
    return await thinkers.choose(text, seat, start, start, Side.ONE, HERE)


async def test_a_level_never_asks_a_solver_in_a_game_of_the_program(
    queues: tuple[Queue, Queue],
) -> None:
    movers, solvers = queues
    thinkers, text = thinkers_of(queues), shipped_text("cross-over", None)
    start = str(Game(stored_rulebook(text)).start())
    await thinkers.get_ready(text, "level:3", start, HERE)
    await choose(thinkers, "level:3", text)
    assert (movers.asked, solvers.asked) == (["_get_ready", "_choose_if_ready"], [])


async def test_a_solved_game_is_played_without_solvers(queues: tuple[Queue, Queue]) -> None:
    """The solution goes to whoever moves, once."""
    movers, solvers = queues
    thinkers = thinkers_of(queues)
    await thinkers.get_ready(OWN, "perfect", START, HERE)
    assert solvers.asked == ["_solved"]
    solvers.is_slow = True
    for _ in range(3):
        await choose(thinkers, "perfect")
    assert movers.asked == ["_choose_if_ready"] * 4
    assert solvers.asked == ["_solved"]


async def test_a_solution_that_is_lost_is_worked_out_again(queues: tuple[Queue, Queue]) -> None:
    """As after the server was started again."""
    movers, solvers = queues
    await choose(thinkers_of(queues), "perfect")
    assert (solvers.asked, movers.asked) == (["_solved"], ["_choose_if_ready"] * 2)


async def test_a_program_that_is_slow_once_is_asked_where_games_are_solved(
    queues: tuple[Queue, Queue],
) -> None:
    """It keeps no quick move waiting again, and does not forfeit."""
    movers, solvers = queues
    thinkers = thinkers_of(queues)
    movers.is_slow = True
    for _ in range(2):
        await choose(thinkers, "level:3")
    assert (movers.asked, solvers.asked) == (["_choose_if_ready"], ["_choose"] * 2)
    movers.is_slow = False
    await choose(thinkers, "level:4")
    assert len(movers.asked) == 2


async def test_a_program_that_gets_ready_slowly_is_slow(
    queues: tuple[Queue, Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "_SLOW_AT_FIRST", -1.0)
    movers, solvers = queues
    thinkers = thinkers_of(queues)
    await thinkers.get_ready(OWN, "level:3", START, HERE)
    await choose(thinkers, "level:3")
    assert (movers.asked, solvers.asked) == ([], ["_get_ready", "_choose"])


async def test_a_solution_that_is_too_large_to_send_stays_where_it_is(
    queues: tuple[Queue, Queue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thinking, "_LARGEST_SOLUTION", 10)
    movers, solvers = queues
    thinkers = thinkers_of(queues)
    await thinkers.get_ready(OWN, "perfect", START, HERE)
    await choose(thinkers, "perfect")
    assert (movers.asked, solvers.asked) == ([], ["_solved", "_choose"])


@pytest.mark.parametrize("starts", [("3/5/1", START), (START, "3/5/1")])
async def test_a_player_knows_the_game_from_where_it_begins(
    starts: tuple[str, str], queues: tuple[Queue, Queue]
) -> None:
    """Another game by the same rules may begin where its solution does not lead."""
    thinkers, game = thinkers_of(queues), Game(stored_rulebook(OWN))
    for start in starts * 2:
        move = await thinkers.choose(OWN, "perfect", start, start, Side.ONE, HERE)
        assert move in game.moves(read_position(game, start))
