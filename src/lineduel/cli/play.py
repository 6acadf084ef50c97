"""`lineduel play`: start a game, or resume one."""

import argparse
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook, chosen_start, remembered_names, trusts
from lineduel.cli.options import Parser
from lineduel.cli.screen import add_screen, has_full_screen, open_screen
from lineduel.cli.terminal import Terminal, says_yes
from lineduel.engine import Game
from lineduel.errors import InUse, NotationError
from lineduel.match import SUFFIX, GameSetup, Match, MatchSettings, Saves, load
from lineduel.play import GivenNames, Seats
from lineduel.players import HUMAN, PROGRAMS, Limits, check_player_name
from lineduel.preferences import check_name, load_preferences
from lineduel.rulebooks import find_rulebook, remember_rulebook
from lineduel.rules import Rulebook, Side
from lineduel.solve import Cache
from lineduel.storage import can_hold, user_path

if TYPE_CHECKING:
    from lineduel.players import EngineLog

LONGEST_MOVETIME = 3_600_000


def configure(parser: Parser) -> None:
    parser.add_game(optional=True)
    parser.add_start(lot=True)
    for side in Side:
        parser.add_argument(
            f"--p{side}",
            metavar="PLAYER",
            help=f"who plays player {side}: human, {PROGRAMS} (default: asked, or human)",
        )
    movetime = "milliseconds an engine may think about a move"
    parser.add_number("--movetime", movetime, Limits().movetime, metavar="MS")
    parser.add_names()
    parser.add_argument(
        "--coach",
        action=argparse.BooleanOptionalAction,
        help="warn before you make a mistake (default: as 'lineduel config' says, or no)",
    )
    parser.add_engine_log()
    parser.add_flag("--resume", "resume the last game, or the .duel file given as GAME")
    parser.add_flag("--copy", "with --resume, leave the file as it is and use a copy")
    parser.add_trust()
    add_screen(parser)
    parser.examples(
        "lineduel play flag-chase",
        "lineduel play cross-over --p1 easy --coach",
        "lineduel play cross-over --name1 Ann --name2 Bob",
        "lineduel play flag-chase --p2 'engine:python my_engine.py'",
        "lineduel play ctf-soldiers --first random",
        "lineduel play cross-over --position 0,x,4/9,6,x/1",
        "lineduel play blockade-duel:from-bases --set move.steps=1,2,3",
        "lineduel play --resume",
        "lineduel play --resume --p2 3",
        "lineduel play --resume game.duel",
        "lineduel play flag-chase --plain",
    )


def run(options: argparse.Namespace) -> int:
    if options.engine_log is None:
        return _play(options, None)
    from lineduel.players import EngineLog

    log = EngineLog(options.engine_log)
    try:
        return _play(options, log)
    finally:
        if log.problem:  # after the full screen, which would hide it
            Terminal(options.colour).complain(log.problem)
        log.close()


def _play(options: argparse.Namespace, log: "EngineLog | None") -> int:
    """Start or resume the game; what is said to engines goes to the log."""
    if options.resume:
        return _resume(options, log)
    if options.copy or options.trust:
        raise NotationError("--copy and --trust go with --resume.")
    if options.game is None and has_full_screen(options):
        return open_screen(options)
    if options.game is None:
        from lineduel.cli.menu import choose_game

        options.game = choose_game(Terminal(options.colour))
        if options.game is None:
            return 0
    rulebook = chosen_rulebook(options)
    _check_first(options, rulebook)
    remember_rulebook(options.game)
    new = _new_game(options, rulebook, log)
    if has_full_screen(options) and not _names_players(options):
        return open_screen(options, new)
    seats = _seats(options, rulebook)
    if seats is None:
        return 0
    if options.seed is not None and options.first != "random" and seats == (HUMAN, HUMAN):
        raise NotationError("--seed is for --first random and for programs; nothing is drawn here.")
    return play(replace(new, names=_names(options, seats)).begin(seats), options)


def run_play(options: argparse.Namespace, *words: str) -> int:
    """Play with these words on the command line, on the screen that another command was given."""
    from lineduel.cli.main import build_parser

    given = build_parser(["play", *words]).parse_args(["play", *words])
    for name in ("colour", "plain", "animation", "theme"):
        setattr(given, name, getattr(options, name))
    return run(given)


def _new_game(
    options: argparse.Namespace, rulebook: Rulebook, log: "EngineLog | None"
) -> GameSetup:
    """The game that the options describe, but for who plays it."""
    given = _given_names(options)
    settled = options.position is not None or options.first is not None
    return GameSetup(
        rulebook,
        chosen_start(options, Game(rulebook)) if settled else None,
        (given.get(Side.ONE), given.get(Side.TWO)),
        options.seed,
        _settings(options, log),
    )


def _names_players(options: argparse.Namespace) -> bool:
    """Whether the options say who plays."""
    return options.p1 is not None or options.p2 is not None


def _settings(options: argparse.Namespace, log: "EngineLog | None") -> MatchSettings:
    """The coach helps as the option says, else as the user prefers it."""
    if not 1 <= options.movetime <= LONGEST_MOVETIME:
        raise NotationError(f"--movetime takes from 1 to {LONGEST_MOVETIME} milliseconds.")
    coach = options.coach
    if coach is None:
        coach = Terminal(options.colour).is_interactive and load_preferences().coach
    limits = Limits(movetime=options.movetime)
    return MatchSettings(cache=Cache(), coach=coach, limits=limits, engine_log=log)


def _given_names(options: argparse.Namespace) -> dict[Side, str]:
    """The names that the options give."""
    given = {Side.ONE: options.name1, Side.TWO: options.name2}
    return {side: check_name(name) for side, name in given.items() if name is not None}


def _names(options: argparse.Namespace, seats: Seats) -> GivenNames:
    """What the players are called: as the options say, else as the user is called."""
    given = _given_names(options)
    one, two = remembered_names(Terminal(options.colour), seats)
    return given.get(Side.ONE, one), given.get(Side.TWO, two)


def _seats(options: argparse.Namespace, rulebook: Rulebook) -> tuple[str, str] | None:
    """Who plays, asked for on a plain terminal; None to quit."""
    if not _names_players(options):
        from lineduel.cli.menu import choose_seats

        return choose_seats(Terminal(options.colour), rulebook)
    return check_player_name(options.p1 or HUMAN), check_player_name(options.p2 or HUMAN)


def _resume(options: argparse.Namespace, log: "EngineLog | None") -> int:
    """Resume the last unfinished game, or the one in a file."""
    if options.set or options.position or options.first or options.seed is not None:
        raise NotationError(
            "--resume goes on with a game as it is: leave out --set, --position, --first, --seed."
        )
    given = {Side.ONE: options.p1, Side.TWO: options.p2}
    seats = {side: check_player_name(name) for side, name in given.items() if name is not None}
    names = _given_names(options)
    path = _file_to_resume(options)
    copy = options.copy
    store = Saves()
    if not store.holds(path):
        # A foreign file is not changed, and programs that it names are started only if allowed.
        copy = True
        tags = dict(load(path).tags)
        named = [tags.get(f"Player{side}", HUMAN) for side in Side if side not in seats]
        if not trusts(named, path, Terminal(options.colour), options.trust):
            return 0
    elif not can_hold():
        Terminal(options.colour).complain(
            "Files cannot be locked on this system: make sure that the game is open only here."
        )
    resume = partial(Match.resume, path, store, _settings(options, log), seats=seats, names=names)
    try:
        match = resume(copy=copy)
    except InUse as error:
        if not _wants_copy(error, options):
            return 0
        match = resume(copy=True)
    return play(match, options)


def _file_to_resume(options: argparse.Namespace) -> Path:
    """The file that was given, or that of the last unfinished game."""
    if options.game and options.game.endswith(SUFFIX):
        return user_path(options.game)
    game = find_rulebook(options.game).id if options.game else None
    path, _ = Saves().latest_unfinished(game)
    return path


def _wants_copy(error: InUse, options: argparse.Namespace) -> bool:
    """Ask whether to resume a copy of a game that is open elsewhere."""
    terminal = Terminal(options.colour)
    if not terminal.is_interactive:
        raise InUse(f"{error}\nResume a copy of it with: lineduel play --resume --copy")
    terminal.say(str(error))
    return says_yes(terminal.ask("Resume a copy of it? (yes/no): "))


def play(match: Match, options: argparse.Namespace) -> int:
    """Play a match on the full screen if possible, otherwise as plain lines."""
    if has_full_screen(options):
        return open_screen(options, match)
    from lineduel.cli.prompt_play import PromptPlay

    return PromptPlay(match, Terminal(options.colour)).run()


def _check_first(options: argparse.Namespace, rulebook: Rulebook) -> None:
    """Refuse --first if the rulebook says who begins."""
    fixed = rulebook.rules.first
    if fixed is not None and options.first not in (None, str(int(fixed))):
        raise NotationError(
            f"In {rulebook.title} player {fixed} begins. "
            "To have it otherwise: --set turn.first=either"
        )
