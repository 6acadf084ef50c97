"""`lineduel` without a command: choose a game."""

import argparse
from contextlib import suppress
from textwrap import fill

from lineduel.cli.screen import has_full_screen, open_screen
from lineduel.cli.terminal import Terminal
from lineduel.errors import LineduelError, shown
from lineduel.match import Saves
from lineduel.players import HUMAN, LEVEL_NAMES, PERFECT, check_player_name, describe_players
from lineduel.preferences import change_preferences, load_preferences
from lineduel.rulebooks import START_HERE, catalogue, find_rulebook, own_rulebooks
from lineduel.rules import Rulebook

_QUIT, _LESSON = ("quit", "q"), "lesson"
_WIDTH = 60
_DEFAULT_LEVEL = 3


def run(options: argparse.Namespace) -> int:
    if has_full_screen(options):
        return open_screen(options)
    from lineduel.cli.play import run_play

    return run_play(options)


def choose_seats(terminal: Terminal, rulebook: Rulebook) -> tuple[str, str] | None:
    """Ask who plays; None to quit. Two people if nobody can be asked."""
    if not terminal.is_interactive:
        return HUMAN, HUMAN
    names = rulebook.words.player1, rulebook.words.player2
    terminal.say("Who plays?")
    terminal.say("1. Two people at this keyboard")
    for number, name in enumerate(names, start=2):
        terminal.say(f"{number}. You against the computer, you as {name}")
    while True:
        answer = terminal.ask("Number (1-3, Enter for 1, or quit): ")
        match "quit" if answer is None else answer.strip().lower():
            case "quit" | "q":
                return None
            case "" | "1":
                return HUMAN, HUMAN
            case "2":
                opponent = _choose_opponent(terminal, rulebook)
                return (HUMAN, opponent) if opponent else None
            case "3":
                opponent = _choose_opponent(terminal, rulebook)
                return (opponent, HUMAN) if opponent else None
            case _:
                terminal.complain("Type 1, 2, 3 or quit.")


def _choose_opponent(terminal: Terminal, rulebook: Rulebook) -> str | None:
    """Ask for the program to play against, the last one by default; None to quit."""
    last = load_preferences().opponents.get(rulebook.id, "")
    terminal.say("How strong?")
    described = dict(describe_players())
    names = [*LEVEL_NAMES.values(), PERFECT]
    numbers = {check_player_name(name): number for number, name in enumerate(names, start=1)}
    default = numbers.get(last, _DEFAULT_LEVEL)
    for number, name in enumerate(names, start=1):
        about = described[check_player_name(name)]
        terminal.say(fill(f"{number}. {name}: {about}", _WIDTH, subsequent_indent="   "))
    while True:
        answer = terminal.ask(f"Number or name (1-9, Enter for {default}, or quit): ")
        if answer is None or answer.strip().lower() in _QUIT:
            return None
        if answer.strip() == str(len(names)):
            answer = PERFECT
        try:
            opponent = check_player_name(names[default - 1] if not answer.strip() else answer)
        except LineduelError as error:
            terminal.complain(str(error))
        else:
            _remember_opponent(rulebook.id, opponent)
            return opponent


def _remember_opponent(game: str, opponent: str) -> None:
    with suppress(LineduelError, OSError):  # a disk that refuses it is no reason to stop
        change_preferences(lambda preferences: preferences.with_opponent(game, opponent))


def choose_game(terminal: Terminal) -> str | None:
    """Ask for a game; returns its address, or None to quit. A lesson can be taken first."""
    if not Saves().latest_first():
        terminal.say(f"New here? Type '{_LESSON}' for your first duel, in three minutes.\n")
    terminal.say("Which game?")
    names: dict[str, str] = {}
    entries = (*catalogue(), *own_rulebooks())
    for number, (address, title, summary, _) in enumerate(entries, start=1):
        start = " (start here)" if address == START_HERE else ""
        terminal.say(f"{number}. {terminal.bold(title)}{start}")
        terminal.say(f"   {shown(address, 300)}: {summary}")
        names[str(number)] = address
        for name in (address, title.lower()):
            names.setdefault(name, address)
    while True:
        answer = terminal.ask(f"Number or name (1-{len(entries)}, or quit): ")
        if answer is None or answer.strip().lower() in _QUIT:
            return None
        if answer.strip().lower() == _LESSON:
            from lineduel.cli.lesson import teach
            from lineduel.coach import FIRST_LESSON, shipped_lesson

            teach(shipped_lesson(FIRST_LESSON), terminal)
            continue
        if not answer.strip():
            terminal.complain(f"Nothing was typed. Type 1 to {len(entries)}, a name, or quit.")
            continue
        address = names.get(answer.strip().lower(), answer.strip())
        try:
            find_rulebook(address)
        except LineduelError as error:
            terminal.complain(str(error))
        else:
            return address
