"""`lineduel` alone: which game shall it be?"""

import argparse

from lineduel.cli.terminal import Terminal
from lineduel.errors import UnknownGame
from lineduel.rulebooks import find_rulebook, shipped_rulebooks


def run(options: argparse.Namespace) -> int:
    terminal = Terminal(options.colour)
    address = choose_game(terminal)
    if address is not None:
        from lineduel.cli.table import Table
        from lineduel.session import Session

        Table(Session(find_rulebook(address)), terminal).play()
    return 0


def choose_game(terminal: Terminal) -> str | None:
    """The address of the game that was picked, or None when nobody wants to play."""
    rulebooks = tuple(shipped_rulebooks())
    terminal.say("Which game?")
    for number, rulebook in enumerate(rulebooks, start=1):
        terminal.say(f"{number}. {terminal.bold(rulebook.title)}")
        terminal.say(f"   {rulebook.summary}")
    while True:
        answer = terminal.ask(f"Number or name (1-{len(rulebooks)}, or quit): ")
        if answer is None or answer.strip().lower() in ("quit", "q"):
            return None
        wanted = answer.strip()
        if wanted.isdigit() and 1 <= int(wanted) <= len(rulebooks):
            return rulebooks[int(wanted) - 1].id
        try:
            find_rulebook(wanted)
        except UnknownGame as error:
            terminal.complain(str(error))
        else:
            return wanted
