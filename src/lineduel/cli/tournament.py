"""`lineduel tournament`: many games between programs, stored in a file and resumable."""

import argparse
import math
import shlex
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.ledgers import add_ledger, choose_ledger
from lineduel.cli.options import (
    Parser,
    add_engine_log,
    add_game,
    add_json,
    add_seed,
    add_start,
    examples,
    print_json,
    rename_option,
)
from lineduel.cli.progress import Bar, bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import Terminal
from lineduel.cli.trust import add_trust, trusts
from lineduel.cli.workers import add_workers, ignore_interrupts, pool_for
from lineduel.engine import Game
from lineduel.errors import (
    LedgerError,
    LineduelError,
    NotationError,
    NoWorkers,
    StorageError,
    original_errors,
    shown,
)
from lineduel.players import PROGRAMS, check_player_name, split
from lineduel.rules import format_rules

if TYPE_CHECKING:
    from lineduel.arena import Score, Settings, Tally
    from lineduel.jobs import Ledger

_WIDTH = 60
USUAL_FILE = Path("tournament.jsonl")
_INTERRUPTED = 130
_MOST_GAMES = 10_000_000
REDRAW = 0.5


def configure(parser: Parser) -> None:
    add_game(parser, optional=True)
    rename_option(parser, "--game", "an argument: lineduel tournament GAME --players PLAYER PLAYER")
    add_start(parser)
    parser.add_argument(
        "--players",
        nargs="+",
        metavar="PLAYER",
        help=f"two or more of: {PROGRAMS}",
    )
    parser.add_argument(
        "--gauntlet", action="store_true", help="pair only the first player with each other one"
    )
    parser.add_argument(
        "--games",
        type=_number,
        metavar="N",
        help="games of each pairing, an even number, half in each seat (default: 100)",
    )
    add_seed(parser, default=1)
    parser.add_argument(
        "--opening",
        type=_number,
        metavar="N",
        help="random plies at the start of each game (default: 0)",
    )
    parser.add_argument(
        "--max-plies",
        dest="plies",
        type=_number,
        metavar="N",
        help="stop a game after N plies (default: 300)",
    )
    rename_option(parser, "--plies", "--max-plies")
    parser.add_argument(
        "--sprt",
        metavar="ELO0,ELO1",
        type=_bounds,
        help="stop a pairing once a sequential test decides between these two Elo differences",
    )
    parser.add_argument(
        "--movetime",
        type=_number,
        metavar="MS",
        help="milliseconds an engine may think about a move (default: 1000)",
    )
    parser.add_argument(
        "--playouts",
        type=_number,
        metavar="N",
        help="simulated games per move of the player 'search' (default: 1000)",
    )
    add_ledger(parser, USUAL_FILE, "games")
    add_trust(parser)
    add_engine_log(parser)
    add_workers(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel tournament cross-over --players level:1 level:4 perfect",
        "lineduel tournament flag-chase --players search 'engine:python mine.py'",
        "lineduel tournament --resume --file mine.jsonl",
        "lineduel tournament cross-over --players level:3 level:2 --sprt 0,50",
        "lineduel tournament --resume --cluster tcp://127.0.0.1:8786",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.arena import GameRunner, Tally, count_games, play_on

    ledger, settings = _opened(options)
    with ledger:
        tally = Tally(settings)
        count_games(tally, ledger)
        named_by_file = settings.players if options.players is None and tally.done < 1 else ()
        if not trusts(named_by_file, ledger.path, Terminal(), options.trust):
            return 0
        working = False
        try:
            if tally.done < 1:
                with original_errors(), Bar("solving") as solving:
                    GameRunner(settings, cache=kept_solutions()).prepare(solving)
            with _Live(tally) as live, pool_for(options, live.note) as pool:
                working = True
                for _ in play_on(tally, ledger, pool, options.engine_log, kept_solutions()):
                    live.show()
        except KeyboardInterrupt:
            return _interrupted(tally, ledger.path)
        except LineduelError as error:
            lost = working and isinstance(error, NoWorkers)
            if not (options.resume or tally.games or lost):  # there is nothing to resume
                ledger.path.unlink(missing_ok=True)
            raise
    if options.json:
        from lineduel.documents import tournament_document

        print_json(tournament_document(tally))
    else:
        print("\n".join(_report(tally)))
    return 0


def _interrupted(tally: "Tally", path: Path) -> int:
    file = "" if path == USUAL_FILE else f" --file {shlex.quote(shown(path, 300))}"
    ignore_interrupts()
    print(
        f"\nStopped; {tally.games:,} games are kept in {shown(path, 300)}.\n"
        f"Go on with: lineduel tournament --resume{file}",
        file=sys.stderr,
    )
    return _INTERRUPTED


# Options


def _opened(options: argparse.Namespace) -> "tuple[Ledger, Settings]":
    """The file of a new tournament, or of the one to resume."""
    from lineduel.arena import TOURNAMENT, Settings, settings_of
    from lineduel.jobs import Ledger

    given = _given(options)
    choose_ledger(options, USUAL_FILE)
    _check_engine_log(options)
    if not options.resume:
        for needed, called in (("game", "a GAME"), ("players", "--players")):
            if needed not in given:
                raise NotationError(f"A tournament needs {called}; or go on with one by --resume.")
        settings = Settings(**given)
        settings.check()
        return Ledger.begin(options.file, settings.header()), settings
    ledger = Ledger.go_on(options.file, TOURNAMENT)
    try:
        kept = settings_of(ledger)
        for name, value in given.items():
            if getattr(kept, name) != value:
                raise LedgerError(
                    f"{shown(options.file, 200)} is a tournament with another {name}: "
                    f"{shown(_told(getattr(kept, name)))}, not {shown(_told(value))}.\n"
                    "Leave that out to go on with it, or begin another with --file."
                )
    except LedgerError:
        with ledger:
            raise
    return ledger, kept


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
            option = "max-plies" if name == "plies" else name
            raise NotationError(f"--{option} takes a number from 1 on.")
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
    for player in players:
        command = player.partition(":")[2] if player.startswith("engine:") else ""
        if command and local and shutil.which(split(command)[0]) is None:
            raise StorageError(f"There is no program called '{shown(split(command)[0])}'.")
    return players


def _number(text: str) -> int:
    """Parse a whole number that is not negative."""
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= _MOST_GAMES and len(text) < 9):
        raise argparse.ArgumentTypeError(
            f"'{shown(text)}' is not a whole number from 0 to {_MOST_GAMES}"
        )
    return int(text)


def _bounds(text: str) -> tuple[float, float]:
    """Parse two Elo differences, the smaller first."""
    from lineduel.arena import LARGEST_ELO

    try:
        elo0, elo1 = (float(one) for one in text.split(","))
    except ValueError:
        elo0 = elo1 = math.nan
    if not -LARGEST_ELO <= elo0 < elo1 <= LARGEST_ELO:
        raise argparse.ArgumentTypeError(
            f"'{shown(text)}' is not two strengths in Elo, the smaller first, as 0,50"
        )
    return elo0, elo1


def _told(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# Output


class _Live:
    """The current table, redrawn on a terminal; nothing otherwise."""

    def __init__(self, tally: "Tally") -> None:
        self._tally = tally
        self._began = time.monotonic()
        self._drawn = 0.0
        self._lines = 0
        self._before = tally.done

    def __enter__(self) -> "_Live":
        return self

    def show(self) -> None:
        now = time.monotonic()
        if now - self._drawn < REDRAW or not sys.stderr.isatty():
            return
        self._drawn = now
        done = self._tally.done
        share = (done - self._before) / max(1 - self._before, 1e-9)
        lines = [*_table(self._tally), bar("playing", done, now - self._began, share)]
        high, wide = shutil.get_terminal_size().lines - 1, shutil.get_terminal_size().columns - 1
        lines = [line[:wide] for line in lines[-high:]]
        self._clear()
        print("\n".join(lines), file=sys.stderr, flush=True)
        self._lines = len(lines)

    def note(self, sentence: str) -> None:
        """Print a line above the table."""
        self._clear()
        print(sentence, file=sys.stderr, flush=True)

    def __exit__(self, *how: object) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._lines:
            print(f"\x1b[{self._lines}F\x1b[J", end="", file=sys.stderr, flush=True)
            self._lines = 0


def _report(tally: "Tally") -> Iterator[str]:
    settings = tally.settings
    yield f"{shown(settings.title, 200)} ({shown(settings.game, 200)}), {settings.start}"
    yield f"{tally.counted:,} games, seed {settings.seed}."
    yield ""
    yield from _table(tally)
    yield ""
    for score in tally.scores():
        yield (
            f"{score.player} - {score.opponent}: {score.points:g} of {score.games:,}"
            f" ({_seat(score.seat1)} as player 1, {_seat(score.seat2)} as player 2)"
        )
        if score.decision is not None:
            yield f"  {_decision(score, settings.sprt)}"
    if tally.games > tally.counted:
        yield f"\n{tally.games - tally.counted:,} games under way at a decision do not count."
    unfinished = sum(score.unfinished for score in tally.scores())
    if unfinished:
        games = "1 game was" if unfinished == 1 else f"{unfinished:,} games were"
        yield f"\n{games} unfinished after {settings.plies} plies: half a point for each player."
    for player, why, times in tally.fault_counts():
        games = "1 game" if times == 1 else f"{times} games"
        told = f"{shown(player)} forfeited {games}: {shown(why, 300)}"
        yield f"\n{fill(told, _WIDTH)}"


def _table(tally: "Tally") -> Iterator[str]:
    rows = tally.table()
    wide = min(max(len(row.player) for row in rows), 24)
    yield f"{'':<{wide}}    Elo   +/-    points   games     won    lost  unfinished"
    for row in rows:
        margin = "-" if row.margin is None else f"{row.margin:.0f}"
        yield (
            f"{shown(row.player, wide):<{wide}}  {round(row.elo):>+5d}  {margin:>4}  "
            f"{row.points:>8.1f} {row.games:>7} {row.won:>7} {row.lost:>7}  {row.unfinished:>10}"
        )


def _seat(score: float | None) -> str:
    return "-" if score is None else f"{score:.0%}"


def _decision(score: "Score", sprt: tuple[float, float] | None) -> str:
    from lineduel.arena import SprtVerdict

    assert score.decision is not None
    assert sprt is not None
    elo0, elo1 = (f"{one:g}" for one in sprt)
    verdict, games, ratio = score.decision
    match verdict:
        case SprtVerdict.OPEN:
            return f"Not decided between {elo0} and {elo1} Elo (log-likelihood ratio {ratio:+.2f})."
        case SprtVerdict.STRONGER:
            return f"Decided after {games:,} games: better by {elo1} Elo rather than {elo0}."
        case SprtVerdict.WEAKER:
            return f"Decided after {games:,} games: better by {elo0} Elo rather than {elo1}."
