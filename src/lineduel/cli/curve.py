"""`lineduel curve`: exact strength over the training of a program."""

import argparse

from lineduel.cli.options import Parser
from lineduel.cli.reports import asked_output, print_json, print_place
from lineduel.storage import write_output
from lineduel.svg import SVG_HEAD


def configure(parser: Parser) -> None:
    parser.add_file("run", "the file that CurveCallback wrote during training", "RUN")
    parser.add_file(
        "--svg",
        "draw exploitability, regret and the results against levels, as a picture in FILE",
    )
    parser.add_force()
    parser.add_json()
    parser.examples("lineduel curve run.jsonl", "lineduel curve run.jsonl --svg curve.svg")


def run(options: argparse.Namespace) -> int:
    from lineduel.envs import curve_lines, draw_curve, read_curve

    picture = asked_output(options, options.svg, SVG_HEAD, inputs=(options.run,))
    curve = read_curve(options.run)
    if picture:
        write_output(picture, draw_curve(curve))
    if options.json:
        print_json(curve)
        return 0
    print(*curve_lines(curve), sep="\n")
    print_place("picture", options.svg)
    return 0
