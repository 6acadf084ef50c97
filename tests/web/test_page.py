"""The page in a real browser: playing by mouse, touch and keyboard, alone and by link."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from support.web_server import Server
from support.web_windows import Window, friends, opened, play_to_the_end

SLOW_MOTION = """() => {
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, { ...options, duration: 2000 });
  };
}"""
PAGE = Path(__file__).parents[2] / "src" / "lineduel" / "web" / "page"


def test_every_text_is_in_one_place_and_used() -> None:
    """What the modules ask for is in the file of texts, and nothing else is there."""
    texts = (PAGE / "texts.js").read_text()
    known = set(re.findall(r'^  "?([\w-]+)"?: "', texts, re.M))
    used: set[str] = set()
    patterns: set[str] = set()
    for path in PAGE.glob("*.js"):
        source = path.read_text()
        used |= set(re.findall(r'text\(\s*"([\w-]+)"', source))
        used |= set(re.findall(r'"([\w-]+)"', source)) & known
        patterns |= set(re.findall(r"text\(`([\w-]+)\$\{", source))
    assert used - known == set()
    assert {key for key in known - used if not key.startswith(tuple(patterns))} == set()


def test_a_name_may_be_as_long_as_its_field_and_be_full_of_markup(
    browser: Browser, server: Server
) -> None:
    """It is text for the other one, and widens nothing."""
    with friends(browser, server, "Cross Over") as (one, two):
        for window in (one, two):
            window.page.set_viewport_size({"width": 320, "height": 640})
        two.find(".introduction input").fill("<b>W" * 20)
        two.page.get_by_role("button", name="Save").click()
        expect(one.find(".plate.P2 .plate-name")).to_have_text("<b>W" * 6)
        for window in (one, two):
            assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_page_asks_for_no_markup_from_data() -> None:
    """No module writes HTML, evaluates text or sets style attributes."""
    for path in PAGE.glob("*.js"):
        source = path.read_text()
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
            assert word not in source, path.name
    assert " style=" not in (PAGE / "index.html").read_text()


def test_a_broken_link_gets_the_sentence_of_any_wrong_link(
    browser: Browser, server: Server
) -> None:
    """A "%" that stands for nothing, in the token or in the address itself."""
    created = server.create(game="cross-over", opponent="here")
    for path, sentence in (
        (f"/game/{created['id']}#%E0%A4%A", "This link does not open the game."),
        ("/game/x#%E0%A4%A", "There is no such game."),
        ("/game/%E0%A4%A#s.token", "There is no such page."),
    ):
        with opened(browser, server) as window:
            window.go(path)
            expect(window.find("main")).to_contain_text(sentence)


def test_an_address_without_a_page_has_one_that_says_so(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        window.go("/foo")
        expect(window.find("main h1")).to_have_text("There is no such page.")
        assert [one for one in window.wrong if "404" not in one] == []
        window.wrong.clear()  # Chromium says that the answer is 404


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_http_interface_is_described_on_a_page_of_its_own(
    browser: Browser, server: Server, scheme: str
) -> None:
    """It loads nothing, needs no script, fits a phone, and names every request and object."""
    document = server.ask("/api/docs/openapi.json")[1]
    size = {"width": 390, "height": 844}
    options = {"viewport": size, "color_scheme": scheme, "java_script_enabled": False}
    with opened(browser, server, **options) as window:
        window.go("/api/docs")
        shown = window.find("h3").all_inner_texts()
        for path, methods in document["paths"].items():
            for method in methods:
                assert f"{method.upper()} {path}" in shown
        assert set(document["components"]["schemas"]) <= set(shown)
        main = window.find("main").bounding_box()
        assert main is not None
        assert main["width"] <= 390
        for one in window.find(".request").all()[::7]:
            box = one.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 390
        assert len(window.responses) == 1
        linked = {one.get_attribute("href") for one in window.find("dd a").all()[::9]}
        assert linked <= {f"#{name}" for name in document["components"]["schemas"]}


def test_a_game_against_the_computer_is_one_click_away(browser: Browser, server: Server) -> None:
    """The first page has the five games; a click begins one, and the computer answers."""
    with opened(browser, server) as window:
        window.go()
        expect(window.find(".card-start")).to_have_count(5)
        window.find(".bar .menu summary").click()
        for name in ("Sound", "Notify me"):
            expect(window.page.get_by_role("switch", name=name)).not_to_be_checked()
        window.page.keyboard.press("Escape")
        window.choose("The computer")  # as player 1; nobody else's seat is drawn
        window.page.get_by_role("button", name="Cross Over: Play").click()
        window.wait_for_view()
        assert window.sentence == "Your move."
        assert window.page.title().startswith("● Your turn")
        window.cell("2").click()
        window.cell("4").click()
        expect(window.find(".log li")).to_have_count(2)
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C"))
        window.page.get_by_role("button", name="Take back").click()
        expect(window.find(".log li")).to_have_count(0)
        window.page.reload()
        window.wait_for_view()
        expect(window.find(".log li")).to_have_count(0)


SHORT_GAME = 19
"""A seed with which Cross Over ends after five turns."""


def test_a_friend_by_link(browser: Browser, server: Server) -> None:
    """Invite, play to the end with a reload in the middle, and again with the seats swapped."""
    with friends(browser, server, "Cross Over") as (one, two):
        assert "#" not in two.page.url

        def reload(turn: int) -> None:
            if turn == 3:
                two.page.reload()
                two.wait_for_view()

        assert play_to_the_end((one, two), SHORT_GAME, reload) > 3
        assert {one.sentence, two.sentence} == {"You won.", "You lost."}
        one.page.get_by_role("button", name="Rematch").click()
        expect(two.find(".questions")).to_contain_text("Player 1 wants a rematch")
        expect(two.page.get_by_role("button", name="Rematch", exact=True)).to_have_count(0)
        two.page.get_by_role("button", name="Accept").click()
        for window in (one, two):
            expect(window.find(".duel.over")).to_have_count(0)
            window.wait_for_view()
        expect(two.find(".plate.P1:not(.right)")).to_contain_text("You")
        expect(one.find(".plate.P2:not(.right)")).to_contain_text("You")
        expect(one.find(".happened")).to_have_text("Seats are swapped: you are player 2 now.")


def test_a_number_stays_secret_until_both_have_chosen(browser: Browser, server: Server) -> None:
    """What reaches the other window is the same to the byte, whatever number was chosen."""
    seen = []
    for number in (2, 4):
        with friends(browser, server, "Flag Chase") as (one, two):
            open_battle(one, two)
            start, asked = len(two.frames), len(two.responses)
            one.find("button.number").nth(number - 1).click()
            expect(one.find(".card.P1 .card-state")).to_have_text(f"You chose {number}")
            expect(two.find(".card.P1 .card-state")).to_contain_text("ready")
            two.page.reload()
            two.wait_for_view()
            expect(two.find(".duel-head .goal")).not_to_have_text("")  # the last answer
            expect(two.find(".card.P1 .card-state")).to_contain_text("ready")
            assert f"{number}" not in two.find(".card.P1").inner_text().replace("Player 1", "")
            game = one.page.url.rsplit("/", 1)[1]
            # Who is connected is said again if the server hears late that a window was closed.
            told = [frame for frame in two.frames[start:] if '"type":"presence"' not in frame]
            frames = [frame.replace(game, "GAME") for frame in told]
            bodies = {
                path.replace(game, "GAME"): body.replace(game.encode(), b"GAME")
                for path, body in two.bodies(asked).items()
                if not is_a_file_of_the_page(path, body)
            }
            assert "/game/GAME" in bodies
            seen.append((frames, bodies))
            two.find("button.number").nth(0).click()
            expect(two.find(".card.P1 .card-front")).to_have_text(f"{number}")
            expect(two.find(".log li").last).to_contain_text(f"{number}")
    assert seen[0] == seen[1]
    assert seen[0][0]


def is_a_file_of_the_page(path: str, body: bytes) -> bool:
    """Whether a response is an unchanged file of the page: icons are asked for at any time."""
    file = PAGE.parent / path.removeprefix("/")
    return file.is_file() and file.read_bytes() == body


def open_battle(one: Window, two: Window) -> None:
    """Walk toward each other until a battle is open."""
    windows = (one, two)
    for turn in range(20):
        mover = windows[turn % 2]
        expect(mover.find("button.move:enabled, button.number").first).to_be_visible()
        if mover.find("button.number").count():
            break
        mover.find("button.move").first.click()
    for window in windows:
        expect(window.find("button.number").first).to_be_visible()


def test_the_page_comes_back_when_the_server_does(browser: Browser, tmp_path: Path) -> None:
    """Killed in the middle of a game: the page says so, comes back, and play goes on."""
    with Server(tmp_path) as server, opened(browser, server) as window:
        window.begin("Cross Over")
        window.find("button.move").first.click()
        expect(window.find(".log li")).to_have_count(1)
        server.close()
        expect(window.find(".connection")).to_contain_text("Connection lost")
        server.start()
        expect(window.find(".connection")).to_be_hidden()
        expect(window.find(".log li")).to_have_count(1)
        window.find("button.move").first.click()
        expect(window.find(".log li")).to_have_count(2)


def test_play_goes_on_where_motion_cannot_be_loaded(browser: Browser, server: Server) -> None:
    """The file is asked for with the first move; the server may be away just then."""
    with opened(browser, server) as window:
        window.page.route("**/motion.js", lambda route: route.abort())
        window.begin("Cross Over")
        for turn in (1, 2):
            window.find("button.move:enabled").first.click()
            expect(window.find(".log li")).to_have_count(turn)
        expect(window.find("button.move:enabled").first).to_be_visible()


def test_moves_are_offered_when_a_friend_reloads_while_pieces_glide(
    browser: Browser, server: Server
) -> None:
    """The friend's absence arrives in the middle of the friend's move, and does not swallow it."""
    with opened(browser, server, reduced_motion=None) as one, opened(browser, server) as two:
        one.begin("Cross Over", "A friend by link", "Player 2")
        two.page.goto(one.find(".invitation .link").input_value())
        two.find("button.move:enabled").first.wait_for()
        one.page.evaluate(SLOW_MOTION)
        two.find("button.move").first.click()
        two.page.reload()
        expect(one.find(".log li")).to_have_count(1)
        expect(one.find("button.move:enabled").first).to_be_visible()
        one.find("button.move").first.click()
        expect(two.find(".log li")).to_have_count(2)


def test_with_the_keyboard_alone(browser: Browser, server: Server) -> None:
    """From the first page to the end of a game, and the focus is never lost."""
    with opened(browser, server) as window:
        page = window.page
        window.go()
        window.choose("Someone here")
        window.page.evaluate("document.activeElement.blur()")
        press_until(window, "Tab", ".game:has-text('Cross Over') .card-start", "Play")
        page.keyboard.press("Enter")
        window.wait_for_view()
        expect(window.find("button.move").first).to_be_visible()
        press_until(window, "Tab", ".cell", "")
        page.keyboard.press("Home")
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        assert focused(window).startswith("Cell 2, P1-C")
        page.keyboard.press("Enter")
        expect(window.find(".cell.reach")).to_have_count(2)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(window.find(".log li")).to_have_count(1)
        assert focused(window).startswith("Cell 3, ")
        expect(window.find("button.move").first).to_contain_text("9 → 7")
        page.keyboard.press("/")
        page.keyboard.type("P2-C+2")
        page.keyboard.press("Enter")
        expect(window.find(".log li")).to_have_count(2)
        for turn in range(2, 60):
            expect(window.find(".log li")).to_have_count(turn)
            if window.is_over:
                break
            page.keyboard.press("Escape")
            expect(window.find("button.move:enabled").first).to_be_visible()
            page.evaluate("document.querySelector('.cell[tabindex=\"0\"]').focus()")
            page.keyboard.press("1")
        assert window.is_over


def press_until(window: Window, key: str, selector: str, words: str) -> None:
    """Press a key until the focus is on such an element."""
    for _ in range(80):
        window.page.keyboard.press(key)
        found = window.find(f"{selector}:focus")
        if found.count() and words in found.inner_text():
            return
    raise AssertionError(f"{selector} {words} is not reached by {key}")


def focused(window: Window) -> str:
    """The label of the element that has the focus."""
    return str(window.page.evaluate("document.activeElement.getAttribute('aria-label') ?? ''"))


@pytest.mark.long
def test_the_boards_of_the_first_page_are_alive(browser: Browser, server: Server) -> None:
    """Pieces move by themselves, unless little motion is wanted."""
    with opened(browser, server, reduced_motion="no-preference") as window:
        window.go()
        piece = window.find(".game .piece").first
        piece.wait_for()
        start = piece.get_attribute("style")
        expect(piece).not_to_have_attribute("style", start or "")


def test_by_touch_and_by_dragging(browser: Browser, server: Server) -> None:
    """A tap shows where a piece can go, and a second one goes there; a piece can be dragged."""
    with opened(browser, server, has_touch=True, viewport={"width": 390, "height": 760}) as window:
        window.begin("Cross Over")
        window.cell("1").tap()
        expect(window.find(".cell.reach")).to_have_count(1)
        window.cell("3").tap()
        expect(window.find(".log li")).to_have_count(1)
    with opened(browser, server) as window:
        window.begin("Cross Over")
        window.cell("2").hover()
        expect(window.find(".cell.reach")).to_have_count(2)
        window.cell("2").drag_to(window.cell("4"))
        expect(window.find(".log li")).to_have_count(1)
        expect(window.cell("4")).to_have_attribute("aria-label", re.compile("P1-C"))


def test_a_spectator_sees_and_does_nothing(browser: Browser, server: Server) -> None:
    with friends(browser, server, "Cross Over") as (one, two), opened(browser, server) as third:
        one.more("Let others watch")
        third.page.goto(one.find("dialog .link").input_value())
        third.wait_for_view()
        one.page.get_by_role("button", name="Close").click()
        one.find("button.move").first.click()
        expect(third.find(".log li")).to_have_count(1)
        expect(third.find("button.move")).to_have_count(0)
        expect(third.page.get_by_role("button", name="Resign")).to_have_count(0)
        expect(two.find("button.move").first).to_be_visible()


def test_asking_to_take_back_and_resigning(browser: Browser, server: Server) -> None:
    """The other player is asked; a resignation is asked about once."""
    with friends(browser, server, "Cross Over") as (one, two):
        one.find("button.move").first.click()
        expect(two.find(".log li")).to_have_count(1)
        one.page.get_by_role("button", name="Take back").click()
        two.page.get_by_role("button", name="Allow").click()
        expect(one.find(".log li")).to_have_count(0)
        two.more("Resign")
        two.find("dialog .primary").click()
        expect(one.find(".duel.over")).to_have_count(1)


@pytest.mark.parametrize(
    "width", [320, *(pytest.param(one, marks=pytest.mark.long) for one in (768, 1440))]
)
def test_every_width_has_room(browser: Browser, server: Server, width: int) -> None:
    """No page scrolls sideways, and cells are large enough to tap, on the longest track too."""
    with opened(browser, server, viewport={"width": width, "height": 800}) as window:
        window.go()
        window.find(".game .cell").first.wait_for()
        assert overflow(window) <= 0
        created = server.create(toml=LONGEST, opponent="here")
        window.go(f"/game/{created['id']}#{next(iter(created['seats'].values()))}")
        window.wait_for_view()
        expect(window.find(".cell")).to_have_count(64)
        assert overflow(window) <= 0
        boxes = [cell.bounding_box() for cell in window.find(".cell").all()]
        for box in boxes:
            assert box is not None
            assert box["width"] >= 24
            assert box["height"] >= 24
            assert 0 <= box["x"] <= width - box["width"]


def overflow(window: Window) -> int:
    """How many pixels a page is wider than its window."""
    return int(window.page.evaluate("document.documentElement.scrollWidth - innerWidth"))


LONGEST = """
title = "Long road"
summary = "The longest track with the most pieces."
[track]
first = 0
last = 63
[player1]
pieces = { A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7 }
goal = [63]
[player2]
pieces = { S = 63, T = 62, U = 61, V = 60, W = 59, X = 58, Y = 57, Z = 56 }
goal = [0]
[turn]
first = "player1"
[move]
steps = [1, 2, 3, 5]
edge = "illegal"
jump = true
[meet]
own = "shared"
enemy = "captured"
"""


def test_the_first_paint_is_small(browser: Browser, server: Server) -> None:
    """Everything that the first page loads is less than 150 KB together."""
    with opened(browser, server, is_new=True) as window:
        window.go()
        window.find(".game .cell").first.wait_for()
        window.page.wait_for_load_state("networkidle")
        kinds = "['navigation', 'resource']"
        loaded = f"{kinds}.flatMap((kind) => performance.getEntriesByType(kind))"
        total = window.page.evaluate(f"{loaded}.reduce((sum, one) => sum + one.transferSize, 0)")
        assert 0 < total < 150_000


def test_a_game_can_be_begun_before_the_boards_are_there(browser: Browser, server: Server) -> None:
    """The first page brings its games along: none of them waits for a question or for its board."""
    waiting: list[Route] = []
    with opened(browser, server) as window:
        for late in ("**/api/games", "**/api/opponents", "**/page/board.js"):
            window.page.route(late, lambda route: waiting.append(route))
        window.go()
        expect(window.find(".card-start")).to_have_count(5)
        assert window.find(".game .cell").count() == 0
        window.page.get_by_role("button", name="Cross Over: Play").click()
        expect(window.page).to_have_url(re.compile("/game/"))
        for route in waiting:
            route.continue_()
        window.wait_for_view()


def test_clicking_a_piece_only_picks_it_and_staying_is_a_control(
    browser: Browser, server: Server
) -> None:
    """In Flag Chase, where a step off the track is how to stay."""
    with opened(browser, server) as window:
        window.begin("Flag Chase")
        expect(window.find(".cell.reach")).to_have_count(1)
        for _ in range(3):
            window.cell("1").click()
            expect(window.find(".cell.reach")).to_have_count(1)
        expect(window.find(".log li")).to_have_count(0)
        window.page.get_by_role("button", name="P1 stays where it is").click()
        expect(window.find(".log li").first).to_have_text("P1 stays")


def test_a_click_that_does_nothing_is_answered(browser: Browser, server: Server) -> None:
    """A piece that is stuck, an enemy, a cell out of reach: a sentence, also for screen readers."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "The computer")
        told = window.find(".happened")
        for cell, sentence in (
            ("5", "First choose a piece: P1-B or P1-C."),
            ("0", "P1-A cannot move this turn. First choose a piece: P1-B or P1-C."),
            ("9", "P2-B is not yours. First choose a piece: P1-B or P1-C."),
        ):
            window.cell(cell).click()
            expect(told).to_have_text(sentence)
            expect(window.find("#said")).to_have_text(sentence)
        window.cell("2").click()
        expect(told).to_be_empty()
        window.cell("7").click()
        expect(told).to_have_text("P1-C can go to 3 or 4.")
        expect(window.find(".piece.chosen")).to_have_count(1)  # it is still the one to move
        window.cell("4").click()
        expect(window.find(".log li")).to_have_count(2)
        expect(told).to_contain_text("The computer")


@pytest.mark.parametrize("size", [(320, 640), (844, 390), (390, 844)])
def test_a_game_begins_on_the_first_screen(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    """Whatever the screen: the button that begins a game need not be searched for."""
    with opened(browser, server, viewport={"width": size[0], "height": size[1]}) as window:
        window.go()
        play = window.page.get_by_role("button", name="Play Cross Over")
        box = play.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1]
        play.click()
        window.wait_for_view()


def test_whom_you_play_is_in_sight_and_sticks(browser: Browser, server: Server) -> None:
    """Three choices above the games; the one that was made is there at the next visit."""
    with opened(browser, server) as window:
        window.go()
        choices = window.find(".kinds").get_by_role("radio")
        expect(choices).to_have_count(3)
        expect(window.page.get_by_role("radio", name="The computer")).to_be_checked()
        window.page.get_by_role("radio", name="A friend by link").check()
        window.page.reload()
        expect(window.page.get_by_role("radio", name="A friend by link")).to_be_checked()
        window.page.get_by_role("button", name="Flag Chase: Play").click()
        expect(window.find(".invitation .link")).to_be_visible()


def test_the_end_offers_the_next_level_and_rematches_keep_the_score(
    browser: Browser, server: Server
) -> None:
    """After a loss an easier one; nothing is said about the accuracy of a resigned game."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "The computer")
        window.more("Resign")
        window.find("dialog .primary").click()
        expect(window.page.get_by_role("button", name="Try level 2")).to_be_visible()
        expect(window.find(".result-facts")).to_be_empty()
        expect(window.find(".plate.P1 > .face.sad")).to_have_count(1)
        window.page.get_by_role("button", name="Rematch").click()
        expect(window.find(".plate-score")).to_have_text(["0", "1"])  # yours is on the left
        window.go()
        expect(window.find(".game").first).to_contain_text("You won 0 of 1")


def test_a_rematch_from_my_games_keeps_the_score_too(browser: Browser, server: Server) -> None:
    """As one from the game's own page; opened again, the rematch counts nothing twice."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "The computer")
        window.more("Resign")
        window.find("dialog .primary").click()
        expect(window.page.get_by_role("button", name="Rematch")).to_be_visible()
        window.go("/games")
        window.page.get_by_role("button", name="Rematch").click()
        expect(window.find(".plate-score")).to_have_text(["0", "1"])
        window.page.reload()
        expect(window.find(".plate-score")).to_have_text(["0", "1"])


def test_at_one_screen_no_score_is_kept(browser: Browser, server: Server) -> None:
    """Nobody knows who sits where."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "Someone here")
        window.more("Resign")
        window.find("dialog .primary").click()
        window.page.get_by_role("button", name="Rematch").click()
        expect(window.find(".duel .call")).to_contain_text("Player 1 to move")
        expect(window.find(".plate-score:visible")).to_have_count(0)


def test_a_few_words_for_a_friend(browser: Browser, server: Server) -> None:
    """They stand beside the player for a moment, and are read out; the computer hears none."""
    with friends(browser, server, "Cross Over") as (one, two):
        one.find(".actions .say summary").click()
        one.page.get_by_role("button", name="Hello!").click()
        expect(two.find(".plate.P1 .plate-said")).to_have_text("Hello!")
        expect(two.find("#said")).to_have_text("Player 1 says: Hello!")
    with opened(browser, server) as window:
        window.begin("Cross Over", "The computer")
        expect(window.find(".actions .say")).to_have_count(0)


def test_games_can_be_deleted_and_chosen_by_result(browser: Browser, server: Server) -> None:
    with opened(browser, server) as window:
        window.begin("Cross Over", "The computer")
        window.more("Resign")
        window.find("dialog .primary").click()
        expect(window.find(".duel.over")).to_have_count(1)
        window.begin("Flag Chase", "The computer")
        window.go("/games")
        lines = window.find(".game-list li")
        expect(lines).to_have_count(2)
        expect(lines.first.locator(".board.small .piece")).to_have_count(2)
        expect(window.find(".records li")).to_have_text("Cross OverYou won 0 of 1")
        window.page.get_by_role("radio", name="Lost").check()
        expect(lines).to_have_count(1)
        window.page.get_by_role("button", name="Delete this game of Cross Over").click()
        window.find("dialog .primary").click()
        expect(lines).to_have_count(0)
        window.page.get_by_role("radio", name="All").check()
        expect(lines).to_have_count(1)


def test_how_to_win_is_said_and_the_rules_are_one_tap_away(
    browser: Browser, server: Server
) -> None:
    """Under the title, for one's own side; with a picture each for moving, meeting and winning."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "Computer", "Player 2")
        goal = "Get a piece to 0, 1 or 2 or take all enemy pieces."
        expect(window.find(".duel-head .goal")).to_have_text(goal)
        window.page.get_by_role("button", name="Rules").click()
        expect(window.find("dialog .rule-picture")).to_have_count(3)
        expect(window.find("dialog")).to_contain_text("A turn cannot be skipped")


@pytest.mark.parametrize("size", [(390, 844), (320, 640), (844, 390)])
def test_a_phone_has_the_board_in_one_row_and_a_battle_in_sight(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    """The board has at least 40 % of the height; the numbers of a battle need no scrolling."""
    width, height = size
    with opened(browser, server, viewport={"width": width, "height": height}) as window:
        window.begin("Cross Over")
        boxes = [cell.bounding_box() for cell in window.find(".cell").all()]
        assert len({box["y"] for box in boxes if box}) == 1
        stage = window.find(".stage").bounding_box()
        assert stage is not None
        assert stage["height"] >= 0.4 * height
        assert stage["width"] == width
        assert overflow(window) <= 0
        window.begin("Flag Chase", "Computer")
        for _ in range(30):
            expect(window.find("button.move:enabled, button.number").first).to_be_visible()
            if window.find("button.number").count():
                break
            window.find("button.move:enabled").first.click()
        for number in window.find("button.number").all():
            box = number.bounding_box()
            assert box is not None
            assert 0 <= box["y"] <= height - box["height"]


def test_both_can_agree_to_stop(browser: Browser, server: Server) -> None:
    """The friend is asked; the game then ends without a winner, and both may play again."""
    with friends(browser, server, "Flag Chase") as (one, two):
        one.find("button.move").first.click()
        expect(two.find(".log li")).to_have_count(1)
        one.more("Offer to stop")
        two.page.get_by_role("button", name="Play on").click()
        expect(one.find(".questions")).to_contain_text("wants to play on")
        one.more("Offer to stop")
        two.page.get_by_role("button", name="Agree").click()
        for window in (one, two):
            expect(window.find(".sentence")).to_have_text("Nobody won.")
        assert '[Termination "agreement"]' in record_of(one)


def record_of(window: Window) -> str:
    """The record of the game in a window, as it is downloaded."""
    with window.page.expect_download() as download:
        window.more("Download the record")
    return Path(download.value.path()).read_text()


def test_a_move_is_seen_before_the_server_has_answered(browser: Browser, server: Server) -> None:
    """The piece stands on its new cell within three pictures (50 ms), while nothing can be sent."""
    with opened(browser, server) as window:
        window.begin("Cross Over")
        window.cell("2").click()
        pictures = window.page.evaluate(
            """async () => {
              const cell = document.querySelector('[data-cell="4"]');
              const piece = document.querySelectorAll('.piece')[2];
              const before = piece.style.transform;
              WebSocket.prototype.send = () => {};
              cell.click();
              let pictures = 0;
              for (; piece.style.transform === before && pictures < 100; pictures += 1)
                await new Promise(requestAnimationFrame);
              return pictures;
            }"""
        )
        assert pictures <= 3
        expect(window.find(".log li")).to_have_count(0)


HELD_MOTION = """() => {
  const { animate } = Element.prototype;
  const held = [];
  Element.prototype.animate = function (frames, options) {
    const motion = animate.call(this, frames, options);
    motion.pause();
    held.push(motion);
    return motion;
  };
  window.letGo = () => {
    Element.prototype.animate = animate;
    for (const motion of held) motion.finish();
  };
}"""


@pytest.mark.parametrize("is_own", [True, False])
def test_the_words_follow_the_piece(browser: Browser, server: Server, is_own: bool) -> None:
    """Neither the result nor a captured piece is shown before the piece has landed.

    Your own move is shown before the server has answered, one made elsewhere when it comes.
    """
    created = server.create(game="cross-over", opponent="here", position="x,x,4/6,x,x/1")
    with opened(browser, server, reduced_motion="no-preference") as window:
        window.go(f"/game/{created['id']}#{created['seats']['P1']}")
        expect(window.find("button.move:enabled")).to_have_count(2)
        window.page.evaluate(HELD_MOTION)
        if is_own:
            window.cell("4").click()
            window.cell("6").click()
        else:
            with server.join(created["id"], created["seats"]["P1"]) as elsewhere:
                elsewhere.move("P1-C+2")
        while not any('"winner":"P1"' in frame for frame in window.frames):
            window.page.wait_for_timeout(20)
        assert window.sentence != "Player 1 won."
        assert window.turns == 0
        expect(window.find(".result-card")).to_be_hidden()
        assert window.find(".plate.P1 .plate-taken .face").count() == 2
        window.page.evaluate("() => window.letGo()")
        expect(window.find(".sentence")).to_have_text("Player 1 won.")
        expect(window.find(".result-card")).to_be_visible()
        expect(window.find(".plate.P1 .plate-taken .face")).to_have_count(3)


def test_an_invitation_has_an_address_that_a_friend_can_reach(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    """Or else it says which command opens the server to the network."""
    named = Server(tmp_path, "--allow-host", "duel.example")
    with named, opened(browser, named) as window:
        window.begin("Cross Over", "A friend by link")
        link = re.compile(rf"^http://duel\.example:{named.port}/game/\w+#i\.")
        expect(window.find(".invitation .link")).to_have_value(link)
        expect(window.find(".only-here")).to_have_count(0)
    with opened(browser, server) as window:
        window.begin("Cross Over", "A friend by link")
        expect(window.find(".only-here")).to_contain_text("lineduel serve --host 0.0.0.0")


def test_my_games_are_listed_with_their_results(browser: Browser, server: Server) -> None:
    """Running and finished ones; the file that is exported opens the seats elsewhere."""
    with opened(browser, server) as window:
        window.begin("Cross Over", "Computer")
        window.more("Resign")
        window.find("dialog .primary").click()
        expect(window.find(".duel.over")).to_have_count(1)
        window.begin("Flag Chase", "Computer")
        window.go("/games")
        lines = window.find(".game-list li")
        expect(lines).to_have_count(2)
        expect(lines.nth(0)).to_contain_text("Your turn")
        expect(lines.nth(0).get_by_role("link", name="Continue")).to_be_visible()
        expect(lines.nth(1)).to_contain_text("You lost.")
        with window.page.expect_download() as download:
            window.page.get_by_role("button", name="Export").click()
        exported = str(download.value.path())
        window.page.evaluate("localStorage.clear()")
        window.page.reload()
        expect(lines).to_have_count(0)
        window.find("input[type=file]").set_input_files(exported)
        expect(lines).to_have_count(2)
        lines.nth(0).get_by_role("link", name="Flag Chase").click()
        window.wait_for_view()
        expect(window.find("button.move:enabled").first).to_be_visible()


def test_the_end_keeps_the_board_in_sight_and_is_celebrated_without_motion_too(
    browser: Browser, server: Server
) -> None:
    """The card lies on the meadow below the road, and paper on the grass."""
    for width, height in ((320, 640), (390, 844), (844, 390), (1440, 900)):
        created = server.create(game="cross-over", opponent="level:1", position="0,1,7/10,9,6/1")
        with opened(browser, server, viewport={"width": width, "height": height}) as window:
            window.go(f"/game/{created['id']}#{created['seats']['P1']}")
            window.wait_for_view()
            window.page.get_by_role("button", name="P1-C to 8").click()
            card = window.find(".result-card")
            expect(card).to_be_visible()
            expect(window.find(".paper").first).to_be_attached()
            below, road = card.bounding_box(), window.find(".track").bounding_box()
            assert below
            assert road
            assert 0 <= road["y"] < road["y"] + road["height"] <= below["y"] < height
            assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_tap_on_the_first_duel_counts_before_its_moves_are_there(
    browser: Browser, server: Server
) -> None:
    with opened(browser, server) as window:
        held: list[Route] = []
        window.page.route("**/api/moves", lambda route: held.append(route))
        with window.page.expect_request("**/api/moves"):
            window.go()
        window.cell("1").click()
        held[0].continue_()
        expect(window.find(".duel-prompt")).to_have_text("Now tap where it should go.")


def test_the_first_page_begins_with_a_duel(browser: Browser, server: Server) -> None:
    """It says its goal; no first move loses, whichever it is, and a careless second one does."""
    with opened(browser, server) as window:
        window.go()
        prompt = window.find(".duel-prompt")
        again = window.page.get_by_role("button", name="Play it again")
        for cells, told in (("135", "You won!"), ("124", "You won!"), ("123", "it took you")):
            expect(prompt).to_have_text("Reach the orange flag: tap the blue one.")
            for at, cell in enumerate(cells[1:]):
                window.find(f'.first-duel .cell[data-cell="{cells[at]}"].movable').click()
                window.find(f'.first-duel .cell[data-cell="{cell}"].reach').click()
                if at == 0:
                    expect(prompt).to_have_text("Go on to the flag, or take orange.")
            expect(prompt).to_contain_text(told)
            camps = window.find(".first-duel .tent").all()
            button = again.bounding_box()
            assert button is not None
            for camp in camps:
                box = camp.bounding_box()
                assert box is not None
                assert (
                    box["x"] + box["width"] <= button["x"]
                    or button["x"] + button["width"] <= box["x"]
                )
            again.click()
