"""`lineduel serve`: play in the browser, against the computer or a friend by link."""

import argparse

from lineduel.cli.options import Parser, examples
from lineduel.errors import NotInstalled


def configure(parser: Parser) -> None:
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="the address to listen on (default: 127.0.0.1, this computer only)",
    )
    parser.add_argument(
        "--port", type=int, default=8000, metavar="N", help="the port; 0 for any (default: 8000)"
    )
    parser.add_argument(
        "--database",
        metavar="URL",
        help="where games are kept (default: SQLite in the data folder)",
    )
    parser.add_argument("--open", action="store_true", help="open the page in your browser")
    examples(parser, "lineduel serve --open", "lineduel serve --host 0.0.0.0 --port 80")


def run(options: argparse.Namespace) -> int:
    try:
        from lineduel.web.server import Settings, serve
    except ModuleNotFoundError as error:
        raise NotInstalled(error.name or "a package", "web") from None

    def ready(address: str) -> None:
        print(f"Serving lineduel on {address}  (Ctrl-C to stop)", flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(address)

    serve(Settings(host=options.host, port=options.port, database=options.database), ready)
    return 0
