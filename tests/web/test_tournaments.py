"""The ladder as a page, and a tournament watched in a real browser while it is played."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, expect

from lineduel.documents.schemas import schema_text
from support.program import Program
from support.web_server import Server
from support.web_windows import Window, opened

SLOW = 60_000
"""Milliseconds for what is solved or played first, on a busy machine."""

PATIENT_ENGINE = """
import sys, time
from pathlib import Path
from lineduel.bot import run_bot

asked = 0

def choose(question):
    global asked
    asked += 1
    while asked > 30 and not Path(sys.argv[1]).exists():
        time.sleep(0.02)
    return question.choices[0]

run_bot("patient", choose)
"""
"""Plays a few games, and goes on when a file is there."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tournaments")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), "--tournament", str(folder)) as started:
        yield started


def check(window: Window) -> None:
    """No rule of accessibility is broken here, and nothing sticks out."""
    found = Axe().run(window.page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
    assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_ladder_is_a_page(browser: Browser, server: Server) -> None:
    """From the first page and from study; each seat apart, every variant."""
    with opened(browser, server, viewport={"width": 320, "height": 800}) as window:
        window.go("/study/ctf-tokens")
        window.find("#main").get_by_role("link", name="Strength of the levels").click()
        expect(window.find(".scores")).to_be_visible()
        ladder = server.ask("/api/ladder/ctf-tokens")[1]
        rows = window.find(".strengths").first.locator("tbody th")
        assert rows.first.inner_text() == "perfect play"
        assert rows.last.inner_text() == "level 1 (random)"
        check(window)
        pair = next(
            one
            for one in ladder["results"]
            if (one["player1"], one["player2"]) == ("perfect", "level:1")
        )
        for seat, share in (
            ("both seats", ladder["scores"][-1][0]),
            ("player 1", pair["win1"] + pair["endless"] / 2),
        ):
            window.page.get_by_role("radio", name=seat).check()
            shown = window.find(".scores tbody tr").first.locator("td").last.inner_text()
            assert int(re.sub("[<>]", "", shown)) == pytest.approx(100 * share, abs=1)
        window.page.get_by_label("Game", exact=True).select_option("cross-over:no-jump")
        expect(window.page).to_have_url(re.compile("/ladder/cross-over:no-jump$"))
        expect(window.find(".scores")).to_be_visible()
        window.go("/ladder")
        expect(window.page).to_have_url(re.compile("/ladder/[a-z-]+$"))


def test_a_running_tournament_is_watched_live(
    browser: Browser, server: Server, folder: Path, program: Program
) -> None:
    """Its table grows while it is played, and each of the newest games can be replayed."""
    gate = program.folder / "go"
    engine = program.folder / "patient.py"
    engine.write_text(PATIENT_ENGINE)
    players = (f"engine:{sys.executable} {engine} {gate}", "level:1")
    with opened(browser, server, color_scheme="dark") as window:
        window.go("/tournament")
        expect(window.find(".tournament .quietly")).to_contain_text("shows no tournaments")
        with program.started(
            "tournament", "cross-over", "--players", *players, "--games", "20", "--cores", "1",
            "--movetime", "600000", "--file", str(folder / "now.jsonl"),
        ) as running:  # fmt: skip
            while not (folder / "now.jsonl").exists():
                assert running.poll() is None
                window.page.wait_for_timeout(50)
            window.go("/tournament/now.jsonl")
            expect(window.find(".newest-games li").first).to_be_visible()
            expect(window.find(".tournament")).to_contain_text(" of 20 games played")
            gate.touch()
            expect(window.find(".tournament")).to_contain_text(
                "Finished: 20 games played", timeout=SLOW
            )
            assert running.wait() == 0
        assert window.find(".strength-margin").count() == 2
        expect(window.find(".newest-games li")).to_have_count(12)
        check(window)
        window.find(".newest-games button").first.click()
        window.page.get_by_role("button", name="End").click()
        expect(window.find(".sentence")).to_contain_text(" won.")
        check(window)
        turns = window.find(".turns li").count()
        window.page.get_by_role("button", name="Back").click()
        expect(window.find(".turns li.now")).to_have_attribute("value", str(turns - 1))
        window.go()
        window.page.get_by_role("link", name="Cross Over").click()
        expect(window.find(".strengths")).to_be_visible()


def test_a_tournament_over_http_says_what_the_command_does(
    server: Server, folder: Path, program: Program
) -> None:
    """The table is that of `lineduel tournament --json`; what is no tournament is refused."""
    path = folder / "short.jsonl"
    done = program(
        "tournament", "flag-chase", "--players", "level:1", "level:2", "--games", "10",
        "--file", str(path), "--json",
    )  # fmt: skip
    assert done.status == 0
    (folder / "other.jsonl").write_text('{"lineduel": "sweep"}\n')
    names = [one["name"] for one in server.ask("/api/tournaments")[1]]
    assert "short.jsonl" in names
    assert "other.jsonl" not in names
    status, watched = server.ask("/api/tournaments/short.jsonl")
    assert (status, watched["played"], watched["done"]) == (200, 10, 1)
    assert watched["tournament"] == json.loads(done.out)
    jsonschema.validate(watched, json.loads(schema_text("watched-tournament")))
    line = watched["newest"][0]["line"]
    status, game = server.ask(f"/api/tournaments/short.jsonl/games/{line}")
    assert len(game["turns"]) == watched["newest"][0]["plies"]
    assert server.ask("/api/tournaments/short.jsonl/games/99")[0] == 409
    for wrong, expected in (
        ("nothing.jsonl", 404),
        ("..%2Fshort.jsonl", 404),
        ("other.jsonl", 400),
    ):
        status, answer = server.ask(f"/api/tournaments/{wrong}")
        assert (status, set(answer)) == (expected, {"error"})
    with path.open("a") as file:
        file.write('{"game": 1, "player1": "level:1"')
    assert server.ask("/api/tournaments/short.jsonl")[1]["played"] == 10
    with path.open("a") as file:
        file.write("}\n")
    status, answer = server.ask("/api/tournaments/short.jsonl")
    assert status == 400
    assert "line 12" in answer["error"]


def test_a_path_that_holds_no_tournament_is_told(program: Program, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n")
    for path, told in ((wrong, "is not the file of a tournament"), (tmp_path / "x", "no file")):
        done = program("serve", "--port", "0", "--tournament", str(path))
        assert done.status == 2
        assert told in done.err
