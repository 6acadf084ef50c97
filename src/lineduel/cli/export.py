"""`lineduel export`: positions with exact values, as data to learn from."""

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from lineduel import agents
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.progress import Bar
from lineduel.errors import NotationError, shown
from lineduel.quantities import counted
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook
from lineduel.storage import Output, check_folder, check_outputs, write_output

_FOLDER = Path("lineduel-data")


def configure(parser: Parser) -> None:
    parser.add_argument(
        "games", metavar="GAME", nargs="*", help="a game's id, id:variant, or a .toml file's path"
    )
    parser.add_argument(
        "--to",
        choices=("parquet",),
        default="parquet",
        help="the format of the files (default: parquet)",
    )
    parser.add_number(
        "--unseen", "also export N new rule sets", default=0, read=whole_number(0, 100_000)
    )
    parser.add_seed(default=1)
    parser.add_number(
        "--rows", "at most N positions of each game (default: all)", read=whole_number(1, 10**8)
    )
    parser.add_flag("--reasons", "work out why choices are mistakes; takes much longer")
    parser.add_file("--out", f"the folder to write to (default: {_FOLDER})", "FOLDER")
    parser.add_force()
    parser.examples(
        "lineduel export cross-over flag-chase --to parquet",
        "lineduel export --unseen 100 --seed 7 --out duels",
    )


def run(options: argparse.Namespace) -> int:
    if not options.games and not options.unseen:
        raise NotationError("Name one or more GAMEs, or ask for new rule sets with --unseen.")
    folder = options.out or _FOLDER
    seed = 1 if options.seed is None else options.seed
    settings = agents.DataSettings(options.rows, seed, options.reasons)
    check_folder(folder)  # which is made itself
    outputs = {
        name: Output(folder / name, force=options.force)
        for name in ("train.parquet", "test.parquet", "README.md")
    }
    check_outputs([*outputs.values()])
    given = [find_rulebook(game) for game in options.games]
    with Bar("solving") as bar:
        data = agents.write_data(
            chain(given, _unseen(options.unseen, seed)),
            settings,
            lambda game, rows: bar.stage("solving", detail=f"{shown(game)}, {rows:,} rows"),
        )
        folder.mkdir(exist_ok=True)
        for name, content in data.files():
            write_output(outputs.pop(name), [content])
        for left in outputs.values():  # of an earlier export, which --force replaces
            left.path.unlink(missing_ok=True)
    for split, rows in data.rows.items():
        if rows:
            games = counted(len(data.games[split]), "game")
            print(f"{split}: {counted(rows, 'position')} of {games}")
    print(f"The data is in {shown(folder, 300)}.")
    return 0


def _unseen(count: int, seed: int) -> Iterator[Rulebook]:
    if count:
        from lineduel.envs import random_rulebooks

        yield from random_rulebooks(seed, count=count)
