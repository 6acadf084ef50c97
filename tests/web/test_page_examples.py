"""The example rulebooks with the newest words, played to their end in the browser."""

import pytest
from playwright.sync_api import Browser, expect

from lineduel.engine import Game, Numbers
from lineduel.record import parse_move
from lineduel.rulebooks import find_rulebook
from support.web_server import Server
from support.web_windows import Window, opened
from tui.test_examples import FOLDER, GAMES


@pytest.mark.parametrize("name", GAMES)
def test_an_example_is_played_to_its_end(browser: Browser, server: Server, name: str) -> None:
    """Two people at one screen, by the buttons of the moves and the keys of the numbers."""
    line, winner = GAMES[name]
    toml = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    created = server.create(toml=toml, opponent="here")
    with opened(browser, server) as window:
        window.go(f"/game/{created['id']}#{created['seats']['P1']}")
        window.wait_for_view()
        game = Game(find_rulebook(str(FOLDER / f"{name}.toml")))
        position = game.start()
        for turn, text in enumerate(line.split()):
            expect(window.find(".log li")).to_have_count(turn)
            move = parse_move(text)
            if isinstance(move, Numbers):
                choose_numbers(window, move)
            else:
                buttons = window.find("button.move:enabled")
                expect(buttons).to_have_count(len(game.moves(position)))
                buttons.nth(game.moves(position).index(move)).click()
            position = game.play(position, move)
        expect(window.find(".duel.over")).to_have_count(1)
        expect(window.find(".sentence")).to_have_text(f"{winner} won.")


def choose_numbers(window: Window, pair: Numbers) -> None:
    """Each behind the curtain; a number that is spent has no button, and its key does nothing."""
    for number in pair:
        window.find(".numbers button.primary").click()
        buttons = window.find("button.number")
        expect(buttons.first).to_be_visible()
        spent = {"1", "2", "3"} - set(buttons.all_inner_texts())
        expect(window.find(".number.spent")).to_have_count(len(spent))
        for one in spent:
            window.page.keyboard.press(one)
            expect(buttons).to_have_count(3 - len(spent))
        window.page.keyboard.press(f"{number}")
        expect(buttons).to_have_count(0)
