"""`lineduel repair`: the smallest changes that make a rulebook's claims true."""

import argparse
import shlex
from collections.abc import Callable, Iterator
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
from lineduel.cli.workers import add_workers, pool_for
from lineduel.errors import NotationError, NotInstalled, shown
from lineduel.rulebooks import find_rulebook, rulebook_file
from lineduel.rules import Property, Rulebook, Rules, assignments_between, rulebook_data
from lineduel.storage import check_outputs, write_output

if TYPE_CHECKING:
    from lineduel.lab import Repair, RepairSearch

_LARGEST = 3
NO = 1
Command = Callable[[Rules], str]
"""How some rules are played."""
_HEAD = "# Mended by lineduel repair."
"""The first line of a file that --write makes."""


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
    add_force(parser)
    parser.add_argument(
        "--pick", type=int, default=1, metavar="N", help="write the N-th repair (default: 1)"
    )
    add_workers(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel repair flag-chase",
        "lineduel repair flag-chase --write mended.toml",
        "lineduel repair ctf-tokens --also 'neither seat favoured' --max-changes 2",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.lab import claims_of, is_sound, repair

    if not 1 <= options.max_changes <= _LARGEST:
        raise NotationError(f"--max-changes takes 1 to {_LARGEST}.")
    if options.pick < 1:
        raise NotationError("--pick takes a number from 1 on.")
    rulebook = chosen_rulebook(options)
    command = partial(play_command, options.game, find_rulebook(options.game).rules)
    if options.write:
        check_outputs([output(options, options.write, _HEAD)], [rulebook_file(options.game)])
        as_toml(rulebook)  # whether it can be written is known before the search
    also = [Property(one) for one in options.also]
    wanted = [one.property for one in claims_of(rulebook.rules, rulebook.claims)]
    if is_sound(rulebook, [*wanted, *also], kept_solutions()):
        if options.json:
            from lineduel.documents import sound_document

            print_json(sound_document(rulebook.id))
        else:
            print(f"{rulebook.title}: every claim is proved, so there is nothing to mend.")
            print("Ask for more with --also, as --also 'neither seat favoured'.")
        return 0
    with pool_for(options) as pool, Bar("mending") as bar:
        search = repair(
            rulebook,
            also=also,
            most=options.max_changes,
            pool=pool,
            report=bar,
            cache=kept_solutions(),
        )
    written = bool(options.write) and len(search.repairs) >= options.pick
    if written:
        mended = search.repairs[options.pick - 1].candidate.rulebook
        write_output(output(options, options.write, _HEAD), as_toml(mended))
    if options.json:
        from lineduel.documents import repair_document

        print_json(repair_document(search, command))
        return 0 if search.repairs else NO
    for line in _told(search, command):
        print(line)
    if written:
        name = shown(options.write, 300)
        file = shlex.quote(name)
        print(f"\nWritten to {name}. Play it with: lineduel play {file}")
    elif options.write:
        print(f"\nNothing was written: there is no repair number {options.pick}.")
    return 0 if search.repairs else NO


def play_command(game: str, before: Rules, after: Rules) -> str:
    """What to type into a shell to play a game whose rules were changed to others."""
    words = ["lineduel", "play", game]
    for text in assignments_between(before, after):
        words += ["--set", text]
    return shlex.join(words)


def as_toml(rulebook: Rulebook) -> str:
    """A rulebook as a file; variants that no longer fit are left out, and errata are history."""
    try:
        import tomli_w
    except ImportError:
        raise NotInstalled("tomli-w", "full") from None
    data = rulebook_data(rulebook)
    data["title"] = f"{rulebook.title} (mended)"
    for gone in ("variants", "errata"):
        data.pop(gone, None)
    return f"{_HEAD}\n{tomli_w.dumps(data, multiline_strings=True)}"


def _tried(search: "RepairSearch") -> Iterator[str]:
    """How many rulebooks were looked at, and which were not."""
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
        yield "None of them proves all the claims and is still about the same thing."
        for some in search.excluded():
            these = "" if len(some) == 1 else " these together"
            yield wrapped(
                f"Of those that still are, none proves{these}: {'; '.join(sorted(some))}."
            )
    found = search.repairs or search.nearest
    if found:
        yield ""
        yield "Mended by:" if search.repairs else "Nearest, with no claim refuted:"
    for number, one in enumerate(found, start=1):
        yield from _told_repair(number, one, search, deciding(one.figures))
        yield f"    play it: {command(one.candidate.rulebook.rules)}"


def _told_repair(number: int, one: "Repair", search: "RepairSearch", value: str) -> Iterator[str]:
    from lineduel.lab import difference, wrapped

    figures = one.figures
    said = difference(search.rulebook, one.candidate.rulebook)
    yield ""
    count = _counted(len(one.candidate.changes), "change")
    yield wrapped(
        f"{number:>2}. {count}: {'; '.join(each.told for each in one.candidate.changes)}", "    "
    )
    yield from (wrapped(f"    now: {sentence}", "    ") for sentence in said.there)
    seats = max(abs(each.seat) for each in figures.equals)
    plies = figures.best.plies
    length = "" if plies is None else f", {plies:.0f} plies"
    yield wrapped(
        f"    {value}{length}; seat worth at most {seats:.2f}; skill {figures.skill.worse:.0%}; "
        f"{figures.positions:,} positions",
        "    ",
    )
    if one.in_part:
        yield wrapped(f"    holds in part: {'; '.join(one.in_part)}", "    ")


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
