"""The pages of audits, repairs and sweeps, opened in a real browser, and the pictures of sweeps."""

import re
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Locator, Page as Opened

from lineduel import __version__
from lineduel.engine import Game, Move
from lineduel.lab import audit, audit_page, draw_heat_map, draw_plot
from lineduel.lab.audit import Evidence
from lineduel.record import Record
from lineduel.rulebooks import find_rulebook
from lineduel.rules import rulebook_from_data
from lineduel.solve import Cache
from support.browser_pages import opened_file
from support.program import Program


def check_colophon(shown: Opened, game: str, made: date | None = None) -> None:
    """The date, the version, and a rulebook file that is the game."""
    day = shown.locator("time").get_attribute("datetime")
    assert day == str(made or date.today())
    assert f"lineduel {__version__}" in shown.locator("body").inner_text()
    text = shown.locator("#rulebook").text_content() or ""
    read = rulebook_from_data(tomllib.loads(text), game)
    assert read == find_rulebook(game)


def test_the_page_of_an_audit_has_boards_that_can_be_stepped_through(
    browser: Browser, program: Program
) -> None:
    """By the buttons and by the arrow keys, to the end of the evidence and back."""
    done = program("audit", "flag-chase", "--html", "audit.html")
    assert done.out.startswith("Flag Chase (flag-chase): 1 of 4 claims hold.\n")
    with opened_file(browser, program.folder / "audit.html") as shown:
        assert shown.locator(".count").inner_text() == "1 of 4 claims hold"
        check_colophon(shown, "flag-chase")
        board = shown.locator(".replay").first
        said, pieces = board.locator(".said"), board.locator(".piece")
        start = places(pieces)
        total = int(re.search(r"start of (\d+) turns", said.inner_text())[1])  # type: ignore[index]
        assert board.get_by_role("button", name="Back").is_disabled()
        board.get_by_role("button", name="Next").click()
        assert said.inner_text().startswith(f"Turn 1 of {total}: P1 1→2")
        assert places(pieces) != start
        board.focus()
        for _ in range(total):
            shown.keyboard.press("ArrowRight")
        assert said.inner_text().startswith(f"Turn {total} of {total}: ")
        assert board.get_by_role("button", name="Next").is_disabled()
        shown.keyboard.press("ArrowLeft")
        assert said.inner_text().startswith(f"Turn {total - 1} of {total}: ")
        shown.keyboard.press("Home")
        assert places(pieces) == start
        board.get_by_role("button", name="End").click()
        assert said.inner_text().startswith(f"Turn {total} of {total}: ")


def places(pieces: Locator) -> list[str]:
    return ["".join(re.findall(r"\d+px", str(one.get_attribute("style")))) for one in pieces.all()]


@pytest.mark.parametrize("address", ["cross-over", "flag-chase", "ctf-soldiers"])
def test_each_step_shows_the_position_after_the_turn(
    address: str, browser: Browser, tmp_path: Path
) -> None:
    """Every piece stands in the box of its cell, and one that was taken is not seen."""
    game = Game(find_rulebook(address))
    position, moves = game.start(), list[Move]()
    while game.outcome(position) is None and len(moves) < 25:
        legal = game.moves(position)
        moves.append(legal[len(moves) % len(legal)])
        position = game.play(position, moves[-1])
    record = Record(rulebook=game.rulebook, start=game.start(), moves=tuple(moves))
    audited = audit(game.rulebook, cache=Cache())
    shown_line = replace(audited.findings[0], evidence=Evidence("A line of play.", record))
    path = tmp_path / "replay.html"
    page = audit_page(replace(audited, findings=(shown_line,)), date(2026, 5, 4))
    path.write_text(page, encoding="utf-8")
    with opened_file(browser, path) as shown:
        check_colophon(shown, address, date(2026, 5, 4))
        shown.add_style_tag(content=".piece{transition:none!important}")
        shown.locator(".replay").focus()  # the page scrolls there before anything is measured
        cells = boxes(shown.locator(".replay .cell"))
        pieces = shown.locator(".replay .piece")
        for position in record.positions():
            stands = [*position.player1, *position.player2]
            for box, cell in zip(boxes(pieces), stands, strict=True):
                assert (box is not None) is (cell is not None)
                if box is not None and cell is not None:
                    around = cells[cell - game.rules.track.first]
                    assert around is not None
                    assert around["left"] <= box["left"] <= around["right"]
                    assert around["top"] <= box["top"]
                    assert box["bottom"] <= around["bottom"]
            shown.locator(".replay").press("ArrowRight")


def boxes(elements: Locator) -> list[dict[str, float] | None]:
    """Where each of these elements is on the screen; None for one that is not seen."""
    found: list[dict[str, float] | None] = elements.evaluate_all(
        """all => all.map(one => {
            const box = one.getBoundingClientRect();
            const isSeen = box.width && getComputedStyle(one).visibility === "visible";
            return isSeen ? box.toJSON() : null;
        })"""
    )
    return found


def test_the_page_of_repairs_has_each_repair_with_its_best_play(
    browser: Browser, program: Program
) -> None:
    done = program(
        "repair", "flag-chase", "--max-changes", "1", "--cores", "1", "--html", "repairs.html"
    )
    assert done.status == 0, done.err
    assert "The page is in repairs.html." in done.out
    with opened_file(browser, program.folder / "repairs.html") as shown:
        assert shown.locator(".count").inner_text() == "1 of 4 claims hold"
        check_colophon(shown, "flag-chase")
        repair = shown.locator("#repair-1")
        assert "battle.wins=cyclic" in repair.locator(".verdict").inner_text()
        repair.get_by_role("button", name="Next").click()
        assert repair.locator(".said").inner_text().startswith("Turn 1 of ")


def test_the_page_of_a_sweep_has_heat_maps_and_every_row(
    browser: Browser, program: Program
) -> None:
    vary = ("--vary", "track.length=9..12", "--vary", "move.steps=1,2|1,2,3")
    done = program("sweep", "ctf-tokens", *vary, "--cores", "1", "--html", "sweep.html")
    assert done.status == 0, done.err
    with opened_file(browser, program.folder / "sweep.html") as shown:
        assert shown.locator(".count").inner_text() == "4 of 4 claims hold"
        check_colophon(shown, "ctf-tokens")
        titles = [one.text_content() for one in shown.locator("svg .title").all()]
        assert "seat_best by track.length and move.steps" in titles
        assert shown.locator(".wide tr").count() == 1 + 8
        for picture in shown.locator("svg").all():
            check_no_text_collides(picture)


def check_no_text_collides(picture: Locator) -> None:
    """No two texts of a picture lie on one another, and none sticks out of it."""
    (whole,) = boxes(picture)
    assert whole is not None
    texts = picture.locator("text")
    told = [
        (words, box)
        for words, box in zip(texts.all_text_contents(), boxes(texts), strict=True)
        if box is not None
    ]
    for number, (words, one) in enumerate(told):
        assert one["left"] >= whole["left"] - 1, words
        assert one["right"] <= whole["right"] + 1, words
        for others, other in told[:number]:
            apart = (
                one["right"] <= other["left"] + 0.5
                or other["right"] <= one["left"] + 0.5
                or one["bottom"] <= other["top"] + 4  # a line's box is taller than it
                or other["bottom"] <= one["top"] + 4
            )
            assert apart, (words, others)


# Pictures of sweeps


def rows(groups: list[str]) -> list[dict[str, object]]:
    """Rows of whole and of broken numbers, some without figures."""
    found: list[dict[str, object]] = []
    for length in range(9, 16):
        for at, group in enumerate(groups):
            row: dict[str, object] = {
                "number": len(found),
                "track.length": str(length),
                "move.steps": group,
                "status": "done",
                "plies": length * 3 + at,
                "drama": (length - 12) / 7 + at / 50,
                "positions": 10**at * length,
            }
            if (length, at) == (9, 1):
                row = {key: row[key] for key in list(row)[:3]} | {"status": "too large: it is"}
            found.append(row)
    return found


def texts(picture: str, kind: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    return [one.text or "" for one in root.iter(f"{space}text") if one.get("class") == kind]


def test_whole_numbers_have_whole_ticks() -> None:
    picture = draw_plot(rows(["1,2"]), "track.length", "plies")
    labels = [one for one in texts(picture, "small") if re.fullmatch(r"[\d.,-]+", one)]
    assert {"9", "10", "11", "12", "13", "14", "15"} <= set(labels)
    assert all("." not in one for one in labels if one != "1,2")
    broken = texts(draw_plot(rows(["1,2"]), "track.length", "drama"), "small")
    assert any("." in one for one in broken)


@pytest.mark.parametrize("count", [1, 2, 6, 15])
def test_labels_of_plots_do_not_collide(count: int, browser: Browser, tmp_path: Path) -> None:
    """However many groups there are, and however long their names."""
    groups = [",".join(map(str, range(1, 2 + at))) for at in range(count)]
    pictures = [
        draw_plot(rows(groups), "track.length", "plies"),
        draw_plot(rows(groups[:6]), "track.length", "positions"),
        draw_heat_map(rows(groups), "track.length", "move.steps", "drama"),
        draw_heat_map(rows(groups), "move.steps", "track.length", "plies"),
    ]
    path = tmp_path / "plots.html"
    path.write_text(
        "<!doctype html><link rel=icon href='data:,'><meta charset=utf-8>"
        + "".join(f"<p>{one}</p>" for one in pictures),
        encoding="utf-8",
    )
    with opened_file(browser, path) as shown:
        for picture in shown.locator("svg").all():
            check_no_text_collides(picture)


def test_a_heat_map_has_a_box_for_each_combination(program: Program) -> None:
    vary = ("--vary", "track.length=9..12", "--vary", "move.steps=1,2|1,2,3")
    few = ("--cores", "1", "--file", "rows.jsonl")
    done = program("sweep", "ctf-tokens", *vary, *few, "--heat-map", "seat_best")
    assert done.status == 0, done.err
    picture = (program.folder / "sweep.svg").read_text(encoding="utf-8")
    assert len(re.findall(r"<rect [^>]*><title>seat_best=", picture)) == 8
    one_key = ("--vary", "track.length=9..12")
    for arguments, said in (
        ((*one_key, "--heat-map", "seat_best"), "--heat-map is for two keys that vary"),
        ((*vary, "--heat-map", "fun"), "There is no column fun."),
        ((*vary, "--heat-map", "drama", "--plot", "x=track.length", "y=drama"), "Give one"),
    ):
        refused = program("sweep", "ctf-tokens", *arguments, "--file", "other.jsonl")
        assert refused.status == 2
        assert said in refused.err


def test_an_audit_begins_with_how_many_claims_hold(program: Program) -> None:
    """And the variants side by side have a row for it."""
    first = program("audit", "cross-over").out.splitlines()[0]
    assert first == "Cross Over (cross-over): 5 of 5 claims hold."
    row = re.search(
        r"^properties that hold +(.*)$", program("audit", "flag-chase", "--variants").out, re.M
    )
    assert row is not None
    assert re.findall(r"\d of \d", row[1])[0] == "1 of 4"
