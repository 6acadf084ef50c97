"""`lineduel tournament`: many games between programs, stored in a file and resumable."""

import argparse
import math
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

from lineduel import arena, documents, jobs
from lineduel.cli.choices import chosen_rulebook, chosen_start, kept_solutions, trusts
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
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.progress import Bar
from lineduel.cli.reports import print_json
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.errors import (
    LedgerError,
    LineduelError,
    NotationError,
    NoWorkers,
    StorageError,
    shown,
)
from lineduel.players import PROGRAMS, check_player_name, engine_commands, no_program, split
from lineduel.rules import format_rules

_FILE = Path("tournament.jsonl")
_MOST_GAMES = 10_000_000


def configure(parser: Parser) -> None:
    number = partial(parser.add_number, read=whole_number(0, _MOST_GAMES))
    parser.add_game(optional=True)
    parser.rename_option("--game", "an argument: lineduel tournament GAME --players PLAYER PLAYER")
    parser.add_start()
    parser.add_argument(
        "--players", nargs="+", metavar="PLAYER", help=f"two or more of: {PROGRAMS}"
    )
    parser.add_flag("--gauntlet", "pair only the first player with each other one")
    number("--games", "games of each pairing, an even number, half in each seat", named=100)
    parser.add_seed(default=1)
    number("--opening", "random turns at the start of each game", named=0)
    number("--max-turns", "stop a game after N turns", named=300, dest="plies")
    parser.rename_option("--plies", "--max-turns")
    number("--max-plies", argparse.SUPPRESS, dest="plies")  # its name of old, for scripts
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        type=_bounds,
        help="stop a pairing once a sequential test decides between these two Elo differences",
    )
    number("--movetime", "milliseconds an engine may think about a move", named=1000, metavar="MS")
    number("--playouts", "simulated games per move of the player 'search'", named=1000)
    add_ledger(parser, _FILE, "games")
    parser.add_trust()
    parser.add_engine_log()
    parser.add_workers()
    parser.add_json()
    parser.examples(
        "lineduel tournament cross-over --players random casual perfect",
        "lineduel tournament flag-chase --players search 'engine:python mine.py'",
        "lineduel tournament --resume --file mine.jsonl",
        "lineduel tournament cross-over --players easy beginner --sprt 0,50",
        "lineduel tournament --resume --cluster tcp://127.0.0.1:8786",
    )


def run(options: argparse.Namespace) -> int:
    with _opened(options) as running:
        tournament, standings = running.work, running.work.standings
        named_by_file = (
            standings.settings.players if not options.players and standings.done < 1 else ()
        )
        if not trusts(named_by_file, options.file, Terminal(), options.trust):
            return 0
        pool = None

        def left() -> Left:
            return left_in_file(options, tournament.kept)

        try:
            if options.cluster is None:
                tournament.try_engines()
            with Bar("solving") as bar, stoppable(bar, left):
                tournament.prepare(bar)
                bar.add_table(lambda: arena.table_lines(standings))
                with pool_for(options, bar) as pool:
                    run_work(running, pool, bar, left)
        except LineduelError as error:
            lost = pool is not None and isinstance(error, NoWorkers)
            if not (options.resume or standings.games or lost):  # there is nothing to resume
                options.file.unlink(missing_ok=True)
            raise
        finally:
            for sentence in tournament.problems:
                print(sentence, file=sys.stderr)
    if options.json:
        print_json(documents.tournament_document(standings))
    else:
        print(*arena.tournament_lines(standings), sep="\n")
    return 0


def _opened(options: argparse.Namespace) -> "jobs.LongRun[arena.Tournament]":
    """A new tournament with its file, or the one to resume."""
    given, named = _given(options), options.file is not None
    choose_ledger(options, _FILE)
    _check_engine_log(options)
    if options.resume:
        resumed = partial(_resumed, options, given)
        return jobs.LongRun.go_on(options.file, arena.TOURNAMENT, resumed)
    for needed, called in (("game", "a GAME"), ("players", "--players")):
        if needed not in given:
            raise NotationError(f"A tournament needs {called}; or resume one with --resume.")
    settings = arena.Settings(**given)
    settings.check()
    standings = arena.Standings(settings)
    tournament = arena.Tournament(standings, options.engine_log, kept_solutions())
    return begin_ledger(options, _FILE, tournament, named)


def _resumed(
    options: argparse.Namespace, given: dict[str, Any], ledger: "jobs.Ledger"
) -> "arena.Tournament":
    """The tournament in a file; raises if the options ask for another one."""
    kept = arena.settings_of(ledger)
    for name, value in given.items():
        if getattr(kept, name) != value:
            raise LedgerError(
                f"{shown(options.file, 200)} is a tournament with another {name}: "
                f"{shown(_listed(getattr(kept, name)))}, not {shown(_listed(value))}.\n"
                "Leave that out to resume it, or begin another with --file."
            )
    return arena.Tournament.resumed(ledger, options.engine_log, kept_solutions())


def _check_engine_log(options: argparse.Namespace) -> None:
    """Refuse a log that cannot be written before any game is played."""
    if options.engine_log is None:
        return
    if options.cluster is not None:
        raise NotationError("--engine-log is for engines on this machine, not with --cluster.")
    if options.engine_log.resolve() == options.file.resolve():
        raise StorageError("The games and the engines' log need a file each.")
    from lineduel.players import EngineLog

    EngineLog(options.engine_log).close()


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The settings given on the command line."""
    given: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("games", "seed", "plies", "opening", "sprt", "movetime", "playouts")
        if getattr(options, name) is not None
    }
    if options.gauntlet:
        given["gauntlet"] = True
    if given.get("games", 2) % 2 or not given.get("games", 2):
        raise NotationError("--games takes an even number: both players have each seat as often.")
    for name in ("plies", "movetime", "playouts"):
        if getattr(options, name) == 0:
            option = "max-turns" if name == "plies" else name
            raise NotationError(f"--{option} takes a number of 1 or more.")
    if options.players is not None:
        given["players"] = _players(options.players, local=options.cluster is None)
    if options.game is not None:
        rulebook = chosen_rulebook(options)
        start = chosen_start(options, Game(rulebook))
        given |= {
            "game": rulebook.id,
            "title": rulebook.title,
            "rules": format_rules(rulebook.rules),
            "start": str(start),
        }
    elif options.set or options.first or options.position:
        raise NotationError("--set, --first and --position need a GAME.")
    return given


def _players(names: list[str], local: bool) -> tuple[str, ...]:
    players = tuple(check_player_name(name) for name in names)
    for command in engine_commands(players):
        if local and shutil.which(split(command)[0]) is None:
            raise StorageError(no_program(split(command)))
    return players


def _bounds(text: str) -> tuple[float, float]:
    """Parse two Elo differences, the smaller first."""
    try:
        elo0, elo1 = (float(one) for one in text.split(","))
    except ValueError:
        elo0 = elo1 = math.nan
    if not -arena.LARGEST_ELO <= elo0 < elo1 <= arena.LARGEST_ELO:
        raise argparse.ArgumentTypeError(
            f"'{shown(text)}' is not two strengths in Elo, the smaller first, as 0,50"
        )
    return elo0, elo1


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
