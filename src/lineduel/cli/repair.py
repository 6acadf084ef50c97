"""`lineduel repair`: the smallest changes that make a rulebook's claims true."""

import argparse
import shlex
import sys
from collections.abc import Callable
from datetime import date
from functools import partial

from lineduel import documents, jobs, lab
from lineduel.cli.choices import chosen_rulebook, kept_solutions
from lineduel.cli.long_work import Left, pool_for, run_work, stoppable
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.reports import output, print_json, print_place
from lineduel.errors import NotationError, StorageError, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import find_rulebook, rulebook_file
from lineduel.rules import Property, Rulebook, Rules, assignments_between
from lineduel.storage import Output, check_outputs, write_output

_LARGEST = 3
_MISSES = 3
"""Near misses that are shown if nothing mends the rulebook."""
Command = Callable[[Rules], str]
"""The command that plays a rulebook with these rules."""


def configure(parser: Parser) -> None:
    parser.add_game()
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="PROPERTY",
        choices=[str(one) for one in Property],
        help=f"another property to keep, repeatable: {', '.join(map(str, Property))}",
    )
    parser.add_flag(
        "--any-seat",
        "do not prefer repairs in which neither seat is favoured, even where the best one is "
        "won by one seat from the start",
    )
    parser.add_number("--max-changes", "largest number of rule changes to try", _LARGEST)
    parser.rename_option("--most", "--max-changes")
    parser.add_file("--write", "write the best repair to FILE, as a rulebook")
    parser.add_file("--html", "write a page with pictures to FILE")
    parser.add_force()
    parser.add_number("--pick", "write the N-th repair", 1)
    parser.add_file(
        "--file",
        "keep what was tried in FILE (default: in the cache folder, until the search is done)",
    )
    parser.add_flag("--resume", "resume a search that was stopped")
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel repair flag-chase",
        "lineduel repair flag-chase --write mended.toml --html repairs.html",
        "lineduel repair ctf-tokens --also 'neither seat favoured' --max-changes 2",
        "lineduel repair flag-chase --resume",
    )


def run(options: argparse.Namespace) -> int:
    if not 1 <= options.max_changes <= _LARGEST:
        raise NotationError(f"--max-changes takes 1 to {_LARGEST}.")
    if options.pick < 1:
        raise NotationError("--pick takes a number of 1 or more.")
    rulebook = chosen_rulebook(options)
    outputs = _outputs(options)
    kept = [options.file] if options.file else []
    check_outputs(tuple(outputs.values()), [rulebook_file(options.game), *kept])
    command = partial(play_command, options.game, find_rulebook(options.game).rules)
    running = None
    with (
        Bar("checking the rulebook as it is") as bar,
        pool_for(options, bar) as pool,
        stoppable(bar, lambda: _left(running) or "; nothing is kept."),
    ):
        also, fair = tuple(map(Property, options.also)), not options.any_seat
        most, cache = options.max_changes, kept_solutions()
        work = lab.RepairWork(
            rulebook, also, prefer_fair=fair, most=most, misses=_MISSES, cache=cache
        )
        search = work.search
        if not lab.is_sound(rulebook, search.wanted, cache):
            with _opened(work, options) as running:
                run_work(running, pool, bar, partial(_left, running))
                _write(search, command, outputs, options.pick, bar)
                if options.file is None:
                    running.remove()
    if running is None:
        return _print_sound(rulebook, options)
    if options.json:
        print_json(documents.repair_document(search, command))
    else:
        print(*lab.repair_lines(search, command, "--any-seat"), sep="\n")
        _print_written(search, options)
    return 0 if search.repairs else 1


def _print_sound(rulebook: Rulebook, options: argparse.Namespace) -> int:
    if options.json:
        print_json(documents.RepairDocument(game=rulebook.id, sound=True, repairs=[]))
    else:
        print(f"{rulebook.title}: every claim is proved, so there is nothing to mend.")
        print("Ask for more with --also, as --also 'neither seat favoured'.")
    return 0


def _opened(work: "lab.RepairWork", options: argparse.Namespace) -> "jobs.LongRun[lab.RepairWork]":
    """The search with its file.

    Without one if the cache folder cannot be written, or another program makes the same search.
    """
    path = options.file or lab.default_repair_file(work.header)
    if options.resume:
        if options.file is None and not path.exists():
            raise StorageError("No stopped search with this game and these options is kept.")
        return jobs.LongRun.go_on(path, lab.REPAIR, work.resumed)
    if options.file is not None:
        return jobs.LongRun.begin(path, work)
    try:
        return jobs.LongRun.begin_again(path, work)
    except StorageError:
        return jobs.LongRun(work)


def _left(running: "jobs.LongRun[lab.RepairWork] | None") -> Left | None:
    """What is kept of a stopped search, and how to go on."""
    if running is None or running.ledger is None:
        return None
    again = [word for word in sys.argv[1:] if word != "--resume"]
    return Left(running.work.kept, shlex.join(["lineduel", *again, "--resume"]))


def _outputs(options: argparse.Namespace) -> dict[str, Output]:
    """The rulebook file and the page to write, if they were asked for."""
    heads = {"write": lab.MENDED_HEAD, "html": PAGE_HEAD}
    paths = {name: getattr(options, name) for name in heads}
    return {name: output(options, path, heads[name]) for name, path in paths.items() if path}


def _write(
    search: "lab.RepairSearch", command: Command, outputs: dict[str, Output], pick: int, bar: Bar
) -> None:
    """Write the chosen repair and the page."""
    if "write" in outputs and len(search.repairs) >= pick:
        mended = search.repairs[pick - 1].candidate.rulebook
        write_output(outputs["write"], lab.mended_text(mended))
    if "html" in outputs:
        bar.stage("drawing the page")
        before = lab.audit(search.rulebook, cache=kept_solutions())
        page = lab.repair_page(search, before, command, date.today(), kept_solutions())
        write_output(outputs["html"], page)


def _print_written(search: "lab.RepairSearch", options: argparse.Namespace) -> None:
    if options.write and len(search.repairs) >= options.pick:
        name = shown(options.write, 300)
        print(f"\nWritten to {name}. Play it with: lineduel play {shlex.quote(name)}")
    elif options.write:
        print(f"\nNothing was written: there is no repair number {options.pick}.")
    print_place("page", options.html)


def play_command(game: str, before: Rules, after: Rules) -> str:
    """The shell command that plays a game with changed rules."""
    words = ["lineduel", "play", game]
    for text in assignments_between(before, after):
        words += ["--set", text]
    return shlex.join(words)
