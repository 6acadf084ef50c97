"""`lineduel discover`: find duels that nobody has written yet."""

import argparse
import re
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from shlex import quote
from textwrap import fill
from typing import TYPE_CHECKING, Any

from lineduel.cli.options import Parser, add_json, add_seed, examples, print_json
from lineduel.cli.progress import Bar
from lineduel.cli.serve import USUAL_HOST, USUAL_PORT
from lineduel.cli.workers import add_workers, ignore_interrupts, pool_for
from lineduel.errors import (
    DiscoverError,
    LedgerError,
    NotationError,
    StorageError,
    original_errors,
    shown,
)
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Meeting, write_rulebook
from lineduel.storage import write_atomically

if TYPE_CHECKING:
    from lineduel.discover import (
        Design,
        DesignSearch,
        DesignSpace,
        FoundDuel,
        Proved,
        SearchQuestion,
    )
    from lineduel.jobs import Ledger, Pool

USUAL_FOLDER = Path("found")
LEDGER_FILE, GALLERY_FILE = "search.jsonl", "gallery.html"
_SERVER = f"http://{USUAL_HOST}:{USUAL_PORT}"
_INTERRUPTED = 130
_CANDIDATES, _KEEP = 20_000, 12
_USUAL_GOALS = ("no draw", "neither seat favoured", "skill wins", "choices matter")
_USUAL_PREFERENCES = "elo_range,decisions_per_turn,words"
_RANGE = re.compile(r"(-?\d{1,4})(?:\.\.(-?\d{1,4}))?")
_WIDTH = 92
_SHOWN = ("value", "advantage", "skill", "elo_range", "turns", "decisions_per_turn", "words")


def configure(parser: Parser) -> None:
    parser._negative_number_matcher = re.compile(r"-\d+(\.\.-?\d+)?$")  # --steps -2..3
    parser.add_argument(
        "--goal",
        action="append",
        metavar="GOAL",
        help="what must be proved: a property, or a bound such as 'turns<=30'; repeatable "
        f"(default: {', '.join(_USUAL_GOALS)})",
    )
    parser.add_argument(
        "--prefer",
        metavar="FIGURES",
        help=f"the figures to be good at, between commas (default: {_USUAL_PREFERENCES})",
    )
    parser.add_argument(
        "--like", metavar="GAME", help="search near this game; enemies meet as they do there"
    )
    for name, what, usual in (
        ("pieces", "pieces of a side", "1..3"),
        ("cells", "cells of the track", "4..12"),
        ("steps", "steps that a piece may make", "-2..3"),
        ("numbers", "numbers to choose from in a battle", "2..5"),
    ):
        parser.add_argument(
            f"--{name}", metavar="A..B", help=f"{what}, from A to B (default: {usual})"
        )
    parser.add_argument(
        "--meet",
        metavar="WORDS",
        help=f"what an enemy's cell may do, between commas: {', '.join(Meeting)} (default: all)",
    )
    parser.add_argument(
        "--words",
        type=int,
        metavar="N",
        help="leave out duels with more than N words (default: keep all)",
    )
    parser.add_argument(
        "--candidates",
        type=int,
        metavar="N",
        help=f"try N candidates, or all there are where those are fewer (default: {_CANDIDATES})",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        metavar="N",
        help="search for N minutes (default: as many candidates as above)",
    )
    parser.add_argument(
        "--keep", type=int, default=_KEEP, metavar="N", help=f"keep N duels (default: {_KEEP})"
    )
    add_seed(parser, 1)
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help=f"write what is found to FOLDER (default: {USUAL_FOLDER}, or {USUAL_FOLDER}-2 and "
        "so on)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with the search in FOLDER (default: the last)"
    )
    add_workers(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel discover",
        "lineduel discover --meet battle --goal 'no draw' --goal 'value<=0.05' --candidates 5000",
        "lineduel discover --like flag-chase --goal 'skill wins' --goal 'turns<=30'",
        "lineduel discover --pieces 1 --cells 4..6 --steps 1..2 --meet captured",
        "lineduel discover --resume --folder found --minutes 10",
    )


def run(options: argparse.Namespace) -> int:
    _choose_folder(options)
    _check_amounts(options)
    with ExitStack() as stack:
        bar = stack.enter_context(Bar("preparing the search"))
        pool = stack.enter_context(pool_for(options))
        ledger, search = _opened(options, bar)
        stack.enter_context(ledger)
        for one in search.question.dropped:
            bar.note(str(one))
        try:
            with original_errors():
                _search_on(search, ledger, pool, bar, options)
                proved = _proved(search, pool, bar, options.keep)
        except KeyboardInterrupt:
            bar.close()
            return _interrupted(search, options)
    from lineduel.discover import kept_duels

    found = kept_duels(proved, search.question.preferred)[: options.keep]
    _write(options.folder, search, found)
    if options.json:
        from lineduel.documents import discover_document

        print_json(discover_document(search, found))
        return 0
    _print(search, proved, found, options)
    return 0


def _check_amounts(options: argparse.Namespace) -> None:
    if options.candidates is not None and options.minutes is not None:
        raise NotationError("--candidates and --minutes both say when to stop. Give one of them.")
    if options.candidates is not None and options.candidates < 1:
        raise NotationError("--candidates takes a number from 1 on.")
    if options.minutes is not None and not 0 < options.minutes <= 100_000:
        raise NotationError("--minutes takes a number above 0.")
    if not 1 <= options.keep <= 1000:
        raise NotationError("--keep takes a number from 1 to 1000.")


def _choose_folder(options: argparse.Namespace) -> None:
    """Settle which folder it is: the first free one, or with --resume the last that is there."""
    if options.folder is not None:
        return
    taken: list[Path] = []
    for number in count(1):
        path = USUAL_FOLDER if number == 1 else Path(f"{USUAL_FOLDER}-{number}")
        if not path.exists():
            break
        taken.append(path)
    options.folder = (taken or [USUAL_FOLDER])[-1] if options.resume else path


# The question


def _opened(options: argparse.Namespace, bar: Bar) -> "tuple[Ledger, DesignSearch]":
    from lineduel.discover import DISCOVER, DesignSearch, resumed, search_header
    from lineduel.jobs import Ledger

    path = options.folder / LEDGER_FILE
    if options.resume:
        bar.stage("drawing again what was tried", 0, 0)
        with ExitStack() as stack:
            ledger = stack.enter_context(Ledger.go_on(path, DISCOVER))
            search = resumed(ledger)
            _check_same(options, search.question, bar)
            stack.pop_all()
        return ledger, search
    question = _question(options, bar)
    if path.parent.exists() and any(path.parent.iterdir()):
        raise StorageError(
            f"The folder {shown(options.folder, 200)} is not empty.\n"
            "Go on with the search in it by --resume, or choose another with --folder."
        )
    return Ledger.begin(path, search_header(question)), DesignSearch(question)


def _question(options: argparse.Namespace, bar: Bar) -> "SearchQuestion":
    from lineduel.discover import (
        SearchQuestion,
        check_goals,
        possible_goals,
        possible_part,
        read_goal,
        read_preferences,
    )

    near = _near(options.like)
    space = _space(options, near)
    goals = tuple(map(read_goal, options.goal or _USUAL_GOALS))
    check_goals(goals)
    goals, dropped = (goals, ()) if options.goal else possible_goals(space, goals)
    space, why = possible_part(space, goals)
    if why is not None:
        bar.note(
            f"Only some ways to meet an enemy are searched: {', '.join(space.meetings)}.\n{why}"
        )
    if near is not None and near not in space:
        raise DiscoverError(f"{shown(options.like)} itself lies outside the bounds of the search.")
    return SearchQuestion(
        space=space,
        goals=goals,
        dropped=dropped,
        preferred=read_preferences(
            _USUAL_PREFERENCES if options.prefer is None else options.prefer
        ),
        seed=1 if options.seed is None else options.seed,
        near=near,
        complete=near is None and len(space) <= (options.candidates or _CANDIDATES),
    )


def _near(game: str | None) -> "Design | None":
    from lineduel.discover import design_of

    if game is None:
        return None
    design = design_of(find_rulebook(game).rules)
    if design is None:
        raise DiscoverError(
            f"In {shown(game)} the two sides are not alike, and only such duels are searched for."
        )
    return design


def _space(options: argparse.Namespace, near: "Design | None") -> "DesignSpace":
    from lineduel.discover import DesignSpace, space_around

    given: dict[str, Any] = {
        name: _range(name, text)
        for name in ("pieces", "cells", "steps", "numbers")
        if (text := getattr(options, name)) is not None
    }
    if options.words is not None:
        given["words"] = options.words
    if options.meet is not None:
        given["meetings"] = _meetings(options.meet)
    return DesignSpace(**given) if near is None else space_around(near, given)


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


def _check_same(options: argparse.Namespace, kept: "SearchQuestion", bar: Bar) -> None:
    """A resumed search asks what it asked before."""
    from lineduel.discover import search_header

    names = ("goal", "like", "pieces", "cells", "steps", "numbers", "meet", "words")
    if not any(getattr(options, name) for name in names):
        return
    asked = replace(_question(options, bar), dropped=kept.dropped)
    if search_header(asked) != search_header(kept):
        raise LedgerError(
            f"{shown(options.folder, 200)} holds another search.\n"
            "Leave out what is searched for to go on with it, or begin another with --folder."
        )


# The search


def _search_on(
    search: "DesignSearch", ledger: "Ledger", pool: "Pool", bar: Bar, options: argparse.Namespace
) -> None:
    from lineduel.discover import GENERATION, generation, write_generation

    complete, began = search.question.complete, time.monotonic()
    wanted = len(search.question.space) if complete else options.candidates or _CANDIDATES
    end = None if options.minutes is None else began + 60 * options.minutes
    first = search.tried
    while end is not None or complete or search.tried < wanted:
        if end is not None and time.monotonic() >= end:
            break
        rest = GENERATION if end is not None or complete else min(GENERATION, wanted - search.tried)
        kept = generation(search, pool, rest)
        if kept is None:
            break
        write_generation(ledger, search, kept)
        rate = (search.tried - first) / max(time.monotonic() - began, 1e-9)
        if end is None:
            bar.stage("searching", search.tried, wanted, _standing(search, rate))
        else:
            spent = round(time.monotonic() - began)
            bar.stage("seconds of searching", spent, round(end - began), _standing(search, rate))
    if end is not None:
        seconds = round(time.monotonic() - began)
        bar.note(
            f"Tried {search.tried:,} candidates in {seconds} seconds. "
            f"The same again: --candidates {search.tried} --seed {search.question.seed}"
        )


def _standing(search: "DesignSearch", rate: float) -> str:
    """How a search stands: its speed, how many kinds of duels it has, and the best so far."""
    from lineduel.discover import figure_text

    kinds = search.archive.kinds(search.question.space.meetings)
    told = f"{rate:,.0f}/s, {len(search.archive)} of {kinds} kinds"
    meeting = search.best_first()
    if not meeting:
        return f"{told}, none good yet"
    first = search.question.preferred[0]
    best = figure_text(meeting[0].figures[first])
    return f"{told}, {len(meeting)} good, {first} {best}"


def _proved(search: "DesignSearch", pool: "Pool", bar: Bar, keep: int) -> "list[Proved]":
    from lineduel.discover import proved_designs

    proved: list[Proved] = []
    candidates = search.best_first()
    for one in proved_designs(candidates, search.question.goals, keep, pool):
        proved.append(one)
        bar.stage("proving", len(proved), len(candidates))
    return proved


def _interrupted(search: "DesignSearch", options: argparse.Namespace) -> int:
    ignore_interrupts()
    print(
        f"\nStopped; {search.tried:,} candidates are kept in {shown(options.folder, 300)}.\n"
        f"Go on with: lineduel discover --resume --folder {quote(shown(options.folder, 300))}",
        file=sys.stderr,
    )
    return _INTERRUPTED


# What comes out


def _write(folder: Path, search: "DesignSearch", found: "list[FoundDuel]") -> None:
    """A rulebook and a certificate for each duel, and the gallery."""
    from lineduel.discover import gallery_page
    from lineduel.engine import Game
    from lineduel.solve import proof_of, solve

    commands = {}
    for one in found:
        name = one.rulebook.id
        write_atomically(folder / f"{name}.toml", write_rulebook(one.rulebook))
        proof = proof_of(solve(Game(one.rulebook)))
        write_atomically(folder / f"{name}.certificate", proof)
        commands[name] = f"lineduel play {quote(str(folder / f'{name}.toml'))}"
    page = gallery_page(search, found, commands, _SERVER, date.today())
    write_atomically(folder / GALLERY_FILE, page)


def _print(
    search: "DesignSearch",
    proved: "list[Proved]",
    found: "list[FoundDuel]",
    options: argparse.Namespace,
) -> None:
    from lineduel.discover import figure_text

    question = search.question
    how = "all" if question.complete else "the best of each kind"
    print(
        f"Tried {search.tried:,} candidates ({how}), {search.with_battles:,} of them with battles; "
        f"{search.measured:,} are rulebooks of\na size that can be proved, "
        f"{len(search.best_first()):,} seem to meet the goals."
    )
    if not found:
        _print_none(search, proved)
        _print_dropped(question)
        return
    wide = max(len(one.rulebook.title) for one in found) + 2
    print(f"\n{'':4}{'':<{wide}}" + "".join(f"{name:>{len(name) + 2}}" for name in _SHOWN))
    for one in found:
        figures = one.proved.figures
        cells = "".join(f"{figure_text(figures[name]):>{len(name) + 2}}" for name in _SHOWN)
        print(f"{one.rulebook.id:<4}{one.rulebook.title:<{wide}}{cells}")
    print()
    _print_dropped(question)
    print(f"All {'other ' if question.dropped else ''}goals are proved for these.")
    _print_front(found, question.preferred)
    folder = shown(options.folder, 300)
    print(f"Look at them in {folder}/{GALLERY_FILE}.")
    print(f"Play the first with: lineduel play {folder}/{found[0].rulebook.id}.toml")


def _print_dropped(question: "SearchQuestion") -> None:
    for one in question.dropped:
        print(fill(str(one), _WIDTH))


def _print_front(found: "list[FoundDuel]", preferred: tuple[str, ...]) -> None:
    """The trade-offs: what each duel is best at that no other beats by every preferred figure."""
    from lineduel.discover import best_on_front, figure_text

    best = best_on_front(found, preferred)
    print(
        "\nThe front: no other duel is better than one of these in a preferred figure without "
        "being\nworse in another."
    )
    front = [one for one in found if one.on_front]
    wide = max(len(one.rulebook.title) for one in front) + 2
    print(f"{'':4}{'':<{wide}}" + "".join(f"{name:>{len(name) + 2}}" for name in preferred))
    for one in front:
        figures = one.proved.figures
        cells = "".join(f"{figure_text(figures[name]):>{len(name) + 2}}" for name in preferred)
        first = [name for name in preferred if one in best[name]]
        told = f"  best: {', '.join(first)}" if first else ""
        print(f"{one.rulebook.id:<4}{one.rulebook.title:<{wide}}{cells}{told}")
    print()


def _print_none(search: "DesignSearch", proved: "list[Proved]") -> None:
    """Why nothing was found, and what comes nearest."""
    question = search.question
    if question.complete and not search.met:
        words = f" with up to {question.space.words} words" if question.space.words else ""
        print(f"\nNo duel within these bounds{words} meets all goals.")
        if search.too_large:
            print(f"Not counted: {search.too_large:,} that are too large to be proved.")
        if search.with_battles:
            print("Duels with battles were judged by values in floats, which is not a proof.")
    else:
        print("\nNo duel that was tried meets all goals.")
    missed: dict[str, int] = {}
    for one in proved:
        for goal in one.unmet:
            missed[goal] = missed.get(goal, 0) + 1
    for goal, times in sorted(missed.items(), key=lambda item: -item[1]):
        print(f"  {goal}: not proved for {times} of {len(proved)} that came near")
