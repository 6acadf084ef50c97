"""`lineduel` alone: which game shall it be?"""

import argparse

from lineduel.cli.screen import has_full_screen, open_screen
from lineduel.cli.terminal import Terminal
from lineduel.errors import LineduelError
from lineduel.rulebooks import catalogue, find_rulebook


def run(options: argparse.Namespace) -> int:
    if has_full_screen(options):
        return open_screen(options)
    terminal = Terminal(options.colour)
    address = choose_game(terminal)
    if address is not None:
        from lineduel.cli.prompt_play import PromptPlay
        from lineduel.engine import Game
        from lineduel.match import Match, Saves
        from lineduel.session import Session
        from lineduel.solve import Cache

        session = Session(Game(find_rulebook(address)))
        return PromptPlay(Match(session, Saves(), cache=Cache()), terminal).play()
    return 0


def choose_game(terminal: Terminal) -> str | None:
    """The address of the game that was picked, or None when nobody wants to play."""
    entries = catalogue()
    terminal.say("Which game?")
    for number, entry in enumerate(entries, start=1):
        terminal.say(f"{number}. {terminal.bold(entry.title)}")
        terminal.say(f"   {entry.id}: {entry.summary}")
    names = {str(number): entry.id for number, entry in enumerate(entries, start=1)}
    for entry in entries:
        names |= dict.fromkeys((entry.id, entry.title.lower()), entry.id)
    while True:
        answer = terminal.ask(f"Number or name (1-{len(entries)}, or quit): ")
        if answer is None or answer.strip().lower() in ("quit", "q"):
            return None
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
