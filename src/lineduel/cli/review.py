"""`lineduel review`: a played game move by move, against the exact solution."""

import argparse

from lineduel.cli.options import Parser, add_file, add_json, examples, print_json
from lineduel.cli.outputs import add_force, if_asked
from lineduel.cli.progress import Bar
from lineduel.cli.recorded_game import add_recorded_game, recorded_game
from lineduel.cli.solutions import kept_solutions
from lineduel.cli.terminal import Terminal
from lineduel.coach import (
    draw_curve_svg,
    review,
    review_lines,
    solved_or_estimated,
)
from lineduel.engine import Game
from lineduel.errors import shown
from lineduel.history import keep_accuracy
from lineduel.narration import NUMBERED, Names, Narrator
from lineduel.play import names_of
from lineduel.players import ValueEstimate
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.storage import check_outputs, write_output
from lineduel.svg import SVG_HEAD


def configure(parser: Parser) -> None:
    add_recorded_game(parser)
    add_file(parser, "--svg", "write the value over the game to FILE as a picture")
    add_force(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel review game.duel",
        "lineduel review game.duel --svg game.svg",
        "lineduel review game.duel --json",
        "lineduel review tournament.jsonl --line 2",
    )


def run(options: argparse.Namespace) -> int:
    record = recorded_game(options)
    outputs = if_asked(options, options.svg, SVG_HEAD)
    check_outputs(outputs, [options.file])
    with Bar("solving") as bar:
        solution = solved_or_estimated(record, bar, kept_solutions())
    with Bar("reviewing") as bar:
        found = review(record, solution, bar)
    if not isinstance(solution, ValueEstimate):
        keep_accuracy(found)
    for picture in outputs:
        write_output(picture, draw_curve_svg(found))
    if options.json:
        from lineduel.documents import review_document

        print_json(review_document(found, estimate=isinstance(solution, ValueEstimate)))
        return 0
    terminal = Terminal(options.colour)
    narrator = Narrator(Game(record.rulebook), names_of(record))
    painted = [
        [narrator.name(side), *(piece.name for piece in record.rulebook.rules.team(side).pieces)]
        for side in Side
    ]
    terminal.colour_names(*painted)
    if isinstance(solution, ValueEstimate):
        terminal.say("Too large to solve: all values here are estimates by search.")
    for text in review_lines(found, _names(record)):
        terminal.say(text)
    if options.svg:
        terminal.say(f"\nThe picture is in {shown(options.svg, 300)}.")
    return 0


def _names(record: Record) -> Names:
    """What both sides are called: by the names in the record, else by their numbers."""
    given = zip(Side, names_of(record), strict=True)
    return {side: name or NUMBERED[side] for side, name in given}
