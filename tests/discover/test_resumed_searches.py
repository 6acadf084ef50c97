"""A search that was stopped: what was asked of it holds, and what is in its folder is safe."""

import argparse
import json
import re
import shlex
import signal
from contextlib import ExitStack

from lineduel.cli.discover import _amounts
from lineduel.discover import DesignSearch, DesignSpace, Discovery, SearchAmounts, SearchQuestion
from support.program import PATIENCE, Program, wait_for

ASKED = (
    *("--pieces", "1..2", "--cells", "5..9", "--meet", "captured", "--goal", "turns<=60"),
    *("--prefer", "elo_range", "--seed", "7"),
)
SEARCH = ("discover", *ASKED, "--cores", "1")


def stopped_search(program: Program, *more: str) -> list[str]:
    """The words of the command that an interrupted search names to go on."""
    ledger = program.folder / "f" / "search.jsonl"
    with program.started(*SEARCH, "--folder", "f", *more) as process:
        wait_for(ledger, 1, process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, said
    told = re.search(r"Resume with: lineduel (.*)", said)
    assert told is not None
    return shlex.split(told[1])


def found_in(program: Program, folder: str = "f") -> list[str]:
    """The names of what a search has left in its folder, but for its own file."""
    return sorted(one.name for one in (program.folder / folder).iterdir() if one.stem != "search")


def duels(*numbers: str) -> list[str]:
    return sorted(f"{number}.{kind}" for number in numbers for kind in ("certificate", "toml"))


def test_a_stopped_search_goes_on_as_it_was_asked(program: Program) -> None:
    """The command that it names tries no more than was asked, and keeps no more."""
    again = stopped_search(program, "--candidates", "1500", "--keep", "2", "--json")
    done = program(*again)
    assert done.status == 0, done.err
    document = json.loads(done.out)
    assert (document["tried"], len(document["found"])) == (1500, 2)
    whole = program(*SEARCH, "--candidates", "1500", "--keep", "2", "--folder", "whole", "--json")
    assert json.loads(whole.out) == document
    assert found_in(program) == [*duels("01", "02"), "gallery.html"]


def test_more_can_be_asked_of_a_stopped_search_and_is_remembered(program: Program) -> None:
    """Candidates and duels to keep are those that were asked for last."""
    program(*SEARCH, "--candidates", "500", "--keep", "1", "--folder", "f")
    asked = ("discover", "--resume", "--folder", "f", "--cores", "1", "--json")
    for more, tried, kept in (
        ((), 500, 1),
        (("--candidates", "700"), 700, 1),
        (("--keep", "3"), 700, 3),
        ((), 700, 3),
    ):
        document = json.loads(program(*asked, *more).out)
        assert (document["tried"], len(document["found"])) == (tried, kept)
    fewer = program(*asked, "--candidates", "699")
    assert fewer.status == 2
    assert (
        "The search in f has tried 700 candidates, and --candidates 699 asks for fewer."
        in fewer.err
    )


CONTRADICTIONS = {
    ("--seed", "99"): "another --seed: 7, not 99.",
    ("--prefer", "drama"): "another --prefer: elo_range, not drama.",
    ("--goal", "turns<=50"): "another --goal: turns<=60, not turns<=50.",
    ("--pieces", "1"): "another --pieces: 1..2, not 1.",
    ("--cells", "5..8"): "another --cells: 5..9, not 5..8.",
    ("--steps", "1..3"): "another --steps: -2..3, not 1..3.",
    ("--numbers", "3"): "another --numbers: 2..5, not 3.",
    ("--meet", "captured,wins"): "another --meet: captured, not captured,wins.",
    ("--words", "9"): "another --words: any number, not 9.",
    ("--positions", "5000"): "another --positions: 200, not 5000.",
    ("--like", "ctf-tokens"): "another --like: no game, not ctf-tokens.",
}


def test_what_contradicts_a_stopped_search_is_refused(program: Program) -> None:
    """One option at a time; what was asked before may be repeated, in whole or in part."""
    program(*SEARCH, "--candidates", "40", "--keep", "1", "--folder", "f")
    before = (program.folder / "f/search.jsonl").read_bytes()
    again = ("discover", "--resume", "--folder", "f", "--cores", "1")
    for option, said in CONTRADICTIONS.items():
        done = program(*again, *option)
        assert done.status == 2
        assert f"f holds a search with {said}\nLeave that out to resume it" in done.err
        assert (program.folder / "f/search.jsonl").read_bytes() == before
    for same in (ASKED, ASKED[:2]):
        assert program(*again, *same).status == 0


def test_a_rulebook_that_was_edited_is_never_overwritten(program: Program) -> None:
    """The duel is written beside it, the page plays that one, and what is edited stays."""
    program(*SEARCH, "--candidates", "500", "--keep", "2", "--folder", "f")
    first, page = program.folder / "f/01.toml", program.folder / "f/gallery.html"
    written = first.read_text()
    first.write_text(written + "\n# mine\n")
    page.write_text(page.read_text() + "<!-- mine -->")
    again = ("discover", "--resume", "--folder", "f", "--cores", "1")
    for _ in range(2):
        done = program(*again)
        assert done.status == 0, done.err
        assert (
            "f/01.toml is not as lineduel wrote it, and stays as it is. "
            "The duel is in f/01-2.toml." in done.err
        )
        assert "Look at them in f/gallery-2.html." in done.out
        assert "Play the first with: lineduel play f/01-2.toml" in done.out
        assert first.read_text() == written + "\n# mine\n"
        assert page.read_text().endswith("<!-- mine -->")
        assert (program.folder / "f/01-2.toml").read_text() == written
        assert "lineduel play f/01-2.toml" in (program.folder / "f/gallery-2.html").read_text()
        pages = ["gallery-2.html", "gallery.html"]
        assert found_in(program) == sorted([*duels("01", "01-2", "02"), *pages])
    assert program("check", "f/01-2.certificate").status == 0


def test_a_smaller_gallery_leaves_nothing_of_the_larger_one_but_what_was_edited(
    program: Program,
) -> None:
    """Files that lineduel wrote, nobody changed and the page no longer shows are removed."""
    program(*SEARCH, "--candidates", "500", "--keep", "5", "--folder", "f")
    assert found_in(program) == [*duels("01", "02", "03", "04", "05"), "gallery.html"]
    edited = program.folder / "f/04.toml"
    edited.write_text(edited.read_text() + "\n# mine\n")
    (program.folder / "f/06.toml").write_text("mine")
    done = program("discover", "--resume", "--folder", "f", "--cores", "1", "--keep", "2")
    assert done.status == 0, done.err
    assert found_in(program) == sorted([*duels("01", "02", "04"), "06.toml", "gallery.html"])
    assert "Removed 2 duels of an earlier gallery: 03, 05." in done.err
    assert "04.toml is not as lineduel wrote it, and stays as it is." in done.err


def test_searches_that_begin_at_once_take_a_folder_each(program: Program) -> None:
    with ExitStack() as running:
        asked = (*SEARCH, "--candidates", "20", "--keep", "1")
        all_of_them = [running.enter_context(program.started(*asked)) for _ in range(4)]
        said = [process.communicate(timeout=PATIENCE)[1] for process in all_of_them]
    assert [process.returncode for process in all_of_them] == [0] * 4, said
    assert sorted(one.name for one in program.folder.glob("found*")) == [
        *("found", "found-2", "found-3", "found-4"),
    ]


def test_minutes_asked_for_on_resuming_come_on_top_of_those_it_took() -> None:
    """What is asked for later counts; the rest stays as it was."""
    space = DesignSpace(pieces=range(1, 2), cells=range(4, 6), steps=range(1, 3))
    question = SearchQuestion(space=space, goals=(), preferred=("words",), seed=1)
    discovery = Discovery(DesignSearch(question), SearchAmounts(keep=3, seconds=50.0))
    discovery.spent = 100.0
    for minutes, keep, expected in (
        (None, None, (50.0, 3)),
        (2.0, None, (220.0, 3)),
        (None, 7, (50.0, 7)),
    ):
        options = argparse.Namespace(candidates=None, minutes=minutes, keep=keep)
        amounts = _amounts(options, discovery, "found")
        assert (amounts.seconds, amounts.keep) == expected
