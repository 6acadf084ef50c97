"""`lineduel discover`: find duels that nobody has written yet."""

import argparse
import re
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

from lineduel import discover, documents, jobs
from lineduel.cli.long_work import first_free, pool_for, stoppable
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.reports import print_json
from lineduel.cli.serve import DEFAULT_HOST, DEFAULT_PORT
from lineduel.errors import DiscoverError, LedgerError, NotationError, StorageError, shown
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Meeting

_FOLDER = Path("found")
_LEDGER_FILE = "search.jsonl"
_SERVER = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
_CANDIDATES, _KEEP = 20_000, 12
_GOALS = ("no draw", "neither seat favoured", "skill wins", "choices matter")
_PREFERENCES = "elo_range,decisions_per_turn,words"
_RANGE = re.compile(r"(-?\d{1,4})(?:\.\.(-?\d{1,4}))?")


def configure(parser: Parser) -> None:
    parser._negative_number_matcher = re.compile(r"-\d+(\.\.-?\d+)?$")  # --steps -2..3
    parser.add_argument(
        "--goal",
        action="append",
        metavar="GOAL",
        help="what must be proved: a property, or a bound such as 'turns<=30'; repeatable "
        f"(default: {', '.join(_GOALS)})",
    )
    parser.add_argument(
        "--prefer",
        metavar="FIGURES",
        help=f"the figures to be good at, between commas (default: {_PREFERENCES})",
    )
    parser.add_argument(
        "--like", metavar="GAME", help="search near this game; enemies meet as they do there"
    )
    for name, what, bounds in (
        ("pieces", "pieces of a side", "1..3"),
        ("cells", "cells of the track", "4..12"),
        ("steps", "steps that a piece may make", "-2..3"),
        ("numbers", "numbers to choose from in a battle", "2..5"),
    ):
        parser.add_argument(
            f"--{name}", metavar="A..B", help=f"{what}, from A to B (default: {bounds})"
        )
    parser.add_argument(
        "--meet",
        metavar="WORDS",
        help=f"what an enemy's cell may do, between commas: {', '.join(Meeting)} (default: all)",
    )
    parser.add_number("--words", "leave out duels with more than N words (default: keep all)")
    parser.add_number(
        "--candidates",
        f"try N candidates, or all there are where those are fewer (default: {_CANDIDATES})",
    )
    minutes = "search for N minutes (default: as many candidates as above)"
    parser.add_number("--minutes", minutes, read=float)
    parser.add_number("--keep", "keep N duels", _KEEP)
    parser.add_seed(1)
    folder = f"write what is found to FOLDER (default: {_FOLDER}, or {_FOLDER}-2 and so on)"
    parser.add_file("--folder", folder, "FOLDER")
    parser.add_flag("--resume", "go on with the search in FOLDER (default: the last)")
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel discover",
        "lineduel discover --meet battle --goal 'no draw' --goal 'value<=0.05' --candidates 5000",
        "lineduel discover --like flag-chase --goal 'skill wins' --goal 'turns<=30'",
        "lineduel discover --pieces 1 --cells 4..6 --steps 1..2 --meet captured",
        "lineduel discover --resume --folder found --minutes 10",
    )


def run(options: argparse.Namespace) -> int:
    options.folder = options.folder or first_free(_FOLDER, options.resume)
    _check_amounts(options)
    folder = shown(options.folder, 300)
    with (
        Bar("preparing the search") as bar,
        pool_for(options, bar) as pool,
        _opened(options, bar) as running,
    ):
        discovery, search = running.work, running.work.search
        for one in search.question.dropped:
            bar.note(str(one))
        again = f"Go on with: lineduel discover --resume --folder {quote(folder)}"
        with stoppable(bar, lambda: f"; {discovery.kept} in {folder}.\n{again}"):
            running.run(pool, bar.show)
        if options.minutes is not None:
            bar.note(
                f"Tried {search.tried:,} candidates in {discovery.spent:.0f} seconds. "
                f"The same again: --candidates {search.tried} --seed {search.question.seed}"
            )
    found = discovery.found
    discover.write_gallery(options.folder, search, found, _SERVER, date.today())
    if options.json:
        print_json(documents.discover_document(search, found))
        return 0
    print(*discover.found_lines(search, discovery.proved, found), sep="\n")
    if found:
        print(f"Look at them in {folder}/{discover.GALLERY_FILE}.")
        print(f"Play the first with: lineduel play {folder}/{found[0].rulebook.id}.toml")
    return 0


def _check_amounts(options: argparse.Namespace) -> None:
    if options.candidates is not None and options.minutes is not None:
        raise NotationError("--candidates and --minutes both say when to stop. Give one of them.")
    if options.candidates is not None and options.candidates < 1:
        raise NotationError("--candidates takes a number of 1 or more.")
    if options.minutes is not None and not 0 < options.minutes <= 100_000:
        raise NotationError("--minutes takes a number above 0.")
    if not 1 <= options.keep <= 1000:
        raise NotationError("--keep takes a number from 1 to 1000.")


# The question


def _opened(options: argparse.Namespace, bar: Bar) -> "jobs.LongRun[discover.Discovery]":
    """A new search in its folder, or the one to resume."""
    path = options.folder / _LEDGER_FILE
    if options.resume:
        bar.stage("repeating what was tried")
        return jobs.LongRun.go_on(path, discover.DISCOVER, partial(_resumed, options, bar))
    question = _question(options, bar)
    if path.parent.exists() and any(path.parent.iterdir()):
        raise StorageError(
            f"The folder {shown(options.folder, 200)} is not empty.\n"
            "Go on with the search in it by --resume, or choose another with --folder."
        )
    return jobs.LongRun.begin(path, _discovery(options, discover.DesignSearch(question)))


def _discovery(
    options: argparse.Namespace, search: "discover.DesignSearch"
) -> "discover.Discovery":
    seconds = None if options.minutes is None else 60 * options.minutes
    return discover.Discovery(search, options.candidates or _CANDIDATES, options.keep, seconds)


def _resumed(options: argparse.Namespace, bar: Bar, ledger: "jobs.Ledger") -> "discover.Discovery":
    """The search in a folder; raises if the options ask for another one."""
    search = discover.resumed(ledger)
    kept = search.question
    names = ("goal", "like", "pieces", "cells", "steps", "numbers", "meet", "words")
    if any(getattr(options, name) for name in names):
        asked = replace(_question(options, bar), dropped=kept.dropped)
        if discover.search_header(asked) != discover.search_header(kept):
            raise LedgerError(
                f"{shown(options.folder, 200)} holds another search.\n"
                "Leave out what is searched for to go on with it, or begin another with --folder."
            )
    return _discovery(options, search)


def _question(options: argparse.Namespace, bar: Bar) -> "discover.SearchQuestion":
    near = _near(options.like)
    question, why = discover.make_question(
        _space(options, near),
        [discover.read_goal(text) for text in options.goal or _GOALS],
        may_drop=not options.goal,
        preferred=discover.read_preferences(
            _PREFERENCES if options.prefer is None else options.prefer
        ),
        seed=1 if options.seed is None else options.seed,
        near=near,
        most=options.candidates or _CANDIDATES,
    )
    if why is not None:
        meetings = ", ".join(question.space.meetings)
        bar.note(f"Only some ways to meet an enemy are searched: {meetings}.\n{why}")
    if near is not None and near not in question.space:
        raise DiscoverError(f"{shown(options.like)} itself lies outside the bounds of the search.")
    return question


def _near(game: str | None) -> "discover.Design | None":
    if game is None:
        return None
    design = discover.design_of(find_rulebook(game).rules)
    if design is None:
        raise DiscoverError(
            f"In {shown(game)} the two sides are not alike, and only such duels are searched for."
        )
    return design


def _space(options: argparse.Namespace, near: "discover.Design | None") -> "discover.DesignSpace":
    given: dict[str, Any] = {
        name: _range(name, text)
        for name in ("pieces", "cells", "steps", "numbers")
        if (text := getattr(options, name)) is not None
    }
    if options.words is not None:
        given["words"] = options.words
    if options.meet is not None:
        given["meetings"] = _meetings(options.meet)
    return discover.DesignSpace(**given) if near is None else discover.space_around(near, given)


def _range(name: str, text: str) -> range:
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"--{name} takes a number or a range, as --{name} 1..3.")
    first, last = int(found[1]), int(found[2] or found[1])
    if first > last:
        raise NotationError(f"--{name} {text}: a range goes from the smaller to the larger number.")
    return range(first, last + 1)


def _meetings(text: str) -> tuple[Meeting, ...]:
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in set(Meeting):
            raise NotationError(
                f"{shown(name)} is not what an enemy's cell can do. Choose from: "
                f"{', '.join(Meeting)}."
            )
    return tuple(meeting for meeting in Meeting if meeting in names)
