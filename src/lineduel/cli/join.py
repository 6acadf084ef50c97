"""`lineduel join`: a live game from a terminal, by the same link as in the browser."""

import argparse
import sys

from lineduel.cli.options import Parser
from lineduel.cli.screen import add_screen, has_full_screen, open_screen
from lineduel.cli.terminal import Terminal
from lineduel.errors import NotInstalled


def configure(parser: Parser) -> None:
    parser.add_argument(
        "url", metavar="URL", help="the link of a live game, including the part after #"
    )
    parser.add_argument("--name", metavar="NAME", help="what the other player calls you")
    add_screen(parser)
    parser.examples(
        "lineduel join 'https://duels.example.org/game/abc#i.xyz' --name Ann",
        "lineduel join --plain 'https://duels.example.org/game/abc#i.xyz'",
    )


def run(options: argparse.Namespace) -> int:
    try:
        import websockets  # noqa: F401, missing ones are reported first
    except ModuleNotFoundError:
        raise NotInstalled("websockets", "web") from None
    from lineduel.web import LiveClient, read_link

    client = LiveClient(read_link(options.url))
    if not has_full_screen(options):
        from lineduel.cli.prompt_play import PromptPlay

        client.connect(notice=_say)
        return PromptPlay(client, Terminal(options.colour)).run(options.name)
    client.connect(options.name, _say)
    try:
        return open_screen(options, client)
    finally:
        client.close()


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)
