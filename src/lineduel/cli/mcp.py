"""`lineduel mcp`: the games, values, reviews and audits as tools of an assistant."""

import argparse

from lineduel.cli.options import Parser, whole_number
from lineduel.cli.serve import exposure


def configure(parser: Parser) -> None:
    parser.add_flag("--http", "serve over HTTP instead of standard input and output")
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="with --http, the address to listen on (default: 127.0.0.1, this computer only)",
    )
    parser.add_number(
        "--port", "with --http, the port to listen on", default=8766, read=whole_number(1, 65_535)
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="with --http, another name of this server; repeatable",
    )
    parser.examples(
        "lineduel mcp                  as an assistant starts it",
        "lineduel mcp --http --port 8766",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.agents import mcp_server

    if not options.http:
        mcp_server.serve_stdio()
        return 0
    print(f"The tools are on http://{options.host}:{options.port}{mcp_server.MCP_PATH}")
    print(exposure(options.host))
    print("Stop it with Ctrl-C.", flush=True)
    mcp_server.serve_http(options.host, options.port, tuple(options.allow_host))
    return 0
