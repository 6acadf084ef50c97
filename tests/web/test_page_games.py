"""Each of the five games in two windows, from the invitation to the end."""

import pytest
from playwright.sync_api import Browser

from support.web_server import Server
from support.web_windows import friends, play_to_the_end


@pytest.mark.long
@pytest.mark.parametrize(
    "title",
    [
        "Capture the Flag (Tokens)",
        "Cross Over",
        "Blockade Duel",
        "Capture the Flag (Soldiers)",
        "Flag Chase",
    ],
)
def test_a_game_to_the_end_in_two_windows(browser: Browser, server: Server, title: str) -> None:
    """Both windows show every turn, and name the same winner."""
    with friends(browser, server, title) as (one, two):
        play_to_the_end((one, two), seed=len(title))
        assert {one.sentence, two.sentence} == {"You won.", "You lost."}
        assert one.turns == two.turns
