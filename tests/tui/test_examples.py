"""The example rulebooks with the newest words, played to their end on the full screen."""

from pathlib import Path

import pytest

from lineduel.engine import Numbers
from lineduel.record import parse_move
from lineduel.tui.battle import Curtain, Reveal
from lineduel.tui.duel import DuelScreen
from support.screens import Viewer, match_of, viewer

FOLDER = Path(__file__).parents[2] / "examples" / "rulebooks"
GAMES = {
    "hare-and-hounds": (
        "Hare+2 Grey-hound+1 Hare+2 Red-hound+1 Hare+2 Grey-hound+1",
        "Hunter",
    ),
    "convoy": (
        "R1+1 W1+1 R1+1 W1+2 R1+1 W1+2 R2+1 W1+2 R2+1 W2+1 R2+1 W2+2 R2+2 W2+2 R2+2 W2+2",
        "Convoy",
    ),
    "last-card": ("A+3 X+3 1:1 A-1 X+1 3:2 A+1 X+3 2:3 A+1 X+1 A+1 3:1 X+1 A+3 2:2 X+3 A+1", "Red"),
    "tortoise-and-hare": (
        "Tortoise+1 Snail+1 "
        * 4
        + "Tortoise+1 Fox+3 Tortoise+1 Fox+3 Tortoise+1 Snail+1 Hare+3 Snail+1 Hare+3 Snail+1 "
        "Hare-1 Snail+1 Hare-1 Snail+1 Hare+3",
        "Green",
    ),
}


async def choose_numbers(game: Viewer, pair: Numbers) -> None:
    """Each behind the curtain; a number that is spent does nothing."""
    for number in pair:
        await game.until(lambda: isinstance(game.app.screen, Curtain))
        curtain = game.app.screen
        assert isinstance(curtain, Curtain)
        await game.press("enter")
        for spent in {1, 2, 3} - set(curtain.hand):
            await game.press(str(spent))
            assert game.app.screen is curtain
        await game.press(str(number))
        await game.until(lambda curtain=curtain: game.app.screen is not curtain)  # type: ignore[misc]
    await game.until(lambda: isinstance(game.app.screen, Reveal))
    await game.press("enter")


@pytest.mark.parametrize("name", GAMES)
async def test_an_example_is_played_to_its_end(name: str) -> None:
    """Two people, by the number of each move."""
    line, winner = GAMES[name]
    async with viewer(match_of(str(FOLDER / f"{name}.toml"))) as game:
        screen = next(one for one in game.app.screen_stack if isinstance(one, DuelScreen))
        session = screen.session
        for plies, text in enumerate(line.split()):
            move = parse_move(text)
            await game.until(lambda plies=plies: session.plies == plies)  # type: ignore[misc]
            if isinstance(move, Numbers):
                await choose_numbers(game, move)
                continue
            await game.until(lambda: screen.view.moves and game.app.screen is screen)
            await game.press(str(session.moves.index(move) + 1))
        await game.until(lambda: session.winner is not None)
        assert session.winner is not None
        assert screen.narrator.name(session.winner) == winner
