"""`lineduel serve` and `backup`: play in the browser, and copy the games that are played there."""

import argparse
import re
from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path

from lineduel.cli.options import Parser, whole_number
from lineduel.errors import NotInstalled, StorageError, shown
from lineduel.storage import data_folder, user_path

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8000
_SQLITE = "sqlite:///"
_HOST = re.compile(r"[a-z0-9.-]+|[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.]*", re.IGNORECASE)
"""A name, or an IPv4 or IPv6 address, without a port."""


def configure(parser: Parser) -> None:
    parser.add_argument(
        "--host",
        default=DEFAULT_HOST,
        metavar="ADDRESS",
        help="listen on this address, as 0.0.0.0 for all networks (default: 127.0.0.1)",
    )
    port = whole_number(0, (1 << 16) - 1, "a port")
    parser.add_number("--port", "the port; 0 for any", DEFAULT_PORT, read=port)
    parser.add_argument(
        "--allow-host",
        dest="allowed_hosts",
        type=_host,
        action="append",
        default=[],
        metavar="NAME",
        help="answer requests for this name, as behind a proxy; may be repeated (default: none)",
    )
    parser.add_argument(
        "--behind-proxy",
        dest="proxies",
        type=_network,
        action="append",
        default=[],
        metavar="ADDRESS",
        help="believe X-Forwarded-For from a proxy with this address or network; "
        "may be repeated (default: none)",
    )
    parser.add_flag("--open", "open the page in your browser")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="where games are kept, as postgresql+psycopg://user@host/name "
        "(default: SQLite in the data folder)",
    )
    keep = "remove games in which nothing happened for DAYS days (default: keep all)"
    parser.add_number("--keep", keep, read=_days, metavar="DAYS")
    count = whole_number(0, 999_999)
    parser.add_number("--connections", "the most connections of one address", 1000, read=count)
    parser.add_number(
        "--request-timeout",
        "how long a request may take to arrive",
        20,
        read=whole_number(1, 3600),
        metavar="SECONDS",
        dest="request_seconds",
    )
    patience = "how long a player may be away before the other can claim the game"
    parser.add_number("--patience", patience, 60, read=count, metavar="SECONDS")
    ping = "how often to check that a guest is still there; one who does not answer is let go"
    parser.add_number("--ping", ping, 20, read=whole_number(1, 3600), metavar="SECONDS")
    tournament = "show this tournament's file live, or all in this folder (default: none)"
    parser.add_file("--tournament", tournament, "PATH")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="solve games on the Dask cluster at ADDRESS, as tcp://host:8786 "
        "(default: on this machine)",
    )
    parser.add_flag("--log", "write a line of JSON for each request")
    parser.examples(
        "lineduel serve --open",
        "lineduel serve --host 0.0.0.0 --port 8080 --keep 30",
        "lineduel serve --allow-host duels.example.org --behind-proxy 127.0.0.1",
        "lineduel serve --tournament tournament.jsonl",
    )


def configure_backup(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the file to write; it must not exist yet")
    parser.add_argument(
        "--database",
        metavar="URL",
        help="the database to copy (default: SQLite in the data folder)",
    )
    parser.examples("lineduel backup games.sqlite")


def run(options: argparse.Namespace) -> int:
    try:
        from lineduel.web import ServerSettings, serve
    except ModuleNotFoundError as error:
        raise NotInstalled(error.name or "a package", "web") from None
    settings = ServerSettings(
        **{field.name: getattr(options, field.name) for field in fields(ServerSettings)}
    )

    def ready(address: str) -> None:
        print(f"lineduel is on {address}")
        if options.tournament is not None:
            print(f"Tournaments are on {address}tournament")
        print(exposure(options.host))
        print("Stop it with Ctrl-C.", flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(address)

    serve(settings, ready)
    return 0


def run_backup(options: argparse.Namespace) -> int:
    from lineduel.web import back_up

    address = options.database
    if address is not None and not address.startswith(_SQLITE):
        raise StorageError("Only SQLite is copied by this command. Use pg_dump for PostgreSQL.")
    source = Path(address.removeprefix(_SQLITE)) if address else data_folder() / "live.sqlite"
    target = user_path(options.file)
    back_up(source, target)
    print(f"The live games are copied to {shown(target, 300)}.")
    return 0


def exposure(host: str) -> str:
    """Who can reach the server."""
    from lineduel.web import EVERYWHERE, LOOPBACK_NAMES

    if host in LOOPBACK_NAMES:
        return "Only this computer can open it. To let others in: --host 0.0.0.0"
    here = EVERYWHERE.get(host)
    address = (
        f"On other computers put this computer's address in place of {here}.\n" if here else ""
    )
    where = "this computer over a network" if here else host
    return (
        f"{address}"
        f"Anyone who can reach {where} can open it, create games and use the computer players.\n"
        "Connections are not encrypted: put a proxy with HTTPS in front of it (see docs/web.md)."
    )


def _host(text: str) -> str:
    if not _HOST.fullmatch(text):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a name such as duels.example, or an address"
        )
    return text


def _network(text: str) -> str:
    try:
        return str(ip_network(text, strict=False))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not an address such as 127.0.0.1, or a network such as 172.16.0.0/12"
        ) from None


def _days(text: str) -> float:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 100_000):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of days")
    return float(text)
