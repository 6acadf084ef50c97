"""`lineduel discover`: find duels that nobody has written yet."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any

from lineduel import discover, documents, jobs
from lineduel.cli.long_work import (
    Left,
    last_used,
    pool_for,
    resume_command,
    run_work,
    stoppable,
    unused,
)
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.reports import print_json
from lineduel.cli.serve import DEFAULT_HOST, DEFAULT_PORT
from lineduel.errors import (
    DiscoverError,
    LedgerError,
    LedgerExists,
    NotationError,
    StorageError,
    shown,
)
from lineduel.quantities import counted
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Meeting

_FOLDER = Path("found")
_LEDGER_FILE = "search.jsonl"
_SERVER = f"http://{DEFAULT_HOST}:{DEFAULT_PORT}"
_CANDIDATES, _KEEP = 20_000, 12
"""As in `discover.SearchAmounts`, which only a search has to import."""
_MOST_POSITIONS = 200_000
"""Larger duels cannot be audited."""
_TRIES = 1000
"""How many folders are tried that others take at the same moment."""
_BOUNDS = ("pieces", "cells", "steps", "numbers")
_GOALS = ("no draw", "neither seat favoured", "skill wins", "choices matter")
_PREFERENCES = "elo_range,decisions_per_turn,words"
_RANGE = re.compile(r"(-?[0-9]{1,9})(?:\.\.(-?[0-9]{1,9}))?")


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
        "--positions",
        "leave out duels with more than N positions (default: 3000, or 200 with battles); "
        "larger ones take longer",
    )
    parser.add_number(
        "--candidates",
        f"try N candidates, or all there are where those are fewer (default: {_CANDIDATES})",
    )
    minutes = "search for N minutes, or N more with --resume (default: as many candidates as above)"
    parser.add_number("--minutes", minutes, read=float)
    parser.add_number("--keep", "keep N duels", named=_KEEP)
    parser.add_seed(1)
    folder = f"write what is found to FOLDER (default: {_FOLDER}, or {_FOLDER}-2 and so on)"
    parser.add_file("--folder", folder, "FOLDER")
    parser.add_flag("--resume", "resume the search in FOLDER (default: the last)")
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel discover",
        "lineduel discover --meet battle --goal 'no draw' --goal 'value<=0.05' --candidates 5000",
        "lineduel discover --like flag-chase --goal 'skill wins' --goal 'turns<=30'",
        "lineduel discover --pieces 1 --cells 4..6 --steps 1..2 --meet captured",
        "lineduel discover --pieces 2..3 --meet battle --positions 20000 --minutes 10",
        "lineduel discover --resume --folder found --minutes 10",
    )


def run(options: argparse.Namespace) -> int:
    _check_amounts(options)
    with (
        Bar("preparing the search") as bar,
        pool_for(options, bar) as pool,
        _opened(options, bar) as running,
    ):
        discovery, search = running.work, running.work.search
        folder = shown(options.folder, 300)

        def left() -> Left:
            command = resume_command(options, "--folder", folder)
            return Left(f"{discovery.kept} in {folder}", command)

        for one in search.question.dropped:
            bar.note(str(one))
        with stoppable(bar, left):
            run_work(running, pool, bar, left)
        if discovery.amounts.seconds is not None:
            bar.note(
                f"Tried {search.tried:,} candidates in {discovery.spent:.0f} seconds. "
                f"The same again: --candidates {search.tried} --seed {search.question.seed}"
            )
        gallery = discover.write_gallery(
            options.folder, discovery, running.keep, _SERVER, date.today()
        )
        for sentence in _about_files(gallery):
            bar.note(sentence)
    found = discovery.found
    if options.json:
        print_json(documents.discover_document(search, found))
        return 0
    print(*discover.found_lines(search, discovery.proved, found), sep="\n")
    if found:
        first = shown(gallery.rulebooks[found[0].rulebook.id], 300)
        print(f"Look at them in {shown(gallery.page, 300)}.")
        print(f"Play the first with: lineduel play {quote(first)}")
    return 0


def _about_files(gallery: "discover.Gallery") -> Iterator[str]:
    """What a person has to know about the files in the folder."""
    for file, beside in gallery.foreign.items():
        told = f"{shown(file, 300)} is not as lineduel wrote it, and stays as it is."
        what = "page" if beside == gallery.page else "duel"
        yield told if beside is None else f"{told} The {what} is in {shown(beside, 300)}."
    if gallery.removed:
        removed = counted(len(gallery.removed), "duel")
        names = shown(", ".join(gallery.removed), 300)
        yield f"Removed {removed} of an earlier gallery: {names}."


def _check_amounts(options: argparse.Namespace) -> None:
    if options.candidates is not None and options.minutes is not None:
        raise NotationError("--candidates and --minutes both say when to stop. Give one of them.")
    if options.candidates is not None and options.candidates < 1:
        raise NotationError("--candidates takes a number of 1 or more.")
    if options.positions is not None and not 1 <= options.positions <= _MOST_POSITIONS:
        raise NotationError(f"--positions takes a number from 1 to {_MOST_POSITIONS}.")
    if options.minutes is not None and not 0 < options.minutes <= 100_000:
        raise NotationError("--minutes takes a number above 0.")
    if options.keep is not None and not 1 <= options.keep <= 1000:
        raise NotationError("--keep takes a number from 1 to 1000.")


# The question


def _opened(options: argparse.Namespace, bar: Bar) -> "jobs.LongRun[discover.Discovery]":
    """A new search in its folder, or the one to resume."""
    if options.resume:
        options.folder = options.folder or last_used(_FOLDER)
        bar.stage("repeating what was tried")
        path = options.folder / _LEDGER_FILE
        return jobs.LongRun.go_on(path, discover.DISCOVER, partial(_resumed, options))
    search = discover.DesignSearch(_question(options, bar))
    given = {"candidates": options.candidates, "keep": options.keep, "seconds": _seconds(options)}
    asked = {name: amount for name, amount in given.items() if amount is not None}
    discovery = discover.Discovery(search, discover.SearchAmounts(**asked))
    folders = [options.folder] if options.folder else islice(unused(_FOLDER), _TRIES)
    for options.folder in folders:
        if not _is_empty(options.folder):
            continue
        try:
            return jobs.LongRun.begin(options.folder / _LEDGER_FILE, discovery)
        except LedgerExists:
            continue  # another search was faster
    raise StorageError(
        f"The folder {shown(options.folder, 200)} is not empty.\n"
        "Resume the search in it with --resume, or choose another with --folder."
    )


def _is_empty(folder: Path) -> bool:
    return not folder.exists() or not any(folder.iterdir())


def _seconds(options: argparse.Namespace) -> float | None:
    return None if options.minutes is None else 60 * options.minutes


def _resumed(options: argparse.Namespace, ledger: "jobs.Ledger") -> "discover.Discovery":
    """The search in a folder with what is asked for now; raises if that is another search."""
    discovery = discover.resumed(ledger)
    folder = shown(options.folder, 200)
    for name, has, given in _differences(options, discovery.search.question):
        raise LedgerError(
            f"{folder} holds a search with another --{name}: {shown(has)}, not {shown(given)}.\n"
            "Leave that out to resume it, or begin another with --folder."
        )
    discovery.amounts = _amounts(options, discovery, folder)
    return discovery


def _amounts(
    options: argparse.Namespace, discovery: "discover.Discovery", folder: str
) -> "discover.SearchAmounts":
    """How much is asked for now: as before, but for the options that are given."""
    search, kept = discovery.search, discovery.amounts
    candidates, seconds = options.candidates, _seconds(options)
    if candidates is not None:
        complete = search.question.complete
        least = len(search.question.space) if complete else search.tried
        if candidates < least:
            has = f"tries all {least:,}" if complete else f"has tried {least:,}"
            raise LedgerError(
                f"The search in {folder} {has} candidates, "
                f"and --candidates {candidates} asks for fewer.\n"
                "Leave that out to resume it, or begin another with --folder."
            )
        kept = discover.SearchAmounts(candidates=candidates, keep=kept.keep)
    if seconds is not None:
        seconds += discovery.spent
    return discover.SearchAmounts(
        candidates=kept.candidates,
        keep=options.keep or kept.keep,
        seconds=kept.seconds if seconds is None else seconds,
    )


def _differences(
    options: argparse.Namespace, kept: "discover.SearchQuestion"
) -> Iterator[tuple[str, str, str]]:
    """The options that ask for another search: their names, what the search has, what they say."""
    space = kept.space
    if options.goal:
        given, has = (
            ", ".join(goal.text for goal in goals)
            for goals in (map(discover.read_goal, options.goal), kept.goals)
        )
        if given != has:
            yield "goal", has, given
    if options.prefer is not None and discover.read_preferences(options.prefer) != kept.preferred:
        yield "prefer", ",".join(kept.preferred), options.prefer
    if options.like is not None and _near(options.like) != kept.near:
        yield "like", "no game" if kept.near is None else "another game", options.like
    for name in _BOUNDS:
        text, bounds = getattr(options, name), getattr(space, name)
        if text is not None and _range(name, text) != bounds:
            yield name, f"{bounds[0]}..{bounds[-1]}", text
    if options.meet is not None:
        asked = replace(space, meetings=_meetings(options.meet))
        if discover.possible_part(asked, kept.goals)[0] != space:
            yield "meet", ",".join(space.meetings), options.meet
    if options.words not in (None, space.words):
        yield "words", "any number" if space.words is None else str(space.words), str(options.words)
    if options.positions not in (None, kept.battle_positions):
        yield "positions", str(kept.battle_positions), str(options.positions)
    if options.seed not in (None, kept.seed):
        yield "seed", str(kept.seed), str(options.seed)


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
        said = f"Only some ways to meet an enemy are searched: {meetings}."
        known = [str(one) for one in question.dropped]  # the report says it
        bar.note(said if str(why) in known else f"{said}\n{why}")
    if near is not None and near not in question.space:
        raise DiscoverError(f"{shown(options.like)} itself lies outside the bounds of the search.")
    if options.positions is None:
        return question
    return replace(question, positions=options.positions, battle_positions=options.positions)


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
        name: _range(name, text) for name in _BOUNDS if (text := getattr(options, name)) is not None
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
                f"{shown(name)} is not a way to meet an enemy. Choose from: {', '.join(Meeting)}."
            )
    return tuple(meeting for meeting in Meeting if meeting in names)
