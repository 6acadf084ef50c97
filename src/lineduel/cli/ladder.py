"""`lineduel ladder`: how strong each level is, computed exactly."""

import argparse
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from lineduel.cli.choices import chosen_rulebook, chosen_start
from lineduel.cli.options import (
    Parser,
    add_game,
    add_json,
    add_start,
    examples,
    print_json,
)
from lineduel.cli.outputs import add_force, output
from lineduel.cli.progress import Bar
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import wants_colour
from lineduel.engine import Game, Position
from lineduel.errors import shown
from lineduel.players import player_in_words
from lineduel.rulebooks import rulebook_file
from lineduel.solve import solve
from lineduel.storage import check_outputs, write_output
from lineduel.svg import SVG_HEAD

if TYPE_CHECKING:
    from lineduel.arena import Ladder

_WIDTH = 60


def configure(parser: Parser) -> None:
    add_game(parser)
    add_start(parser)
    add_json(parser)
    parser.add_argument(
        "--svg", metavar="FILE", type=Path, help="write the scores to FILE as a picture"
    )
    add_force(parser)
    examples(
        parser,
        "lineduel ladder cross-over",
        "lineduel ladder flag-chase --set battle.wins=undercut",
        "lineduel ladder ctf-tokens --first 2 --json",
        "lineduel ladder ctf-soldiers --svg ladder.svg",
    )


def run(options: argparse.Namespace) -> int:
    from lineduel.arena import climb, draw_heatmap_svg

    game = Game(chosen_rulebook(options))
    start = chosen_start(options, game)
    outputs = [output(options, options.svg, SVG_HEAD)] if options.svg else []
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
        _print(ladder, start, wants_colour(options.colour))
        if options.svg:
            print(f"\nThe picture is in {shown(options.svg, 300)}.")
    return 0


def _print(ladder: "Ladder", start: Position, colour: bool) -> None:
    from lineduel.arena import draw_heatmap_text, percent, row_label

    rulebook = ladder.game.rulebook
    print(f"{rulebook.title} ({rulebook.id}), {start}")
    about = (
        "What the player of each row scores in 100 games against the player of each column, half "
        "of them in each seat. A win is 1 point, a game that never ends half a point. "
        "Computed exactly."
    )
    print(fill(about, _WIDTH))
    print(f"\n{draw_heatmap_text(ladder, colour)}\n")
    labels = [row_label(name) for name in ladder.players]
    wide = max(map(len, (*labels, "Both play as")))
    print(f"{'Both play as':<{wide}}  player 1  player 2    never    plies  value to")
    print(f"{'':<{wide}}      wins      wins     ends  on avg.  player 1")
    for at, label in enumerate(labels):
        own = ladder.results[at][at]
        plies = "-" if own.plies is None else f"{own.plies:.1f}"
        shares = "  ".join(
            f"{percent(share, 1):>{width}}"
            for share, width in ((own.win1, 8), (own.win2, 8), (own.endless, 7))
        )
        print(f"{label:<{wide}}  {shares}  {plies:>7}  {round(own.value, 2) + 0.0:>+8.2f}")
    first, last = map(player_in_words, (ladder.players[0], ladder.players[-1]))
    print(f"\nFrom {first} to {last}: {ladder.range:.0f} Elo.")
    links = " > ".join(map(row_label, ladder.chain))
    told = f"Longest chain in which each scores 60 or more against the next: {links}."
    print(fill(told, _WIDTH, break_on_hyphens=False))
