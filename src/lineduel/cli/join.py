"""`lineduel join`: a live game from a terminal, by the same link as in the browser."""

import argparse
from typing import TYPE_CHECKING

from lineduel.cli.options import Parser
from lineduel.cli.screen import add_screen, has_full_screen, open_screen
from lineduel.cli.terminal import Terminal
from lineduel.errors import LineduelError, NotInstalled

if TYPE_CHECKING:
    from lineduel.play import GameNews
    from lineduel.web import LiveClient

_HELP = (
    "Type a move as the game names it, or a number in a battle; 'moves' lists the moves.\n"
    "Also: undo, yes, no, resign, rematch, name NAME, claim win, claim computer, return, quit."
)


def configure(parser: Parser) -> None:
    parser.add_argument("url", metavar="URL", help="the link of a live game, with what is behind #")
    parser.add_argument("--name", metavar="NAME", help="what the other player calls you")
    add_screen(parser)
    parser.examples(
        "lineduel join 'https://duels.example.org/game/abc#i.xyz' --name Ann",
        "lineduel join --plain 'https://duels.example.org/game/abc#i.xyz'",
    )


def run(options: argparse.Namespace) -> int:
    try:
        import websockets  # noqa: F401, to be told before anything else
    except ModuleNotFoundError:
        raise NotInstalled("websockets", "web") from None
    from lineduel.web import LiveClient, read_link

    client = LiveClient(read_link(options.url))
    if has_full_screen(options):
        return _play_on_screen(options, client)
    return _PlainGame(Terminal(options.colour), client).play(options.name)


def _play_on_screen(options: argparse.Namespace, client: "LiveClient") -> int:
    client.connect(options.name)
    try:
        return open_screen(options, client)
    finally:
        client.close()


class _PlainGame:
    """A live game, line by line: what comes is printed, what is typed is sent."""

    def __init__(self, terminal: Terminal, client: "LiveClient") -> None:
        self._terminal, self._client = terminal, client

    def play(self, name: str | None) -> int:
        """Play until somebody leaves."""
        self._client.listen(self._hear)
        self._client.connect(name)
        self._terminal.say(_HELP)
        while not self._client.is_over:
            typed = self._terminal.ask("> ", self._check)
            if typed is None or typed.strip().lower() in ("quit", "q"):
                break
            try:
                self._say(typed.strip())
            except LineduelError as error:
                self._terminal.complain(str(error))
        self._client.close()
        self._check()
        return 0

    def _check(self) -> None:
        """Raise if the server will not have us any more."""
        if self._client.refusal:
            raise LineduelError(self._client.refusal)

    def _hear(self, news: "GameNews") -> None:
        """Print what comes."""
        from lineduel.play import Changed, Lost, Refused
        from lineduel.web import live_lines

        view = self._client.view
        match news:
            case Changed("presence"):
                if view.claim is not None:
                    self._terminal.say(view.claim.sentence)
            case Changed(kind):
                for line in live_lines(view, kind == "turn"):
                    self._terminal.say(line)
            case Refused(why):
                self._terminal.complain(why)
            case Lost():
                self._terminal.say("The connection is lost; connecting again …")

    def _say(self, typed: str) -> None:
        """Send what was typed."""
        word, _, rest = typed.partition(" ")
        view, send = self._client.view, self._client.send
        match word.lower():
            case "":
                pass
            case "help" | "?":
                self._terminal.say(_HELP)
            case "moves":
                moves = (f"  {one.move}   {one.text}".rstrip() for one in view.moves)
                self._terminal.say("\n".join(moves) or "You cannot move now.")
            case "undo" | "resign" | "rematch" | "return":
                send({"do": word.lower()})
            case "yes" | "y":
                send({"do": "undo-answer", "yes": True})
            case "no" | "n":
                send({"do": "undo-answer", "yes": False})
            case "name":
                send({"do": "name", "name": rest})
            case "claim":
                send({"do": "claim", "claim": rest.strip() or None})
            case _ if view.numbers and typed.isascii() and typed.isdigit():
                send({"do": "number", "number": int(typed[:4]), "turn": view.turn})
            case _:
                send({"do": "move", "move": typed, "turn": view.turn})
