"""`lineduel review`: a played game move by move, against the exact solution."""

import argparse

from lineduel import documents
from lineduel.cli.choices import kept_solutions
from lineduel.cli.options import Parser
from lineduel.cli.progress import Bar
from lineduel.cli.replay import add_recorded_game, recorded_game
from lineduel.cli.reports import asked_output, print_json, print_place
from lineduel.cli.terminal import Terminal
from lineduel.coach import draw_curve_svg, review, review_lines, solved_or_estimated
from lineduel.engine import Game
from lineduel.history import keep_accuracy
from lineduel.narration import Narrator, names_for
from lineduel.play import names_of, seats_of
from lineduel.players import HUMAN, ValueEstimate
from lineduel.rules import Side
from lineduel.storage import write_output
from lineduel.svg import SVG_HEAD


def configure(parser: Parser) -> None:
    add_recorded_game(parser)
    parser.add_file("--svg", "write the value over the game to FILE as a picture")
    parser.add_force()
    parser.add_json()
    parser.examples(
        "lineduel review game.duel",
        "lineduel review game.duel --svg game.svg",
        "lineduel review game.duel --json",
        "lineduel review tournament.jsonl --line 2",
    )


def run(options: argparse.Namespace) -> int:
    record = recorded_game(options)
    picture = asked_output(options, options.svg, SVG_HEAD, inputs=(options.file,))
    with Bar("solving") as bar:
        solution = solved_or_estimated(record, bar, kept_solutions())
    with Bar("reviewing") as bar:
        found = review(record, solution, bar)
    is_estimate = isinstance(solution, ValueEstimate)
    narrator = Narrator(Game(record.rulebook), names_of(record))
    people = frozenset(
        side for side, seat in zip(Side, seats_of(record), strict=True) if seat == HUMAN
    )
    yours = frozenset(side for side in people if not names_of(record)[side - 1])
    names = names_for(narrator, yours if len(people) == 1 else people, people)
    if not is_estimate:
        keep_accuracy(found)
    if picture:
        write_output(picture, draw_curve_svg(found, names))
    if options.json:
        print_json(documents.review_document(found, estimate=is_estimate))
        return 0
    terminal = Terminal(options.colour)
    painted = [
        [narrator.name(side), *(piece.name for piece in record.rulebook.rules.team(side).pieces)]
        for side in Side
    ]
    terminal.colour_names(*painted)
    if is_estimate:
        terminal.say("Too large to solve: all values here are estimates by search.")
    for text in review_lines(found, names):
        terminal.say(text)
    print_place("picture", options.svg)
    return 0
