"""`lineduel repair`: the smallest changes that make a rulebook's claims true."""

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook
from lineduel.cli.options import (
    Parser,
    add_game,
    add_json,
    examples,
    print_json,
    rename_option,
)
from lineduel.cli.outputs import add_force, output
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.workers import add_workers, ignore_interrupts, pool_for
from lineduel.errors import NotationError, StorageError, original_errors, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import find_rulebook, rulebook_file
from lineduel.rules import (
    Property,
    Rulebook,
    Rules,
    assignments_between,
    write_rulebook,
)
from lineduel.storage import Output, check_outputs, write_output

if TYPE_CHECKING:
    from lineduel.jobs import Pool
    from lineduel.lab import Repair, RepairFile, RepairSearch

_LARGEST = 3
_MENDED = " (mended)"
NO = 1
_INTERRUPTED = 130
_COLUMN = 22
"""The width of a column in the table of trade-offs."""
Command = Callable[[Rules], str]
"""The command that plays a rulebook with these rules."""
_HEAD = "# Mended by lineduel repair."
"""The first line of a file written by --write."""


def configure(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "--also",
        action="append",
        default=[],
        metavar="PROPERTY",
        choices=[str(one) for one in Property],
        help=f"another property to keep, repeatable: {', '.join(map(str, Property))}",
    )
    parser.add_argument(
        "--any-seat",
        action="store_true",
        help="do not prefer repairs in which neither seat is favoured, even where the best one is "
        "won by one seat from the start",
    )
    parser.add_argument(
        "--max-changes",
        type=int,
        default=_LARGEST,
        metavar="N",
        help=f"largest number of rule changes to try (default: {_LARGEST})",
    )
    rename_option(parser, "--most", "--max-changes")
    parser.add_argument(
        "--write", metavar="FILE", type=Path, help="write the best repair to FILE, as a rulebook"
    )
    parser.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with pictures to FILE"
    )
    add_force(parser)
    parser.add_argument(
        "--pick", type=int, default=1, metavar="N", help="write the N-th repair (default: 1)"
    )
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help="keep what was tried in FILE (default: in the cache folder, until the search is done)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with a search that was stopped"
    )
    add_workers(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel repair flag-chase",
        "lineduel repair flag-chase --write mended.toml --html repairs.html",
        "lineduel repair ctf-tokens --also 'neither seat favoured' --max-changes 2",
        "lineduel repair flag-chase --resume",
    )


def run(options: argparse.Namespace) -> int:
    if not 1 <= options.max_changes <= _LARGEST:
        raise NotationError(f"--max-changes takes 1 to {_LARGEST}.")
    if options.pick < 1:
        raise NotationError("--pick takes a number from 1 on.")
    rulebook = chosen_rulebook(options)
    outputs = [*_mended_file(options), *_page(options)]
    kept = [options.file] if options.file else []
    check_outputs(outputs, [rulebook_file(options.game), *kept])
    also = [Property(one) for one in options.also]
    command = partial(play_command, options.game, find_rulebook(options.game).rules)
    file: RepairFile | None = None
    with Bar("checking the rulebook as it is") as bar, pool_for(options) as pool:
        try:
            search = None
            with original_errors():
                if not _is_sound(rulebook, also):
                    file = _file(rulebook, also, options)
                    search = _search(rulebook, also, options, pool, bar, file)
                    _write(search, command, options, bar)
                    if file is not None and options.file is None:
                        file.remove()
                        file = None
        except KeyboardInterrupt:
            bar.close()
            return _interrupted(file)
        finally:
            if file is not None:
                file.close()
    if search is None:
        return _print_sound(rulebook, options)
    if options.json:
        from lineduel.documents import repair_document

        print_json(repair_document(search, command))
    else:
        _print(search, command, options)
    return 0 if search.repairs else NO


def _is_sound(rulebook: Rulebook, also: list[Property]) -> bool:
    from lineduel.lab import claims_of, is_sound

    wanted = [one.property for one in claims_of(rulebook.rules, rulebook.claims)]
    return is_sound(rulebook, [*wanted, *also], kept_solutions())


def _print_sound(rulebook: Rulebook, options: argparse.Namespace) -> int:
    if options.json:
        from lineduel.documents import sound_document

        print_json(sound_document(rulebook.id))
    else:
        print(f"{rulebook.title}: every claim is proved, so there is nothing to mend.")
        print("Ask for more with --also, as --also 'neither seat favoured'.")
    return 0


def _search(
    rulebook: Rulebook,
    also: list[Property],
    options: argparse.Namespace,
    pool: "Pool",
    bar: Bar,
    file: "RepairFile | None",
) -> "RepairSearch":
    from lineduel.lab import repair

    return repair(
        rulebook,
        also=also,
        prefer_fair=not options.any_seat,
        most=options.max_changes,
        pool=pool,
        report=bar.stage,
        cache=kept_solutions(),
        file=file,
    )


def _file(
    rulebook: Rulebook, also: list[Property], options: argparse.Namespace
) -> "RepairFile | None":
    """The file for intermediate results.

    None if the cache folder cannot be written, or another program makes the same search.
    """
    from lineduel.lab import RepairFile, repair_header, usual_repair_file

    header = repair_header(rulebook, also, options.max_changes, not options.any_seat)
    path = options.file or usual_repair_file(header)
    if options.resume:
        if options.file is None and not path.exists():
            raise StorageError("No stopped search with this game and these options is kept.")
        return RepairFile.go_on(path, header)
    if options.file is not None:
        return RepairFile.begin(path, header)
    try:
        return RepairFile.begin_again(path, header)
    except StorageError:
        return None


def _interrupted(file: "RepairFile | None") -> int:
    """Tell what was saved, and how to go on."""
    ignore_interrupts()
    told = "\nStopped; nothing is kept."
    if file is not None:
        again = [word for word in sys.argv[1:] if word != "--resume"]
        command = shlex.join(["lineduel", *again, "--resume"])
        count = f"{len(file.weighed):,} rulebook{'' if len(file.weighed) == 1 else 's'}"
        told = f"\nStopped; what is known of {count} is kept.\nGo on with: {command}"
    print(told, file=sys.stderr)
    return _INTERRUPTED


def _mended_file(options: argparse.Namespace) -> list[Output]:
    """The rulebook file to write, if one was asked for."""
    return [output(options, options.write, _HEAD)] if options.write else []


def _page(options: argparse.Namespace) -> list[Output]:
    """The page to write, if one was asked for."""
    return [output(options, options.html, PAGE_HEAD)] if options.html else []


def _write(search: "RepairSearch", command: Command, options: argparse.Namespace, bar: Bar) -> None:
    """Write the chosen repair and the page."""
    for file in _mended_file(options):
        if len(search.repairs) >= options.pick:
            mended = search.repairs[options.pick - 1].candidate.rulebook
            write_output(file, mended_text(mended))
    for html in _page(options):
        from lineduel.lab import audit, repair_page

        bar.stage("drawing the page", 0, 0)
        before = audit(search.rulebook, cache=kept_solutions())
        page = repair_page(search, before, command, date.today(), kept_solutions())
        write_output(html, page)


def _print(search: "RepairSearch", command: Command, options: argparse.Namespace) -> None:
    for line in _told(search, command):
        print(line)
    if options.write and len(search.repairs) >= options.pick:
        name = shown(options.write, 300)
        print(f"\nWritten to {name}. Play it with: lineduel play {shlex.quote(name)}")
    elif options.write:
        print(f"\nNothing was written: there is no repair number {options.pick}.")
    if options.html:
        print(f"\nThe page is in {shown(options.html, 300)}.")


def play_command(game: str, before: Rules, after: Rules) -> str:
    """The shell command that plays a game with changed rules."""
    words = ["lineduel", "play", game]
    for text in assignments_between(before, after):
        words += ["--set", text]
    return shlex.join(words)


def mended_text(rulebook: Rulebook) -> str:
    """A repaired rulebook as a file, without errata and without variants that no longer fit."""
    title = f"{rulebook.title.removesuffix(_MENDED)}{_MENDED}"
    mended = replace(rulebook, title=title, variants=(), errata=())
    return write_rulebook(mended, (_HEAD, ""))


def _tried(search: "RepairSearch") -> Iterator[str]:
    """How many rulebooks were tried, and how many were not."""
    yield f"Tried {search.tried:,} rulebooks with up to {_counted(search.sizes, 'change')}."
    if search.cut_short:
        yield "The search was stopped before it had tried all with one change more."
    left_out = {
        "the same game as another": search.twice,
        "too large": search.too_large,
    }
    told = [
        f"{count:,} that {'is' if count == 1 else 'are'} {why}"
        for why, count in left_out.items()
        if count
    ]
    if told:
        yield f"Left out: {', '.join(told)}."


def _told(search: "RepairSearch", command: Command) -> Iterator[str]:
    from lineduel.lab import deciding, wrapped

    rulebook = search.rulebook
    yield f"{rulebook.title} ({rulebook.id})"
    yield wrapped(f"To keep: {'; '.join(search.wanted)}.")
    yield wrapped(" ".join(_tried(search)))
    if not search.repairs:
        yield ""
        yield "No variant keeps the game's character and meets every claim."
        for some in search.excluded():
            these = "" if len(some) == 1 else " these together"
            yield wrapped(f"None that keeps its character meets{these}: {'; '.join(sorted(some))}.")
    found = search.repairs or search.nearest
    if found:
        yield ""
        yield "Mended by:" if search.repairs else "Nearest, with no claim refuted:"
    for number, one in enumerate(found, start=1):
        yield from _told_repair(number, one, search, deciding(one.figures))
        yield f"    play it: {command(one.candidate.rulebook.rules)}"
    yield from _told_seats(search)
    yield from _told_trade_off(search)


def _told_repair(number: int, one: "Repair", search: "RepairSearch", value: str) -> Iterator[str]:
    from lineduel.lab import difference, track_lines, wrapped

    figures = one.figures
    said = difference(search.rulebook, one.candidate.rulebook)
    yield ""
    count = _counted(len(one.candidate.changes), "change")
    yield wrapped(
        f"{number:>2}. {count}: {'; '.join(each.told for each in one.candidate.changes)}", "    "
    )
    yield from (f"    {line}" for line in track_lines(one.candidate.rulebook))
    yield from (wrapped(f"    now: {sentence}", "    ") for sentence in said.there)
    seats = max(abs(each.seat) for each in figures.equals)
    plies = figures.best.plies
    length = "" if plies is None or one.is_decided else f", {plies:.0f} plies"
    yield wrapped(
        f"    {value}{length}; seat worth at most {seats:.2f}; skill {figures.skill.worse:.0%}; "
        f"{figures.positions:,} positions",
        "    ",
    )
    if one.in_part:
        yield wrapped(f"    holds in part: {'; '.join(one.in_part)}", "    ")


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _told_seats(search: "RepairSearch") -> Iterator[str]:
    """Whether fair seats were preferred, why, and how to turn that off."""
    from lineduel.lab import wrapped

    if not any(one.is_decided for one in search.repairs):
        return
    yield ""
    fair = f"'{Property.FAIR_SEATS}'"
    if search.fair_first and search.repairs[0].is_fair:
        yield wrapped(
            f"The smallest repair is won by one seat from the start, so repairs with {fair} come "
            "first. To rank by the number of changes only, use --any-seat."
        )
    elif search.fair_first:
        yield wrapped(
            f"These are won by one seat from the start. Repairs with {fair} were looked for as "
            f"well, up to {_counted(search.sizes, 'change')}, and there is none. To leave that "
            "out, use --any-seat."
        )
    elif not search.can_be_fair:
        yield wrapped(
            "Each of these is won by one seat from the start. It cannot be otherwise: without "
            "battles, a game that never ends in a draw is decided by its first position."
        )


def _told_trade_off(search: "RepairSearch") -> Iterator[str]:
    """A table of the best repairs by each measure, with their numbers in the list."""
    from lineduel.lab import MEASURED, trade_off

    found = search.repairs
    if len(found) < 2:
        return
    best = trade_off(found)
    yield ""
    yield "The best by what you may want most:"
    yield "".join(f"  {measure:<{_COLUMN}}" for measure in best).rstrip()
    for row in range(max(map(len, best.values()))):
        cells = (
            f"{places[row] + 1:>2}. {MEASURED[measure](found[places[row]])}"
            for measure, places in best.items()
        )
        yield "".join(f"  {cell:<{_COLUMN}}" for cell in cells).rstrip()
