"""`lineduel ladder`: how strong each level is, computed exactly."""

import argparse

from lineduel import documents
from lineduel.cli.choices import chosen_rulebook, chosen_start, kept_solutions
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.reports import asked_output, print_json, print_place
from lineduel.cli.terminal import wants_colour
from lineduel.engine import Game
from lineduel.rulebooks import rulebook_file
from lineduel.solve import solve
from lineduel.storage import write_output
from lineduel.svg import SVG_HEAD


def configure(parser: Parser) -> None:
    parser.add_game()
    parser.add_start()
    parser.add_json()
    parser.add_file("--svg", "write the scores to FILE as a picture")
    parser.add_force()
    parser.examples(
        "lineduel ladder cross-over",
        "lineduel ladder flag-chase --set battle.wins=undercut",
        "lineduel ladder ctf-tokens --first 2 --json",
        "lineduel ladder ctf-soldiers --svg ladder.svg",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.arena import climb, draw_heatmap_svg, ladder_lines

    game = Game(chosen_rulebook(options))
    start = chosen_start(options, game)
    picture = asked_output(options, options.svg, SVG_HEAD, inputs=(rulebook_file(options.game),))
    with Bar("solving") as bar:
        solution = solve(game, start, cache=kept_solutions(), report=bar)
    with Bar("pairing") as bar:
        ladder = climb(solution, report=bar)
    if picture:
        write_output(picture, draw_heatmap_svg(ladder))
    if options.json:
        print_json(documents.ladder_document(ladder, start))
    else:
        print(*ladder_lines(ladder, start, wants_colour(options.colour)), sep="\n")
        print_place("picture", options.svg)
    return 0
