"""Each of the five games to its end by mouse, touch, keyboard, and as a screen reader says it."""

import random
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Browser, Locator, expect

from support.web_server import Server
from support.web_windows import Window, opened

GAMES = (
    "Capture the Flag (Tokens)",
    "Cross Over",
    "Blockade Duel",
    "Capture the Flag (Soldiers)",
    "Flag Chase",
)
Press = Callable[[Window, Locator], None]


def _by_keyboard(window: Window, wanted: Locator) -> None:
    """To a cell by arrows from the one that Tab reaches, to anything else by Tab; then Enter."""
    if "cell" in (wanted.get_attribute("class") or "").split():
        window.find('.cell[tabindex="0"]').focus()
        numbers = window.find(".cell").evaluate_all("all => all.map(one => +one.dataset.cell)")
        there = numbers.index(int(wanted.get_attribute("data-cell") or ""))
        here = numbers.index(
            int(window.find('.cell[tabindex="0"]').get_attribute("data-cell") or "")
        )
        for _ in range(abs(there - here)):
            window.page.keyboard.press("ArrowRight" if there > here else "ArrowLeft")
    else:
        wanted.focus()
    window.page.keyboard.press("Enter")


def _by_name(window: Window, wanted: Locator) -> None:
    """What is pressed has a role and a name that says what it does."""
    name = wanted.get_attribute("aria-label") or wanted.inner_text()
    assert name.strip()
    window.page.get_by_role("button", name=name, exact=True).first.press("Enter")


WAYS: dict[str, Press] = {
    "mouse": lambda window, wanted: wanted.click(),
    "touch": lambda window, wanted: wanted.tap(),
    "keyboard": _by_keyboard,
    "screen reader": _by_name,
}


def _turn(window: Window, press: Press, chance: random.Random) -> None:
    """Choose a number for each player, or take a piece and put it somewhere, on the board alone."""
    if window.find(".battle:not([hidden])").count():
        numbers = window.find("button.number")
        for number in (numbers.last, numbers.first):  # player 1 wins, so that the game ends soon
            press(window, window.page.get_by_role("button", name="is ready"))
            numbers.first.wait_for()
            press(window, number)
        return
    own = window.find(".cell.movable")
    if not own.count():  # a turn that has to be passed
        press(window, window.find("button.move").first)
        return
    if not window.find(".piece.chosen").count():
        press(window, own.nth(chance.randrange(own.count())))
    expect(window.find(".piece.chosen")).to_have_count(1)
    targets = window.find(".cell.reach, .stay:visible")
    ahead = window.find(".cell.reach")  # mostly forward, so that the game ends soon
    if ahead.count() and chance.random() < 0.8:
        is_first = window.find(".piece.chosen.P1").count() == 1
        press(window, ahead.last if is_first else ahead.first)
    else:
        press(window, targets.nth(chance.randrange(targets.count())))
    if window.find(".chooser:visible").count():
        press(window, window.find(".chooser button").first)


@pytest.mark.long
@pytest.mark.parametrize(("game", "way"), list(product(GAMES, WAYS)))
def test_a_game_to_its_end(browser: Browser, server: Server, game: str, way: str) -> None:
    """The board takes every move, and every turn and the end are said in words."""
    press, chance = WAYS[way], random.Random(f"{game} {way}")
    asked = ".duel.over, .cell.movable, button.move:enabled, .battle:not([hidden]) button"
    with opened(browser, server, has_touch=way == "touch") as window:
        window.begin(game)
        window.page.mouse.move(0, 0)  # nothing is pointed at by chance
        for turn in range(150):
            expect(window.find(".log li")).to_have_count(turn)
            window.find(asked).first.wait_for(state="attached")
            if window.is_over:
                break
            _turn(window, press, chance)
            expect(window.find("#said")).not_to_be_empty()
        expect(window.find(".sentence")).to_contain_text("won.")
        expect(window.find("#said")).to_contain_text("won.")
        expect(window.find(".result-card")).to_be_visible()
