"""`lineduel check`: verify a certificate."""

import argparse
from pathlib import Path

from lineduel.cli.error_advice import advised
from lineduel.cli.options import Parser, add_gpu, add_json, examples, print_json
from lineduel.cli.progress import Bar
from lineduel.cli.verdicts import GREEN, RED, Verdicts
from lineduel.errors import CertificateError
from lineduel.solve import check_proof
from lineduel.storage import check_readable


def configure(parser: Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="a certificate, as 'lineduel solve --certificate' writes it",
    )
    add_json(parser)
    add_gpu(parser, "check")
    examples(parser, "lineduel check proof.txt")


def run(options: argparse.Namespace) -> int:
    check_readable(options.file)
    positions, start, why = 0, None, None
    try:
        with Bar("checking") as bar:
            positions, start = check_proof(options.file, bar, gpu=options.gpu)
    except CertificateError as error:
        why = " ".join(advised(error, options).splitlines())
    if options.json:
        from lineduel.documents import check_document

        print_json(check_document(positions, why))
    elif why is None:
        accepted = Verdicts(options.colour).paint("Accepted", GREEN)
        print(f"{accepted}: all {positions:,} positions hold, from {start} on.")
    else:
        print(f"{Verdicts(options.colour).paint('Refused', RED)}. {why}")
    return 0 if why is None else 1
