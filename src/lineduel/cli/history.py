"""`lineduel history`: the games you played, to look at, to go on with and to count."""

import argparse
from collections.abc import Sequence
from datetime import datetime
from shutil import get_terminal_size
from textwrap import fill

from lineduel import documents
from lineduel.cli.choices import kept_solutions
from lineduel.cli.options import Parser, whole_number
from lineduel.cli.progress import Bar
from lineduel.cli.reports import print_json
from lineduel.cli.screen import add_screen
from lineduel.cli.terminal import Terminal, says_yes
from lineduel.errors import NotationError, StorageError, shown
from lineduel.history import (
    DamagedGame,
    History,
    KnownAccuracies,
    SavedGame,
    history_lines,
    personal_statistics,
    read_history,
    review_unknown,
    statistics_remarks,
    statistics_table,
)
from lineduel.match import Saves
from lineduel.rulebooks import find_rulebook

ACTIONS = ("list", "stats", "review", "replay", "resume", "delete")
_ABOUT_ONE = ACTIONS[2:]
_LIMIT = 20
_WIDTH = 80


def configure(parser: Parser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=ACTIONS,
        default="list",
        help="what to do; review, replay, resume and delete take a number (default: list)",
    )
    parser.add_argument(
        "number", metavar="N", nargs="?", help="a game's number in the list; 1 was played last"
    )
    parser.add_argument(
        "--game",
        dest="only",
        metavar="GAME",
        help="list or count only this game and its variants (default: all games)",
    )
    limit = whole_number(0, 9999)
    parser.add_number("--limit", "list at most N games", named=_LIMIT, read=limit)
    parser.add_flag("--yes", "delete without asking first")
    parser.add_json()
    add_screen(parser)
    parser.examples(
        "lineduel history",
        "lineduel history --game cross-over --limit 50",
        "lineduel history review 1",
        "lineduel history replay 2",
        "lineduel history resume 1",
        "lineduel history delete 3",
        "lineduel history stats",
        "lineduel history stats --json",
    )


def run(options: argparse.Namespace) -> int:
    _check(options)
    history = read_history(Saves())
    match options.action:
        case "stats":
            return _stats(options, history)
        case "list":
            return _list(options, history)
    game = _game(history, options)
    match options.action:
        case "review":
            from lineduel.cli.review import run as review

            return review(argparse.Namespace(**vars(options), file=game.path, line=None, svg=None))
        case "replay":
            from lineduel.cli.replay import run as replay

            return replay(argparse.Namespace(**vars(options), file=game.path, line=None))
        case "resume":
            return _resume(options, game)
        case _:
            return _delete(options, game)


def _check(options: argparse.Namespace) -> None:
    """Refuse options that do not go together."""
    action, is_about_one = options.action, options.action in _ABOUT_ONE
    if is_about_one and options.number is None:
        raise NotationError(
            f"Say which game: lineduel history {action} 1\n'lineduel history' lists them."
        )
    if not is_about_one and options.number is not None:
        raise NotationError(f"'history {action}' takes no number.")
    if is_about_one and options.only is not None:
        raise NotationError(f"'history {action}' takes a number, so leave out --game.")
    if action != "list" and options.limit is not None:
        raise NotationError("--limit goes with the list of games.")
    if action != "delete" and options.yes:
        raise NotationError("--yes goes with 'history delete'.")
    if action in ("resume", "delete") and options.json:
        raise NotationError(f"'history {action}' prints no JSON.")


# The list


def _list(options: argparse.Namespace, history: History) -> int:
    found = [
        (number, game)
        for number, game in enumerate(history.games, start=1)
        if options.only is None or game.is_of(options.only)
    ]
    limit = _LIMIT if options.limit is None else options.limit
    if options.json:
        print_json(documents.history_document(found[:limit], len(found), history.damaged))
        return 0
    terminal = Terminal(options.colour)
    if not found:
        terminal.say(_nothing(options.only))
    wide = get_terminal_size().columns if terminal.is_interactive else None
    for line in history_lines(found[:limit], datetime.now(), wide, terminal.bold):
        terminal.say(line)
    if len(found) > limit:
        terminal.say(f"… and {len(found) - limit} more: lineduel history --limit {len(found)}")
    if found:
        number = found[0][0]
        terminal.say()
        terminal.say(
            fill(
                f"Look at a game with 'lineduel history review {number}', or replay, resume or "
                "delete it. Number 1 is the game played last, so numbers change as you play.",
                min(get_terminal_size().columns, _WIDTH) if terminal.is_interactive else _WIDTH,
            )
        )
    _report_damaged(history.damaged, terminal)
    return 0


def _nothing(only: str | None) -> str:
    """A sentence for an empty list; a game that does not exist is refused."""
    if only is None:
        return "You have not played yet. Begin with: lineduel play cross-over"
    rulebook = find_rulebook(only)
    return f"You have not played {rulebook.title} yet. Begin with: lineduel play {shown(only)}"


def _report_damaged(damaged: Sequence[DamagedGame], terminal: Terminal) -> None:
    for one in damaged:
        terminal.complain(one.told())


# One game


def _game(history: History, options: argparse.Namespace) -> SavedGame:
    """The game of that number."""
    text, count = options.number, len(history.games)
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= count):
        games = {0: "no games yet", 1: "1 game"}.get(count, f"{count} games")
        raise StorageError(
            f"There is no game '{shown(text)}': you have {games}.\nList them with: lineduel history"
        )
    return history.games[int(text) - 1]


def _in_words(options: argparse.Namespace, game: SavedGame) -> str:
    """Which game a number stands for."""
    return f"Game {options.number}: {game.in_words(datetime.now())}"


def _resume(options: argparse.Namespace, game: SavedGame) -> int:
    if game.record.winner is not None:
        raise StorageError(
            f"{_in_words(options, game)}.\n"
            f"It is over; look at it with: lineduel history review {options.number}"
        )
    from lineduel.cli.play import run_play

    return run_play(options, "--resume", str(game.path.absolute()))


def _delete(options: argparse.Namespace, game: SavedGame) -> int:
    terminal = Terminal(options.colour)
    if not options.yes:
        if not terminal.is_interactive:
            raise NotationError("Nobody is there to be asked. Add --yes to delete the game.")
        terminal.say(f"{_in_words(options, game)}.")
        if not says_yes(terminal.ask("Delete it for good? (yes/no): ")):
            terminal.say("Nothing was deleted.")
            return 0
    Saves().delete(game.path)
    terminal.say(f"Deleted. {_in_words(options, game)}.")
    return 0


# Statistics


def _stats(options: argparse.Namespace, history: History) -> int:
    games = [game for game in history.games if options.only is None or game.is_of(options.only)]
    known = KnownAccuracies()
    with Bar("reviewing games") as bar:
        review_unknown(
            games,
            known,
            kept_solutions(),
            lambda done, total: bar.stage("reviewing games", done, total),
        )
    found = personal_statistics(games, known)
    if options.json:
        print_json(found)
        return 0
    terminal = Terminal(options.colour)
    if not games:
        terminal.say(_nothing(options.only))
    for line in statistics_table(found):
        terminal.say(line)
    terminal.say()
    for line in statistics_remarks(found):
        terminal.say(line)
    _report_damaged(history.damaged, terminal)
    return 0
