"""`lineduel check`: is a certificate true?"""

import argparse
from pathlib import Path

from lineduel.cli.options import Parser, add_json, examples, print_json
from lineduel.cli.progress import Bar
from lineduel.errors import CertificateError
from lineduel.solve import check_certificate, read_certificate
from lineduel.storage import read_text


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="what 'solve --certificate' wrote")
    add_json(parser)
    examples(parser, "lineduel check proof.txt")


def run(options: argparse.Namespace) -> int:
    text = read_text(options.file)
    why = None
    positions = 0
    try:
        certificate = read_certificate(text)
        positions = len(certificate.entries)
        with Bar("checking") as bar:
            check_certificate(certificate, lambda done: bar(done / positions))
    except CertificateError as error:
        why = str(error)
    if options.json:
        print_json({"accepted": why is None, "positions": positions, "why": why})
    elif why is None:
        print(f"Accepted: all {positions:,} positions hold, from {certificate.start} on.")
    else:
        print(f"Refused. {why}")
    return 0 if why is None else 1
