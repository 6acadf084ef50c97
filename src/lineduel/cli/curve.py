"""`lineduel curve`: exact strength over the training of a program."""

import argparse
from pathlib import Path

from lineduel.cli.options import Parser, add_file, add_json, examples, print_json
from lineduel.cli.outputs import add_force, if_asked
from lineduel.errors import shown
from lineduel.storage import check_outputs, write_output
from lineduel.svg import SVG_HEAD


def configure(parser: Parser) -> None:
    parser.add_argument(
        "run", metavar="RUN", type=Path, help="the file that CurveCallback wrote during training"
    )
    add_file(
        parser,
        "--svg",
        "draw exploitability, regret and the results against levels, as a picture in FILE",
    )
    add_force(parser)
    add_json(parser)
    examples(parser, "lineduel curve run.jsonl", "lineduel curve run.jsonl --svg curve.svg")


def run(options: argparse.Namespace) -> int:
    from lineduel.envs import curve_lines, draw_curve, read_curve

    outputs = if_asked(options, options.svg, SVG_HEAD)
    check_outputs(outputs, [options.run])
    curve = read_curve(options.run)
    for one in outputs:
        write_output(one, draw_curve(curve))
    if options.json:
        print_json(curve)
        return 0
    for line in curve_lines(curve):
        print(line)
    if outputs:
        print(f"\nThe picture is in {shown(options.svg, 300)}.")
    return 0
