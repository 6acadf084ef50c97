"""`lineduel play`: a new game, or the one that was left."""

import argparse

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import (
    Parser,
    add_colour,
    add_game,
    add_start,
    examples,
)
from lineduel.cli.screen import add_screen, has_full_screen, open_screen
from lineduel.cli.terminal import Terminal
from lineduel.engine import Game
from lineduel.errors import NotationError
from lineduel.match import Match
from lineduel.players import HUMAN, Limits, check_player
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from lineduel.saves import Saves
from lineduel.session import Session

LONGEST_MOVETIME = 3_600_000


def configure(parser: Parser) -> None:
    add_game(parser, optional=True)
    add_start(parser, lot=True)
    for side in Side:
        parser.add_argument(
            f"--p{side}",
            default=HUMAN,
            metavar="PLAYER",
            help="human, level:1 to level:8, perfect, search, or engine:COMMAND",
        )
    parser.add_argument(
        "--movetime",
        type=int,
        default=Limits().movetime,
        metavar="MS",
        help="how long an engine may think, in milliseconds",
    )
    parser.add_argument("--coach", action="store_true", help="warn before a move gives away value")
    parser.add_argument("--resume", action="store_true", help="go on with the game left last")
    add_screen(parser)
    add_colour(parser)
    examples(
        parser,
        "lineduel play flag-chase",
        "lineduel play cross-over --p2 level:3 --coach",
        "lineduel play flag-chase --p2 'engine:python my_engine.py'",
        "lineduel play ctf-soldiers --first random",
        "lineduel play cross-over --position 0,x,4/9,6,x/1",
        "lineduel play blockade-duel:from-bases --set move.steps=1,2,3",
        "lineduel play --resume",
        "lineduel play flag-chase --plain",
    )


def run(options: argparse.Namespace) -> int:
    if options.resume:
        return resume(options)
    if options.game is None and has_full_screen(options):
        return open_screen(options)
    if options.game is None:
        from lineduel.cli.menu import choose_game

        options.game = choose_game(Terminal(options.colour))
        if options.game is None:
            return 0
    rulebook = chosen_rulebook(options)
    _check_first(options, rulebook)
    seats = check_player(options.p1), check_player(options.p2)
    if options.seed is not None and options.first != "random" and seats == (HUMAN, HUMAN):
        raise NotationError("--seed is for --first random and for programs; nothing is drawn here.")
    start = chosen_start(options, Game(rulebook))
    session = Session(rulebook, start, seats, options.seed)
    return play(Match(session, coach=options.coach, limits=_limits(options)), options)


def resume(options: argparse.Namespace) -> int:
    """Go on with the game that was left last."""
    if options.set or options.position or options.first or options.seed is not None:
        raise NotationError(
            "--resume goes on with a game as it is: leave out --set, --position, --first, --seed."
        )
    game = find_rulebook(options.game).id if options.game else None
    path, record = Saves().latest_unfinished(game)
    session = Session.from_record(record)
    return play(Match(session, path, coach=options.coach, limits=_limits(options)), options)


def play(match: Match, options: argparse.Namespace) -> int:
    """Play a match on the full screen, or line by line where there is none."""
    if has_full_screen(options):
        return open_screen(options, match)
    from lineduel.cli.table import Table

    return Table(match, Terminal(options.colour)).play()


def _limits(options: argparse.Namespace) -> Limits:
    if not 1 <= options.movetime <= LONGEST_MOVETIME:
        raise NotationError(f"--movetime takes from 1 to {LONGEST_MOVETIME} milliseconds.")
    return Limits(movetime=options.movetime)


def _check_first(options: argparse.Namespace, rulebook: Rulebook) -> None:
    """Who begins is only asked where the rulebook leaves it open."""
    fixed = rulebook.rules.first
    if fixed is not None and options.first not in (None, str(int(fixed))):
        raise NotationError(
            f"In {rulebook.title} player {fixed} begins. "
            "To have it otherwise: --set turn.first=either"
        )
