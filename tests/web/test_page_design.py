"""The designer in a real browser: form, text, board, verdicts, repairs, links and the report."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Route, ViewportSize, expect

from lineduel.rulebooks import rulebook_file
from lineduel.rules import design_link
from support.web_server import Server
from support.web_windows import Window, opened

TOKENS = rulebook_file("ctf-tokens").read_text(encoding="utf-8")
TUG = """
title = "Tug"

[track]
first = 1
last = 7

[player1]
pieces = { Ann = 1 }
goal = [7]

[player2]
pieces = { Bob = 7 }
goal = [1]

[move]
steps = [1, 2]  # one or two

[meet]
enemy = "wins"

[variants.blocked]
summary = "Nobody lands on an enemy."
why = "To see what blocking does."
meet = { enemy = "blocked" }
"""
"""A small game without claims, so that all properties are tested."""

CAN_MOVE = re.compile(r"\bmovable\b")
"""The class of a cell whose piece can be moved: a moment after the turn is told."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server")) as started:
        yield started


def check(window: Window) -> None:
    """No rule of accessibility is broken here, and nothing sticks out."""
    found = Axe().run(window.page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def design(window: Window, toml: str) -> None:
    """Open a rulebook in the designer, and wait for the verdicts on it."""
    window.page.goto(design_link(toml, window.server.address))
    wait_for_verdicts(window)


def wait_for_verdicts(window: Window) -> None:
    expect(window.find(".verdicts:not([aria-busy]) .verdict").first).to_be_visible()


def test_a_change_shows_what_it_changes(browser: Browser, server: Server) -> None:
    """The winner and the verdicts follow the form, and so does the text; focus stays."""
    with opened(browser, server) as window:
        design(window, TUG)
        sentence, difference = window.find(".worth .sentence"), window.find(".difference")
        expect(sentence).to_have_text("With best play player 2 wins in 4 turns.")
        expect(difference).to_be_empty()
        steps = window.page.get_by_label("Steps", exact=True)
        steps.fill("1")
        expect(difference).to_contain_text("Before the change: with best play")
        expect(steps).to_be_focused()
        expect(window.find(".verdict.changed").first).to_be_visible()
        expect(window.find(".toml")).to_have_value(re.compile(r"steps = \[1\]  # one or two"))
        window.page.get_by_role("button", name="Undo change").click()
        expect(steps).to_have_value("1, 2")
        expect(difference).to_contain_text("Before the change: ")


def test_every_key_can_be_filled_in(browser: Browser, server: Server) -> None:
    """Pieces, goals, words, claims and a battle, by form; the text has them all."""
    with opened(browser, server) as window:
        design(window, TUG)
        page = window.page
        page.get_by_role("button", name="Add a piece").first.click()
        page.get_by_label("Player 1, home of piece 2").fill("2")
        page.get_by_label("Goal cells").first.fill("6 7")
        page.get_by_label("Who begins").select_option("either")
        page.get_by_label("Pieces may be jumped").uncheck()
        page.get_by_label("Landing on an enemy").select_option("battle")
        expect(page.get_by_label("Numbers from 1 to")).to_have_value("5")
        page.get_by_label("Which number wins").select_option("cyclic")
        window.find("summary").filter(has_text="Words").click()
        page.get_by_label("Won goal", exact=True).fill("{player} is home!")
        window.find("summary").filter(has_text="Claims").click()
        page.get_by_role("button", name="Add a claim").click()
        page.get_by_label("Your promise").fill("It is fair.")
        page.get_by_label("Property", exact=True).select_option("neither seat favoured")
        expect(window.find(".toml")).to_have_value(re.compile("neither seat favoured"))
        promised = window.find(".verdict").filter(has_text="It is fair.")
        expect(promised).to_be_visible()
        data = tomllib.loads(window.find(".toml").input_value())
        assert data["player1"] == {"pieces": {"Ann": 1, "P1-A": 2}, "goal": [6, 7]}
        assert data["turn"] == {"first": "either"}
        assert data["move"] == {"steps": [1, 2], "jump": False}
        assert data["battle"] == {"numbers": 5, "wins": "cyclic"}
        assert data["words"] == {"won_goal": "{player} is home!"}
        assert data["claims"] == [{"says": "It is fair.", "property": "neither seat favoured"}]
        assert data["variants"].keys() == {"blocked"}
        page.get_by_label("Landing on an enemy").select_option("captured")
        expect(window.find(".toml")).not_to_have_value(re.compile("battle"))
        page.get_by_label("Moves again after").select_option("capture")
        expect(window.find(".toml")).to_have_value(re.compile('again = "capture"'))


def test_steps_needs_and_hands_are_filled_in_and_tried(browser: Browser, server: Server) -> None:
    """What is filled in is in the text, counts on the board, and is gone at its default."""
    with opened(browser, server) as window:
        two = TUG.replace("{ Ann = 1 }", "{ Ann = 1, Amy = 1 }")
        design(window, two.replace('"wins"', '"battle"\n[battle]\nnumbers = 3'))
        page, toml = window.page, window.find(".toml")
        for rare in page.get_by_text("Rarely needed").all():
            rare.click()
        page.get_by_label("Pieces needed on goal cells").first.fill("2")
        page.get_by_label("Own steps").nth(1).fill("3")
        page.get_by_label("Steps of single pieces").first.fill("Amy: 1, -1")
        page.get_by_label("Without a legal move").select_option("loses")
        page.get_by_label("A number that was chosen is").select_option("spent")
        expect(toml).to_have_value(re.compile('hand = "spent"'))
        data = tomllib.loads(toml.input_value())
        assert data["player1"]["goal_needs"] == 2
        assert data["player1"]["piece_steps"] == {"Amy": [1, -1]}
        assert data["player2"]["steps"] == [3]
        assert data["turn"] == {"stuck": "loses"}
        assert data["battle"] == {"numbers": 3, "hand": "spent"}
        wait_for_verdicts(window)
        told = window.find(".trial-sentence")
        window.cell("3").click()
        expect(told).to_have_text("Player 1 moved Ann 1→3. Player 2 to move.")
        window.cell("4").click()
        expect(told).to_have_text("Player 2 moved Bob 7→4. Player 1 to move.")
        window.cell("4").click()
        expect(told).to_contain_text("Choose a number for each player.")
        numbers = {
            side: page.get_by_role("group", name=f"Number of player {side}") for side in (1, 2)
        }
        for side, number in ((1, "1"), (2, "3")):
            numbers[side].get_by_role("button", name=number).click()
        expect(window.cell("4")).to_have_class(CAN_MOVE)
        window.cell("1").click()
        expect(told).to_contain_text("Choose a number for each player.")
        for side, spent in ((1, "1"), (2, "3")):
            for number in "123":
                button = numbers[side].get_by_role("button", name=number)
                expect(button).to_be_disabled() if number == spent else expect(
                    button
                ).to_be_enabled()
        page.get_by_label("A number that was chosen is").select_option("kept")
        page.get_by_label("Without a legal move").select_option("passes")
        page.get_by_label("Pieces needed on goal cells").first.fill("1")
        expect(toml).not_to_have_value(re.compile("hand|stuck|goal_needs"))


def test_a_mistake_is_told_beside_its_key(browser: Browser, server: Server) -> None:
    """In the form beside the field, in the text with its line; text and form stay in step."""
    with opened(browser, server) as window:
        design(window, TUG)
        page = window.page
        page.get_by_label("Steps", exact=True).fill("1, two")
        wrong = (
            window.find(".field")
            .filter(has=page.get_by_label("Steps", exact=True))
            .locator(".field-problem")
        )
        expect(wrong).to_contain_text("Allowed: a list of whole numbers")
        expect(page.get_by_label("Steps", exact=True)).to_have_attribute("aria-invalid", "true")
        expect(window.find(".difference")).to_contain_text("has a mistake")
        for usable in ("Download", "Share by link"):
            expect(page.get_by_role("button", name=usable)).to_be_enabled()
        expect(page.get_by_role("button", name="Play a friend")).to_be_disabled()
        expect(window.find(".worth > .sentence")).to_be_visible()
        expect(window.find(".verdict .badge").first).to_be_visible()
        window.find(".difference .step").click()
        expect(page.get_by_label("Steps", exact=True)).to_be_focused()
        check(window)
        page.get_by_role("radio", name="Text (TOML)").check()
        expect(window.find(".toml-problems li")).to_contain_text("Line 17: move.steps")
        text = window.find(".toml").input_value()
        window.find(".toml").fill(
            text.replace('[1, "two"]', "[2, 3]").replace("last = 7", "last =")
        )
        expect(window.find(".toml-problems li")).to_contain_text("not valid TOML")
        window.find(".toml").fill(text.replace('[1, "two"]', "[2, 3]"))
        expect(window.find(".toml-problems li")).to_have_count(0)
        page.get_by_role("radio", name="Form").check()
        expect(page.get_by_label("Steps", exact=True)).to_have_value("2, 3")
        expect(wrong).to_be_empty()


def test_the_rules_are_tried_on_the_board(browser: Browser, server: Server) -> None:
    """Moves of both sides by mouse and keyboard, both numbers of a battle, back and again."""
    with opened(browser, server) as window:
        design(window, TUG.replace('"wins"', '"battle"\n[battle]\nnumbers = 3'))
        told = window.find(".trial-sentence")
        window.cell("3").click()
        expect(told).to_have_text("Player 1 moved Ann 1→3. Player 2 to move.")
        expect(window.cell("7")).to_have_class(CAN_MOVE)
        window.cell("7").focus()
        for key in ("ArrowLeft", "ArrowLeft", "Enter"):
            window.page.keyboard.press(key)
        expect(told).to_have_text("Player 2 moved Bob 7→5. Player 1 to move.")
        expect(window.cell("3")).to_have_class(CAN_MOVE)
        window.cell("5").click()
        expect(told).to_contain_text("Choose a number for each player.")
        for side, number in (("player 1", "3"), ("player 2", "1")):
            numbers = window.page.get_by_role("group", name=f"Number of {side}")
            numbers.get_by_role("button", name=number).click()
        expect(window.cell("7")).to_have_attribute("aria-label", re.compile("Bob"))
        window.page.get_by_role("button", name="Take back").click()
        expect(told).to_contain_text("Choose a number for each player.")
        window.page.get_by_role("button", name="Start again").click()
        expect(told).to_have_text("Player 1 to move.")
        expect(window.cell("1")).to_have_attribute("aria-label", re.compile("Ann"))


def test_a_move_that_comes_too_late_is_dropped(browser: Browser, server: Server) -> None:
    """Somebody takes a move back while the server still works on the next one."""
    with opened(browser, server) as window:
        design(window, TUG)
        told = window.find(".trial-sentence")
        window.cell("3").click()
        expect(window.cell("7")).to_have_class(CAN_MOVE)
        held: list[Route] = []
        window.page.route("**/api/moves", lambda route: held.append(route))
        with window.page.expect_request("**/api/moves"):
            window.cell("6").click()
        window.page.get_by_role("button", name="Take back").click()
        expect(told).to_have_text("Player 1 to move.")
        with window.page.expect_response("**/api/moves"):
            held[0].continue_()
        expect(window.cell("1")).to_have_class(CAN_MOVE)
        expect(told).to_have_text("Player 1 to move.")


def test_a_track_that_is_too_long_is_said_beside_its_last_cell(
    browser: Browser, server: Server
) -> None:
    """In words, and nowhere in those of the rulebook's keys."""
    with opened(browser, server) as window:
        design(window, TOKENS)
        last = window.page.get_by_label("Last cell")
        last.fill("90")
        field = window.find(".field").filter(has=last)
        expect(field.locator(".field-problem")).to_contain_text("The last cell must be")
        expect(last).to_have_attribute("aria-invalid", "true")
        expect(window.find(".design-trial > .problem")).to_be_hidden()
        window.wrong = [one for one in window.wrong if "400" not in one]


def test_repairs_changes_and_variants_are_a_click_away(browser: Browser, server: Server) -> None:
    """Each is listed with what it changes, and can be taken over."""
    with opened(browser, server) as window:
        design(window, TOKENS.replace("steps = [1, 2, 3]", "steps = [1]"))
        page, card = window.page, window.find(".nearby-card")
        page.get_by_role("button", name="Compare variants").click()
        expect(card).to_contain_text("Landing on the enemy decides nothing.")
        page.get_by_role("button", name="Try every single change").click()
        expect(window.find(".changes tr").filter(has_text="1,2,4")).to_be_visible()
        longer = window.find(".nearby details").filter(has_text="only how long the game lasts")
        expect(longer.locator("td").filter(has_text="P2 in ").first).to_be_visible()
        page.get_by_role("button", name="Find repairs").click()
        expect(card).to_have_count(6)
        check(window)
        changed = card.first.get_by_role("heading").inner_text().removeprefix("move.steps=")
        card.first.get_by_role("button", name="Use this").click()
        expect(page.get_by_label("Steps", exact=True)).to_have_value(changed.replace(",", ", "))
        expect(window.find(".difference")).to_contain_text("Now proved: ")
        expect(card).to_have_count(0)


def test_a_rulebook_is_shared_kept_and_played(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    """The link has the whole rulebook, the file too; a friend plays it by link."""
    with opened(browser, server) as window:
        design(window, TUG)
        page = window.page
        page.get_by_label("Steps", exact=True).fill("1, 3")
        expect(window.find(".toml")).to_have_value(re.compile(r"steps = \[1, 3\]"))
        page.get_by_role("button", name="Share by link").click()
        link = page.get_by_label("Link to this rulebook").input_value()
        check(window)
        page.keyboard.press("Escape")
        with page.expect_download() as started:
            page.get_by_role("button", name="Download").click()
        started.value.save_as(tmp_path / "kept.toml")
        assert started.value.suggested_filename == "tug.toml"
        kept = tomllib.loads((tmp_path / "kept.toml").read_text(encoding="utf-8"))
        assert kept["move"]["steps"] == [1, 3]
        page.goto("about:blank")
        page.goto(link)
        expect(page.get_by_label("Steps", exact=True)).to_have_value("1, 3")
        page.get_by_role("button", name="Play a friend").click()
        expect(window.find(".invitation .link")).to_be_visible()
        page.go_back()
        expect(page.get_by_label("Steps", exact=True)).to_have_value("1, 3")
        page.get_by_role("button", name="Play the computer").click()
        window.wait_for_view()
        expect(window.find(".invitation")).to_be_hidden()


def test_the_audit_is_a_page_whose_script_runs_and_nothing_else(
    browser: Browser, server: Server
) -> None:
    """The report steps through its evidence; another script on it would be refused."""
    with opened(browser, server) as window:
        design(window, TOKENS)
        report = window.page
        packed = window.find("#main").get_by_role("link", name="Audit").get_attribute("href") or ""
        window.go(packed.replace("/audit?", "/audit/report?"))
        expect(report.get_by_role("heading", level=1)).to_have_text("Capture the Flag (Tokens)")
        report.reload()
        replay = report.locator(".replay").first
        replay.get_by_role("button", name="Next").click()
        expect(replay.locator(".said")).to_contain_text("Turn 1 of")
        assert window.wrong == []
        background = "getComputedStyle(document.querySelector('.claim')).borderLeftWidth"
        assert report.evaluate(background) != "0px"
        with report.expect_console_message():
            report.evaluate(
                "document.body.append(Object.assign(document.createElement('script'),"
                " {textContent: 'document.title = \"run\"'}))"
            )
        assert report.title() != "run"
        window.wrong.clear()


def test_the_designer_is_for_everyone(browser: Browser, server: Server) -> None:
    """The form with everything unfolded and the text, in both themes, narrow and wide."""
    looks: list[tuple[Literal["light", "dark"], int]] = [("light", 320), ("dark", 1280)]
    with opened(browser, server) as window:
        design(window, rulebook_file("flag-chase").read_text(encoding="utf-8"))
        while (folded := window.find(".rulebook-form details:not([open]) > summary")).count():
            folded.first.click()
        for view, (theme, width) in zip(("Form", "Text (TOML)"), looks, strict=True):
            window.page.get_by_role("radio", name=view).check()
            window.page.emulate_media(color_scheme=theme)
            window.page.set_viewport_size({"width": width, "height": 800})
            if width == 320:
                for tab in ("Board", "Verdicts", "Rules"):
                    window.page.get_by_role("button", name=tab, exact=True).click()
                    check(window)
            check(window)


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_the_designer_is_for_everyone_at_every_width(
    browser: Browser, server: Server, theme: Literal["light", "dark"], width: int
) -> None:
    """The form with everything unfolded, and the text."""
    size: ViewportSize = {"width": width, "height": 800}
    with opened(browser, server, color_scheme=theme, viewport=size) as window:
        design(window, rulebook_file("flag-chase").read_text(encoding="utf-8"))
        if width < 960:
            window.page.get_by_role("button", name="Rules", exact=True).click()
        while (folded := window.find(".rulebook-form details:not([open]) > summary")).count():
            folded.first.click()
        check(window)
        window.page.get_by_role("radio", name="Text (TOML)").check()
        check(window)


def test_what_is_about_the_old_rules_is_marked_until_the_new_ones_are_solved(
    browser: Browser, server: Server
) -> None:
    """No verdict on the rules before a change looks like one on the rules that are shown."""
    with opened(browser, server) as window:
        design(window, TUG)
        badge, note = window.find(".verdict .badge").first, window.find(".outdated-note")
        expect(badge).to_be_visible()
        expect(note).to_be_hidden()
        held: list[Route] = []
        window.page.route("**/api/design/verdicts", lambda route: held.append(route))
        with window.page.expect_request("**/api/design/verdicts"):
            window.find(".step-toggle[aria-pressed=true]").filter(has_text="2").click()
        expect(note).to_be_visible()
        expect(badge).to_be_hidden()
        check(window)
        held[0].continue_()
        expect(note).to_be_hidden()
        expect(badge).to_be_visible()
        expect(window.page.get_by_label("Steps", exact=True)).to_have_value("1")


def test_pieces_and_goals_are_placed_on_the_board(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        design(window, TUG)
        window.page.get_by_role("radio", name="Move the pieces").check()
        window.cell("1").click()
        window.cell("2").click()
        expect(window.find(".toml")).to_have_value(re.compile(r"Ann = 2"))
        expect(window.page.get_by_label("Player 1, home of piece 1")).to_have_value("2")
        window.page.get_by_role("radio", name="Goals of player 1").check()
        window.cell("6").click()
        expect(window.find(".toml")).to_have_value(re.compile(r"goal = \[6, 7\]"))
        expect(window.cell("6")).to_have_attribute("aria-label", re.compile("goal of player 1"))
        window.cell("7").click()
        expect(window.find(".toml")).to_have_value(re.compile(r"goal = \[6\]"))


def test_a_changed_game_is_a_design_of_your_own_and_is_kept(
    browser: Browser, server: Server
) -> None:
    """Under a title of its own; a blank track is there, too, and a design can be deleted."""
    with opened(browser, server) as window:
        window.go("/design")
        wait_for_verdicts(window)
        picker = window.page.get_by_label("Begin with")
        picker.select_option("Capture the Flag (Tokens)")
        expect(window.page.get_by_label("Title")).to_have_value("Capture the Flag (Tokens)")
        window.page.get_by_label("Steps", exact=True).fill("1, 3")
        mine = "Capture the Flag (Tokens), my version"
        expect(window.page.get_by_label("Title")).to_have_value(mine)
        window.go("/design")
        picker.select_option(mine)
        expect(window.page.get_by_label("Steps", exact=True)).to_have_value("1, 3")
        picker.select_option("New, from a blank track")
        expect(window.page.get_by_label("Title")).to_have_value("My duel")
        picker.select_option(mine)
        window.page.get_by_role("button", name="Delete this design").click()
        expect(window.page.get_by_label("Title")).to_have_value("My duel")
        expect(picker.locator("option", has_text=mine)).to_have_count(0)


def test_a_mistake_in_the_text_is_one_click_from_its_line(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        design(window, TUG)
        window.page.get_by_role("radio", name="Text (TOML)").check()
        window.find(".toml").fill(TUG.replace("last = 7", "last = = 7"))
        wrong = window.find(".toml-problems button")
        expect(wrong).to_contain_text("Line 6: This is not valid TOML")
        expect(window.find(".gutter .wrong")).to_have_text("6")
        wrong.click()
        selected = "e => e.value.slice(e.selectionStart, e.selectionEnd)"
        assert window.find(".toml").evaluate(selected) == "last = = 7"


def test_the_one_piece_that_is_wrong_is_marked(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        window.go("/design")
        wait_for_verdicts(window)
        home = window.page.get_by_label("Player 1, home of piece 2")
        home.fill("40")
        expect(window.find(".difference")).to_contain_text("P1-B starts on 40")
        expect(window.find("[aria-invalid]")).to_have_count(1)
        expect(home).to_have_attribute("aria-invalid", "true")


def test_a_shorter_track_in_the_text_can_be_followed_by_what_stands_on_it(
    browser: Browser, server: Server
) -> None:
    """Mistakes of one kind are told once, in order; the repair says what it moves."""
    with opened(browser, server) as window:
        window.go("/design")
        wait_for_verdicts(window)
        window.page.get_by_role("radio", name="Text (TOML)").check()
        toml = window.find(".toml")
        toml.fill(toml.input_value().replace("last = 10", "last = 6"))
        told = window.find(".toml-problems .step")
        expect(told).to_have_count(2)
        expect(told.first).to_contain_text("8 is off the track (and 2 more)")
        window.page.get_by_role("button", name="Let pieces and goals follow the track").click()
        expect(told).to_have_count(0)
        expect(toml).to_have_value(re.compile(r"goal = \[4, 5, 6\]"))
        window.page.get_by_role("radio", name="Form").check()
        expect(window.find(".field-note:not(:empty)")).to_contain_text("P2-A from 10 to 6")
