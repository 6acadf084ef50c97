"""`lineduel ladder`: how strong each level is, computed exactly."""

import argparse

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import (
    Parser,
    add_file,
    add_game,
    add_json,
    add_start,
    examples,
    print_json,
)
from lineduel.cli.outputs import add_force, if_asked
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import wants_colour
from lineduel.engine import Game
from lineduel.errors import shown
from lineduel.rulebooks import rulebook_file
from lineduel.solve import solve
from lineduel.storage import check_outputs, write_output
from lineduel.svg import SVG_HEAD


def configure(parser: Parser) -> None:
    add_game(parser)
    add_start(parser)
    add_json(parser)
    add_file(parser, "--svg", "write the scores to FILE as a picture")
    add_force(parser)
    examples(
        parser,
        "lineduel ladder cross-over",
        "lineduel ladder flag-chase --set battle.wins=undercut",
        "lineduel ladder ctf-tokens --first 2 --json",
        "lineduel ladder ctf-soldiers --svg ladder.svg",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.arena import climb, draw_heatmap_svg, ladder_lines

    game = Game(chosen_rulebook(options))
    start = chosen_start(options, game)
    outputs = if_asked(options, options.svg, SVG_HEAD)
    check_outputs(outputs, [rulebook_file(options.game)])
    with Bar("solving") as bar:
        solution = solve(game, start, cache=kept_solutions(), report=bar)
    with Bar("pairing") as bar:
        ladder = climb(solution, report=bar)
    for picture in outputs:
        write_output(picture, draw_heatmap_svg(ladder))
    if options.json:
        from lineduel.documents import ladder_document

        print_json(ladder_document(ladder, start))
    else:
        for line in ladder_lines(ladder, start, wants_colour(options.colour)):
            print(line)
        if options.svg:
            print(f"\nThe picture is in {shown(options.svg, 300)}.")
    return 0
