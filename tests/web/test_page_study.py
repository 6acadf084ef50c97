"""Study, review and puzzles on the page, in a real browser."""

import re
from typing import Literal

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from lineduel.engine import Game
from lineduel.record import Record, parse_move, read_position, write_record
from lineduel.rulebooks import find_rulebook
from support.web_server import Server
from support.web_windows import Window, opened

THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")


def check(window: Window) -> None:
    """No rule of accessibility is broken here in either theme, and nothing sticks out."""
    for theme in THEMES:
        window.page.emulate_media(color_scheme=theme)
        found = Axe().run(window.page).response["violations"]
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_position_is_studied_by_its_address(browser: Browser, server: Server) -> None:
    """Every move has its value; a click goes there, and the browser's own button back."""
    with opened(browser, server, viewport={"width": 320, "height": 800}) as window:
        window.go("/study/cross-over?position=2,3,4/10,7,6/1")
        expect(window.find(".valued")).to_have_count(3)
        expect(window.find(".valued.best")).to_contain_text("P1-C 4→6")
        expect(window.find(".happened")).to_contain_text("P1-C takes P2-C on 6")
        expect(window.cell("6")).to_have_class(re.compile(r"\bgood\b"))
        expect(window.cell("5")).to_have_class(re.compile(r"\bbad\b"))
        check(window)
        window.cell("4").click()
        window.cell("6").click()
        expect(window.page).to_have_url(re.compile("position=2%2C3%2C6%2F10%2C7%2Cx%2F2"))
        expect(window.find(".valued.best")).not_to_contain_text("P1-C 4→6")
        window.page.go_back()
        expect(window.find(".valued.best")).to_contain_text("P1-C 4→6")
        window.page.get_by_role("button", name="Play on from here").click()
        window.wait_for_view()
        expect(window.cell("6")).to_have_attribute("aria-label", re.compile("P2-C"))
        expect(window.find(".plate.P1")).to_contain_text("You")


def test_the_mixture_of_a_battle_is_drawn(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        window.go("/study/flag-chase?position=3/3/1*")
        expect(window.find(".mixture")).to_have_count(2)
        check(window)
        expect(window.find(".battle-table .outcome")).to_have_count(25)
        expect(window.find(".battle-table .outcome.nobody")).to_have_count(5)
        window.page.get_by_role("button", name=re.compile("^4:2")).click()
        expect(window.find(".valued").first).to_be_visible()


def test_a_game_is_reviewed_when_it_is_over(browser: Browser, server: Server) -> None:
    """From the end of a game to its review, step by step, and to study."""
    with opened(browser, server) as window:
        window.begin("Capture the Flag (Tokens)")
        for turn in range(1, 30):
            expect(window.find(".duel.over, button.move").first).to_be_visible()
            if window.is_over:
                break
            window.find("button.move").last.click()
            expect(window.find(".log li")).to_have_count(turn)
        window.page.get_by_role("button", name="Review").click()
        expect(window.find(".curve")).to_be_visible()
        check(window)
        window.page.get_by_role("button", name="Start", exact=True).click()
        expect(window.find(".sentence")).to_have_text("The start of the game.")
        window.page.get_by_role("button", name="Next").click()
        expect(window.find(".turns li.now")).to_have_attribute("value", "1")
        window.page.get_by_role("button", name="Study this position").click()
        expect(window.find(".valued").first).to_be_visible()


def test_puzzles_are_answered_and_counted(browser: Browser, server: Server) -> None:
    """An answer is judged, the rating is kept in this browser, and there is always another."""
    with opened(browser, server) as window:
        window.go("/puzzles/cross-over")
        expect(window.find("button.move").first).to_be_visible()
        check(window)
        window.page.get_by_role("button", name="Show the answer").click()
        expect(window.find(".score")).to_contain_text("Rating")
        told = window.find(".answer-bar").inner_text()
        assert told
        window.page.get_by_role("button", name="Next puzzle").click()
        expect(window.find(".answer-bar")).to_be_hidden()
        window.page.reload()
        expect(window.find(".score")).to_contain_text("streak 0")


def record_of(position: str, *moves: str) -> dict[str, str | bytes]:
    """A game of Cross Over from a position, as a file to upload."""
    rulebook = find_rulebook("cross-over")
    start = read_position(Game(rulebook), position)
    record = Record(rulebook=rulebook, start=start, moves=tuple(map(parse_move, moves)))
    return {
        "name": "game.duel",
        "mimeType": "text/plain",
        "buffer": write_record(record).encode(),
    }


def test_the_turn_that_is_reviewed_stays_in_sight(browser: Browser, server: Server) -> None:
    """In a list that is longer than its place."""
    moves = ["C+1", "C+1", "C+1", "B+1", "B+1", "A+1", "B+1", "C+1", "A+1", "B+1", "A+1", "A+1"]
    with opened(browser, server) as window:
        window.go("/review")
        record = record_of(
            "0,1,2/10,9,8/1", *(f"P{1 + turn % 2}-{move}" for turn, move in enumerate(moves))
        )
        window.find("input[type=file]").set_input_files(record)  # type: ignore[arg-type]
        window.page.get_by_role("button", name="End", exact=True).click()
        line = window.find(".turns li.now")
        expect(line).to_have_attribute("value", "12")
        expect(window.find(".sentence")).to_contain_text("Turn 12: ")
        shown, place = line.bounding_box(), window.find(".turns").bounding_box()
        assert shown
        assert place
        assert shown["y"] >= place["y"]
        assert shown["y"] + shown["height"] <= place["y"] + place["height"] + 1


def test_a_review_opens_at_the_turning_point_and_its_mistakes_come_back_as_puzzles(
    browser: Browser, server: Server
) -> None:
    """The reason with an arrow, better play step by step, and another try, judged exactly."""
    with opened(browser, server, viewport={"width": 320, "height": 800}) as window:
        window.go("/review")
        record = record_of("0,3,4/8,9,7/1", "P1-C+2", "P2-C+1", "P1-B+1", "P2-C+2", "P1-A+1")
        window.find("input[type=file]").set_input_files(record)  # type: ignore[arg-type]
        expect(window.find(".turns li.now")).to_have_attribute("value", "1")
        expect(window.find(".why-text")).to_contain_text("P2-A takes P1-C on 6 next turn.")
        expect(window.find(".lines .line.why.P2")).to_have_count(1)
        check(window)
        window.find(".line .step").first.click()
        expect(window.find(".lines .line.why")).to_have_count(0)
        expect(window.cell("6")).not_to_have_attribute("aria-label", re.compile("P1-C"))
        window.page.get_by_role("button", name="Try it yourself").click()
        expect(window.find(".sentence")).to_contain_text("Player 1 to move")
        window.cell("4").click()
        window.cell("6").click()
        expect(window.find(".why-text")).to_contain_text("P2-A takes P1-C on 6")
        expect(window.find(".lines .line.why.P2")).to_have_count(1)
        window.page.get_by_label("Which puzzles").select_option("Your own mistakes")
        expect(window.find(".answer-bar")).to_be_hidden()
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C"))
        check(window)


def test_puzzles_are_chosen_by_kind_and_by_day(browser: Browser, server: Server) -> None:
    """A kind of reason, the puzzle of the day, and none of your own before there is a mistake."""
    _, today = server.ask("/api/puzzles/of-the-day")
    with opened(browser, server) as window:
        window.go("/puzzles/cross-over")
        expect(window.find("button.move").first).to_be_visible()
        window.page.get_by_label("Which puzzles").select_option("Your own mistakes")
        expect(window.find(".sentence")).to_contain_text("Review a game")
        window.page.get_by_role("button", name="Puzzle of the day").click()
        expect(window.find(".sentence")).to_have_text(today["sentence"])
        window.page.get_by_label("Which puzzles").select_option("No good move left")
        window.page.get_by_role("button", name="Show the answer").click()
        expect(window.find(".why-text")).to_contain_text("without a good move")


def test_study_shows_why_a_move_is_bad_with_an_arrow(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        window.go("/study/cross-over?position=0,3,4/8,9,7/1")
        row = window.find(".valued").filter(has_text="P1-C 4→6")
        expect(row).to_contain_text("P2-A takes P1-C on 6")
        row.hover()
        expect(window.find(".why-text")).to_contain_text("P2-A takes P1-C on 6 next turn.")
        expect(window.find(".lines .line.why.P2")).to_have_count(1)


def test_a_review_stands_as_the_game_did_and_calls_its_players_by_name(
    browser: Browser, server: Server
) -> None:
    """Your side on the left; each mark in the colour of what it cost; an arrow for the move."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "The computer", "Player 2")
        for _ in range(2):
            window.find("button.move").first.click()
            expect(window.find("button.move").first).to_be_visible()
        window.more("Resign")
        window.page.get_by_role("button", name="Resign", exact=True).last.click()
        window.page.get_by_role("button", name="Review").click()
        expect(window.find(".curve-label.P2")).to_have_text("You")
        expect(window.find(".curve-label.P1")).to_have_text("The computer")
        own, other = (window.cell(cell).bounding_box() for cell in ("10", "0"))
        assert own
        assert other
        assert own["x"] < other["x"]
        window.page.get_by_role("button", name="Start", exact=True).click()
        expect(window.find(".lines .line")).to_have_count(0)
        window.page.get_by_role("button", name="Next", exact=True).click()
        expect(window.find(".lines .line.P1:not(.why)")).to_have_count(1)


def test_marks_of_a_review_say_what_a_move_cost(browser: Browser, server: Server) -> None:
    """A slow move is no mistake: its mark, its sentence and the summary agree."""
    with opened(browser, server) as window:
        window.go("/review")
        record = record_of("0,3,4/8,9,7/1", "P1-C+2", "P2-C+1", "P1-B+1", "P2-C+2", "P1-A+1")
        window.find("input[type=file]").set_input_files(record)  # type: ignore[arg-type]
        expect(window.find(".turns .mark.bad")).to_have_count(1)
        expect(window.find(".sentence .mark")).to_have_attribute("title", "A blunder")
        expect(window.find(".happened")).to_contain_text("For player 1, a win in")
        expect(window.find(".turns p")).to_have_count(0)  # why is said once
        slow = window.find(".turns .mark.slow")
        count = slow.count()
        assert count
        marked = "1 move" if count == 1 else f"{count} moves"
        summary = window.find(".review-summary")
        expect(summary).to_contain_text(f"?! marks {marked} that cost turns, but not the result.")
        window.page.locator(".turns li", has=window.page.locator(".slow")).first.locator(
            ".step"
        ).click()
        expect(window.find(".happened")).to_contain_text("than needed")


def test_a_wrong_answer_is_played_out_and_taken_back(browser: Browser, server: Server) -> None:
    """Your move and the reply; then again, or the next one. The address names the puzzle."""
    with opened(browser, server) as window:
        window.go("/puzzles/cross-over?position=0,3,4/8,9,7/1")
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C"))
        window.cell("4").click()
        window.cell("6").click()
        expect(window.find(".answer-bar")).to_contain_text("No: P1-C 4→6 loses")
        expect(window.cell("6")).to_have_attribute("aria-label", re.compile("P2-A"))
        rating = window.find(".score").inner_text()
        check(window)
        window.page.get_by_role("button", name="Try again").click()
        expect(window.find(".answer-bar")).to_be_hidden()
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C"))
        expect(window.find("button.move").first).to_be_visible()
        window.page.reload()  # the same puzzle, and it counts no second time
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C"))
        window.page.get_by_role("button", name="Show the answer").click()
        expect(window.find(".answer-bar")).to_contain_text("good move was")
        assert window.find(".score").inner_text() == rating
        window.page.get_by_role("button", name="Next puzzle").click()
        expect(window.page).not_to_have_url(re.compile(re.escape("0%2C3%2C4%2F8%2C9%2C7%2F1")))


def test_study_says_in_sentences_why_the_best_move_is_best(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as window:
        window.go("/study/cross-over")
        expect(window.find(".happened")).to_have_text(
            re.compile(r"^P1-C 2→3 is best\. Every move loses; this one lasts longest")
        )
