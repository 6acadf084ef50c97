"""`lineduel review`: a played game move by move, against the exact solution."""

import argparse
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from textwrap import fill

from lineduel.cli.options import Parser, add_colour, add_json, examples, print_json
from lineduel.cli.progress import Bar
from lineduel.cli.terminal import Terminal
from lineduel.cli.values import value_document
from lineduel.engine import Game
from lineduel.errors import StorageError, TooLarge
from lineduel.players.estimate import Estimate
from lineduel.record import Record
from lineduel.rules import Side
from lineduel.saves import load
from lineduel.session import Voice
from lineduel.session.chart import draw_svg, draw_text
from lineduel.session.review import Accuracy, Draw, Judgement, Review, review
from lineduel.solve import Solution, Value, in_words, solve
from lineduel.storage import write_atomically

WIDTH = 60
SHOWN_LINE = 8
"""How many moves of a better line are shown."""
INDENT = " " * 5


def configure(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a record, as 'save' writes it")
    parser.add_argument("--svg", metavar="FILE", type=Path, help="draw the value over the game")
    add_colour(parser)
    add_json(parser)
    examples(
        parser,
        "lineduel review game.duel",
        "lineduel review game.duel --svg game.svg",
        "lineduel review game.duel --json",
    )


def run(options: argparse.Namespace) -> int:
    record = load(options.file)
    if options.svg and options.svg.exists() and options.svg.samefile(options.file):
        raise StorageError("The picture would replace the record; choose another name for it.")
    solution = _solved(record)
    found = review(record, solution)
    if options.svg:
        write_atomically(options.svg, draw_svg(found))
    if options.json:
        print_json(_document(found) | {"estimate": isinstance(solution, Estimate)})
        return 0
    terminal = Terminal(options.colour)
    voice = Voice(Game(record.rulebook))
    names = [
        [voice.name(side), *(piece.name for piece in record.rulebook.rules.team(side).pieces)]
        for side in Side
    ]
    terminal.colour_names(*names)
    if isinstance(solution, Estimate):
        terminal.say("Too large to solve: all values here are estimates by search.")
    for text in _told(found):
        terminal.say(text)
    if options.svg:
        terminal.say(f"\nThe picture is in {options.svg}.")
    return 0


def _solved(record: Record) -> Solution:
    """The exact solution, or where none can be had an estimate of the positions played."""
    game = Game(record.rulebook)
    try:
        with Bar("solving") as bar:
            return solve(game, record.start, report=bar)
    except TooLarge:
        return Estimate(game, record.start, Random(0))


# In words


def _told(found: Review) -> Iterator[str]:
    rulebook = found.record.rulebook
    yield _folded(f"{rulebook.title} ({rulebook.id}), {_counted(len(found.judgements), 'move')}")
    yield _folded(_ending(found))
    if not found.judgements:
        return
    yield ""
    wide = max(len(str(one.move)) for one in found.judgements)
    for one in found.judgements:
        yield from _told_move(one, wide)
    yield ""
    yield "What player 1 could expect (win +1, endless 0, loss -1):"
    yield draw_text(found)
    yield ""
    for side in Side:
        yield from _told_accuracy(side, found.accuracy(side))


def _ending(found: Review) -> str:
    record = found.record
    if record.resigned is not None:
        lost = found.last.winner is record.resigned.other
        what = "a lost position" if lost else "a position that was not lost"
        return (
            f"Player {record.resigned} resigned {what} ({in_words(found.last, record.resigned)})."
        )
    if record.winner is not None:
        return f"Player {record.winner} won."
    if not record.moves:
        return "No move was played, so there is nothing to review."
    return "The game is not finished; this is the review as far as it goes."


def _told_move(one: Judgement, wide: int) -> Iterator[str]:
    side = one.side or Side.ONE
    who = f"P{one.side}" if one.side else "both"
    change = f"{in_words(one.before, side)} -> {_after(one, side)}"
    mark = one.mistake or ("!?" if one.delay else "")
    whose = "" if one.side else "player 1: "
    yield _folded(
        f"{one.number:>3}. {who:<4} {one.move!s:<{wide}} {mark:<2} {whose}{change}", INDENT
    )
    if one.draws:
        yield from _told_battle(one.draws)
    elif one.mistake:
        yield _folded(INDENT + _explained(one), INDENT)
    elif one.delay:
        how = "slower" if one.before.winner is side else "sooner"
        yield f"{INDENT}{_counted(one.delay, 'ply', 'plies')} {how} than need be"


def _after(one: Judgement, side: Side) -> str:
    """What a move led to; a win that is there is not still to come."""
    if one.after.plies == 0:
        return "won" if one.after.winner is side else "lost"
    return in_words(one.after, side)


def _explained(one: Judgement) -> str:
    """What a mistake gave away, what was better, and how it is answered."""
    side = one.position.side
    shown = " ".join(map(str, one.line[:SHOWN_LINE]))
    more = " …" if len(one.line) > SHOWN_LINE or one.before.winner is None else "."
    text = (
        f"{one.move} {_does(one.after, side)}; {one.better} kept {_had(one.before, side)}: "
        f"{shown}{more}"
    )
    if one.punished_by is None:
        return text
    if one.always_punished:
        soonest = f", {one.punished_by} soonest" if one.after.winner else ""
        return f"{text} Any reply punishes it{soonest}."
    return f"{text} {one.punished_by} punishes it."


def _does(value: Value, side: Side) -> str:
    if value.winner is not None:
        return in_words(value, side)
    return "lets play go on for ever" if value.endless else f"is worth {in_words(value, side)}"


def _had(value: Value, side: Side) -> str:
    if value.winner is not None:
        return f"the {'win' if value.winner is side else 'loss'} in {value.plies}"
    return "play endless" if value.endless else in_words(value, side)


def _told_battle(draws: tuple[Draw, Draw]) -> Iterator[str]:
    """Skill and luck of both, unless nothing was at stake."""
    if not any(draw.skill or draw.luck for draw in draws):
        yield f"{INDENT}neither skill nor luck changed anything"
        return
    for side, draw in zip(Side, draws, strict=True):
        often = f" (best: {float(draw.optimal):.0%})" if draw.optimal or draw.mistake else ""
        told = (
            f"player {side}'s {draw.number}{draw.mistake or ''}{often}: "
            f"skill {_signed(draw.skill)}, luck {_signed(draw.luck)}"
        )
        yield _folded(INDENT + told, INDENT)


def _told_accuracy(side: Side, account: Accuracy) -> Iterator[str]:
    if account.share is None:
        yield f"Player {side} never had a choice."
        return
    yield _folded(
        f"Player {side}: accuracy {_percent(account.share)} % "
        f"({account.kept} of {_counted(account.choices, 'choice')} kept the value)"
    )
    if account.battles:
        yield (
            f"{INDENT}{_counted(account.battles, 'battle')}: "
            f"skill {_signed(account.skill)}, luck {_signed(account.luck)}"
        )


def _percent(share: Fraction) -> str:
    """Rounded, but only a game without a mistake has 100 %."""
    return str(100 if share == 1 else min(round(share * 100), 99))


def _signed(number: Fraction) -> str:
    return f"{float(number):+.3f}" if number else "0"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _folded(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


# As JSON


def _document(found: Review) -> dict[str, object]:
    record = found.record
    return {
        "game": record.rulebook.id,
        "position": str(record.start),
        "result": str(record.winner or "*"),
        "resigned": record.resigned,
        "moves": [_move_data(one) for one in found.judgements],
        "accuracy": {f"player{side}": _accuracy_data(found.accuracy(side)) for side in Side},
    }


def _move_data(one: Judgement) -> dict[str, object]:
    return {
        "move": str(one.move),
        "side": one.side,
        "before": value_document(one.before),
        "after": value_document(one.after),
        "mistake": one.mistake,
        "delay": one.delay,
        "better": None if one.better is None else str(one.better),
        "line": [str(move) for move in one.line],
        "punished_by": None if one.punished_by is None else str(one.punished_by),
        "battle": one.draws
        and {
            f"player{side}": {
                "number": draw.number,
                "optimal": float(draw.optimal),
                "expected": float(draw.expected),
                "skill": float(draw.skill),
                "luck": float(draw.luck),
                "mistake": draw.mistake,
            }
            for side, draw in zip(Side, one.draws, strict=True)
        },
    }


def _accuracy_data(account: Accuracy) -> dict[str, object]:
    return {
        "share": None if account.share is None else float(account.share),
        "kept": account.kept,
        "choices": account.choices,
        "battles": account.battles,
        "skill": float(account.skill),
        "luck": float(account.luck),
    }
