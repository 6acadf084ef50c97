"""`lineduel sweep`: measure all combinations of some rules."""

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path

from lineduel import documents, jobs, lab
from lineduel.cli.choices import chosen_rulebook, kept_solutions
from lineduel.cli.long_work import (
    Left,
    add_ledger,
    begin_ledger,
    choose_ledger,
    left_in_file,
    pool_for,
    run_work,
    stoppable,
)
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.reports import output, print_json
from lineduel.errors import LedgerError, NotationError, shown
from lineduel.page import PAGE_HEAD
from lineduel.rulebooks import rulebook_file
from lineduel.rules import LENGTH, RULE_TABLES, check_length_alone
from lineduel.storage import Output, check_outputs, write_output
from lineduel.svg import SVG_HEAD

_FILE, _PICTURE = Path("sweep.jsonl"), Path("sweep.svg")
_MOST = 10_000


def configure(parser: Parser) -> None:
    parser.add_game(optional=True)
    parser.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="KEY=VALUES",
        help="a rule and its values: between |, or numbers as 8..16; repeatable",
    )
    parser.add_number("--max-combinations", "refuse to try more than N combinations", None, _MOST)
    parser.add_number("--max-positions", "skip a rulebook with more than N positions", None, 100000)
    seconds = "skip a rulebook that takes longer than S seconds"
    parser.add_number("--max-seconds", seconds, named=60, read=float, metavar="S")
    parser.rename_option("--most", "--max-combinations")
    parser.rename_option("--positions", "--max-positions")
    parser.rename_option("--seconds", "--max-seconds")
    add_ledger(parser, _FILE, "rows")
    parser.add_file("--csv", "write the rows to FILE as CSV")
    parser.add_file("--parquet", "write the rows to FILE as Parquet")
    parser.add_argument(
        "--plot", nargs=2, metavar=("x=COLUMN", "y=COLUMN"), help="plot one column over another"
    )
    parser.add_file("--svg", f"write the plot to FILE (default: {_PICTURE})")
    parser.add_argument(
        "--heat-map",
        metavar="COLUMN",
        help="draw this column as a heat map of the two keys that vary",
    )
    parser.add_file("--html", "write a page with pictures to FILE")
    parser.add_force()
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel sweep cross-over --vary track.length=9..13 --vary 'move.steps=1,2|1,2,3'",
        "lineduel sweep ctf-tokens --vary track.length=9..15 --plot x=track.length y=seat_best",
        "lineduel sweep ctf-tokens --vary track.length=9..12 --vary 'move.steps=1,2|1,2,3' "
        "--heat-map seat_best",
        "lineduel sweep ctf-tokens --vary track.length=9..15 --html sweep.html",
        "lineduel sweep --resume --file sweep.jsonl",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.compiled import announce_compiling

    options.columns = _plotted(options.plot) if options.plot else ()
    if options.plot and options.heat_map:
        raise NotationError("--plot and --heat-map are two pictures. Give one of them.")
    if options.svg and not (options.plot or options.heat_map):
        raise NotationError(
            "--svg needs to know what to show: --plot x=COLUMN y=COLUMN, or --heat-map COLUMN."
        )
    named = options.file is not None
    choose_ledger(options, _FILE)
    outputs = _outputs(options)
    inputs = [options.file, *([rulebook_file(options.game)] if options.game else [])]
    check_outputs(tuple(outputs.values()), inputs)
    with (
        Bar("listing the combinations") as bar,
        pool_for(options, bar) as pool,
        _opened(options, named) as running,
    ):
        sweep = running.work

        def left() -> Left:
            return left_in_file(options, sweep.kept)

        with stoppable(bar, left):
            if len(sweep.rows) < len(sweep.space) and options.cluster is None:
                announce_compiling("graph")
            run_work(running, pool, bar, left)
        _export(sweep, outputs, options, bar)
    if options.json:
        print_json(documents.sweep_document(sweep))
        return 0
    print(*lab.sweep_lines(sweep), sep="\n")
    for path in (*(one.path for one in outputs.values()), options.file):
        print(f"Written to {shown(path, 300)}.")
    return 0


def _opened(options: argparse.Namespace, named: bool) -> "jobs.LongRun[lab.Sweep]":
    """A new sweep with its file, which may have been `named`, or the one to resume."""
    limits = _limits(options)
    if options.resume:
        resumed = partial(_resumed, options, limits)
        return jobs.LongRun.go_on(options.file, lab.SWEEP, resumed)
    if options.game is None:
        raise NotationError("Name a GAME to vary, or continue a sweep with --resume.")
    space = _space(options)
    _check_size(space, _MOST if options.max_combinations is None else options.max_combinations)
    _check_columns(options, space)
    return begin_ledger(options, _FILE, lab.Sweep(space, limits), named)


def _check_size(space: "lab.Space", most: int) -> None:
    if len(space) > most:
        raise NotationError(
            f"Those are {len(space):,} combinations, and {most:,} are the limit.\n"
            f"Vary less, or allow it with --max-combinations {len(space)}."
        )


def _resumed(
    options: argparse.Namespace, limits: "lab.CandidateLimits", ledger: "jobs.Ledger"
) -> "lab.Sweep":
    """The sweep in a file; raises if the options ask for another sweep or other limits."""
    sweep, file = lab.resume(ledger), shown(options.file, 200)
    if sweep.repeated:
        more = f", as do {len(sweep.repeated) - 1:,} more" if len(sweep.repeated) > 1 else ""
        print(
            f"{file}, line {sweep.repeated[0]}: repeats an earlier row{more}; the first counts.",
            file=sys.stderr,
        )
    kept = sweep.limits
    if (options.max_positions, options.max_seconds) != (None, None) and limits != kept:
        raise LedgerError(
            f"{file} has other limits: {kept.positions:,} positions and "
            f"{kept.seconds:g} seconds. Leave them out to go on."
        )
    if options.game is not None or options.vary or options.set:
        asked = _space(options) if options.game else None
        if asked is None or lab.Sweep(asked, kept).header != sweep.header:
            raise LedgerError(
                f"{file} is another sweep.\n"
                "Leave out what varies to resume it, or begin another with --file."
            )
    if options.max_combinations is not None:
        _check_size(sweep.space, options.max_combinations)
    _check_columns(options, sweep.space)
    return sweep


def _space(options: argparse.Namespace) -> "lab.Space":
    """What varies, starting from the rulebook selected by GAME and --set."""
    space = lab.make_space(chosen_rulebook(options), options.vary)
    _check_order([text.partition("=")[0].strip() for text in options.set], space)
    return space


def _check_order(keys: Sequence[str], space: "lab.Space") -> None:
    """Refuse to vary the track's length if --set changes keys that depend on it."""
    varied = list(space.axes)
    if LENGTH in keys:
        check_length_alone(varied)
    if LENGTH not in varied:
        return
    check_length_alone(keys)
    for key in keys:
        if key == LENGTH:
            raise NotationError(f"{LENGTH} is both set and varied. Give one of them.")
        if key.startswith("player"):
            raise NotationError(
                f"{LENGTH} comes before {key}, so it cannot vary after {key} is set.\n"
                f"Write --vary {key}=... in place of --set {key}=..."
            )


def _limits(options: argparse.Namespace) -> "lab.CandidateLimits":
    default = lab.CandidateLimits()
    positions = default.positions if options.max_positions is None else options.max_positions
    seconds = default.seconds if options.max_seconds is None else options.max_seconds
    if not 1 <= positions <= lab.MOST_POSITIONS or not 0 < seconds <= lab.MOST_SECONDS:
        raise NotationError(
            f"--max-positions takes 1 to {lab.MOST_POSITIONS:,}, "
            f"--max-seconds more than 0, up to {lab.MOST_SECONDS:,}."
        )
    return lab.CandidateLimits(positions, seconds)


def _check_columns(options: argparse.Namespace, space: "lab.Space") -> None:
    """Refuse a picture of columns that do not exist, before anything is computed."""
    heat_map = options.heat_map
    if heat_map and len(space.axes) != 2:
        raise NotationError(
            f"--heat-map is for two keys that vary; here {len(space.axes)} "
            f"{'does' if len(space.axes) == 1 else 'do'}."
        )
    known = [*space.axes, *lab.RowFigures.__struct_fields__]
    for name in (*options.columns, *([heat_map] if heat_map else ())):
        if name not in known:
            raise NotationError(
                f"There is no column {shown(name)}. The columns: {', '.join(known)}."
            )


def _plotted(texts: list[str]) -> tuple[str, str]:
    """The columns of a plot, for x and y."""
    given = dict(text.partition("=")[::2] for text in texts)
    if given.keys() != {"x", "y"} or not all(given.values()):
        raise NotationError("--plot takes two columns, as --plot x=track.length y=seat_best.")
    return given["x"], given["y"]


def _outputs(options: argparse.Namespace) -> dict[str, Output]:
    """The additional output files, by kind."""
    outputs = {}
    if options.csv:
        heads = (f"number,{table}." for table in RULE_TABLES)
        outputs["csv"] = output(options, options.csv, *heads)
    if options.parquet:  # its first bytes do not show who wrote it
        outputs["parquet"] = output(options, options.parquet)
    if options.plot or options.heat_map:
        outputs["svg"] = output(options, options.svg or _PICTURE, SVG_HEAD)
    if options.html:
        outputs["html"] = output(options, options.html, PAGE_HEAD)
    return outputs


def _export(
    sweep: "lab.Sweep", outputs: dict[str, Output], options: argparse.Namespace, bar: Bar
) -> None:
    rows = sweep.table()
    if "csv" in outputs:
        write_output(outputs["csv"], lab.to_csv(rows))
    if "parquet" in outputs:
        write_output(outputs["parquet"], [lab.to_parquet(rows)])
    if options.plot:
        write_output(outputs["svg"], lab.draw_plot(rows, *options.columns))
    elif "svg" in outputs:
        x, y = sweep.space.axes
        write_output(outputs["svg"], lab.draw_heat_map(rows, x, y, options.heat_map))
    if "html" in outputs:
        bar.stage("drawing the page")
        write_output(outputs["html"], lab.sweep_page(sweep, date.today(), kept_solutions()))
