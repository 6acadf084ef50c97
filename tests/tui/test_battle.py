"""Battles on the whole screen: nobody learns a number before both have chosen."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import events
from textual.screen import Screen
from textual.widgets import Static

from lineduel.match import Saves
from lineduel.tui.battle import Curtain
from lineduel.tui.duel import DuelScreen
from support.screens import HUSH, Viewer, match_of, viewer

TO_BATTLE = ("1", "1", "1", "1")
"""Four steps forward, and both pieces stand on cell 3."""


def screen_of(viewer: Viewer) -> DuelScreen:
    return next(one for one in viewer.app.screen_stack if isinstance(one, DuelScreen))


@asynccontextmanager
async def at_battle(**more: object) -> AsyncIterator[Viewer]:
    """Flag Chase between two people, at the first curtain."""
    async with viewer(match_of("flag-chase"), **more) as game:  # type: ignore[arg-type]
        await game.press(*TO_BATTLE)
        await game.see("Hand the keyboard to player 1.")
        yield game


async def test_each_chooses_behind_a_curtain_and_both_are_revealed_together() -> None:
    """The curtain hides the board; a number counts only after 'ready'."""
    async with at_battle() as game:
        assert "┌" not in game.text, "the board is hidden"
        await game.press("4")
        await game.see("Hand the keyboard to player 1.")
        await game.press("enter")
        await game.see(
            "Player 1, choose a number between 1 and 5:", "1 to 5 (hidden while you type)"
        )
        await game.press("9", "0", "x")
        assert screen_of(game).session.asked == (1, 2)
        await game.press("4")
        await game.see("Hand the keyboard to player 2.")
        await game.press("space", "2")
        await game.see("Player 1 chose 4.", "Player 2 chose 2.", "Player 1 wins the battle!")
        assert "█" in game.text
        await game.press("enter")
        await game.see("Player 1 to move.", "4:2")
        assert str(screen_of(game).session.position) == "3/5/1"


async def test_a_curtain_can_be_left_and_opened_again() -> None:
    """Esc shows the battle; Enter goes on with whoever has not chosen; u starts anew."""
    async with at_battle() as game:
        await game.press("escape")
        await game.see("A battle is open.")
        await game.press("4", "enter")
        await game.see("Hand the keyboard to player 1.")
        await game.press("enter", "5")
        await game.see("Hand the keyboard to player 2.")
        await game.press("escape")
        await game.see("A battle is open.")
        await game.press("enter")
        await game.see("Hand the keyboard to player 2.")
        await game.press("escape", "u")
        await game.see("Hand the keyboard to player 1.")
        await game.press("enter", "1")
        await game.see("Hand the keyboard to player 2.")
        await game.press("enter", "2")
        await game.see("Player 1 chose 1.", "Player 2 chose 2.")


async def test_a_battle_can_be_resigned_and_undone() -> None:
    async with at_battle() as game:
        await game.press("escape", "u")
        await game.until(lambda: len(screen_of(game).session.turns) == 3)
        await game.see("Player 2 to move.")
        await game.press("1")
        await game.see("Hand the keyboard to player 1.")
        await game.press("escape", "r", "y")
        await game.review()
        await game.see("Player 1 resigned")


async def test_against_the_computer_there_is_no_curtain() -> None:
    """A digit answers at once; a number that is none is refused, a hint tells the best mixture."""
    async with viewer(match_of("flag-chase", "human", "perfect", position="3/3/1*")) as game:
        await game.see("Battle on 3. Choose a number from 1 to 5.")
        await game.see("If you win, P2 goes home to 5. If the computer wins, P1 goes home to 1.")
        await game.press("i")
        await game.see("Hint: ")
        await game.press("9")
        await game.hear("Choose a number from 1 to 5.")
        await game.press("4")
        await game.see("Battle on 3, 4 against", "You", "The computer", "Enter go on")
        await game.press("enter")
        await game.until(lambda: "Enter go on" not in game.words)
        assert len(screen_of(game).session.turns) >= 1


async def test_the_computers_number_waits_unseen_and_unsaved() -> None:
    """It is chosen first, and is nowhere until the person has chosen."""
    async with viewer(match_of("flag-chase", "human", "perfect", position="3/3/1*")) as game:
        await game.see("Choose a number from 1 to 5.")
        assert screen_of(game).session.asked == (1,)
        assert not list(Saves().folder.glob("*"))


# Secrets


@pytest.fixture
def frames(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The text of everything that is drawn from now on."""
    seen: list[str] = []
    refresh = Screen._compositor_refresh

    def watch(self: Screen[object]) -> None:
        refresh(self)
        if self.is_attached and self.size:
            seen.append("\n".join(strip.text for strip in self._compositor.render_strips()))

    monkeypatch.setattr(Screen, "_compositor_refresh", watch)
    return seen


async def choose_and_look_around(folder: Path, number: str) -> Viewer:
    """Player 1 chooses; then the screen is resized, left, drawn otherwise, and at last closed."""
    path = folder / "hush.toml"
    path.write_text(HUSH, encoding="utf-8")
    async with viewer(match_of(str(path))) as game:
        await game.press(*"1111")
        await game.see("Hand the keyboard to player 1.")
        await game.press("enter")
        await game.see("1 to 9 (hidden while you type)")
        await game.press(number)
        await game.see("Hand the keyboard to player 2.")
        for size in ((60, 20), (120, 36), (90, 32)):
            await game.pilot.resize_terminal(*size)
            await game.settle()
        await game.press("escape", "d", "d", "f", "f", "question_mark", "escape", "v", "i")
        await game.see("Hint: ")
        await game.press("enter", "enter")
        await game.see("1 to 9 (hidden while you type)")
        await game.press("ctrl+c")
    return game


def without_buttons(frame: str) -> str:
    """What a frame shows before a hint, but for the buttons and the values below them."""
    return re.sub(r"│ +\d +│|[+-]\d\.\d\d|\d+%", "", frame.partition("Hint: ")[0])


@pytest.mark.parametrize("number", ["6", "8"])
async def test_no_frame_and_no_record_holds_a_number_that_is_still_secret(
    tmp_path: Path, frames: list[str], number: str
) -> None:
    """Nothing on these screens has a 6 or an 8 in it, unless it is the secret."""
    game = await choose_and_look_around(tmp_path, number)
    assert len(frames) > 20
    assert not [frame for frame in frames if number in without_buttons(frame)]
    (path,) = Saves().folder.glob("*.duel")
    moves = path.read_text(encoding="utf-8").splitlines()[-1]
    assert moves == "1. Ann+1 Bob+1 2. Ann+1 Bob+1 *"
    assert game.app.farewell == "Game saved. Resume with: lineduel play --resume"


async def test_the_frames_are_really_watched(
    tmp_path: Path, frames: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A curtain that shows the number for a moment is found out."""

    async def on_key(self: Curtain, event: events.Key) -> None:
        if self._ready and event.key in "123456789":
            self.query_one("#hand", Static).update(f"You chose {event.key}")
            self.set_timer(0.05, lambda: self.dismiss(int(event.key)) and None)

    monkeypatch.setattr(Curtain, "on_key", on_key)
    await choose_and_look_around(tmp_path, "6")
    assert [frame for frame in frames if "You chose 6" in without_buttons(frame)]
