"""Turns what a player typed into a move: in the rulebook's own form or the general notation."""

import re
from collections.abc import Iterator

from lineduel.engine import PASS, Game, Move, Position, Step
from lineduel.errors import NotationError, shown
from lineduel.narration.move_text import move_text
from lineduel.record import parse_move
from lineduel.rules import Answer


def read_answer(game: Game, position: Position, text: str) -> Move:
    """The legal move that the text means; letters in either case, spaces ignored."""
    typed = _plain(text)
    legal = game.moves(position)
    in_full = [move for move in legal if str(move).upper() == typed]
    meant = in_full or [move for move in legal if typed in _ways(game, position, move)]
    if len(meant) > 1:
        listed = " or ".join(str(move) for move in meant)
        raise NotationError(f"'{shown(text.strip())}' could be {listed}; say which.")
    if not meant:
        _explain(game, position, typed, text.strip())
    return meant[0]


def read_number(text: str) -> int | None:
    """The number a player typed for a battle, or None if the text is not a number."""
    typed = _plain(text)
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 4 else None


def digits(game: Game, position: Position) -> dict[int, Move]:
    """The move that each digit key means: the rulebook's own number, else its place in the list."""
    moves = game.moves(position) if position.battle is None else ()
    steps = [move.step for move in moves if isinstance(move, Step)]
    if game.rulebook.words.answer is Answer.STEP and len(set(steps)) == len(steps) == len(moves):
        return {step: move for step, move in zip(steps, moves, strict=True) if 0 < step < 10}
    return dict(enumerate(moves[:9], start=1))


def _plain(text: str) -> str:
    return "".join(text.split()).upper()


def _ways(game: Game, position: Position, move: Move) -> Iterator[str]:
    """What can be typed for a move instead of its notation."""
    if not isinstance(move, Step):
        return
    yield f"{move.piece}{move.step}".upper()
    yield _plain(move_text(game, position, move))
    match game.rulebook.words.answer:
        case Answer.NUMBER:
            yield str(game.moves(position).index(move) + 1)
        case Answer.STEP:
            yield from (str(move.step), f"{move.step:+d}")
        case Answer.PIECE_STEP:
            pass


def _explain(game: Game, position: Position, typed: str, text: str) -> None:
    """Explain why a move was refused: it is illegal, or it was not understood."""
    for piece in _pieces(game):
        rest = typed.removeprefix(piece.upper())
        if rest == typed:
            continue
        sign = "" if rest[:1] in ("+", "-") else "+"
        try:
            move = parse_move(f"{piece}{sign}{rest}")
        except NotationError:
            continue
        game.play(position, move)
    answer = game.rulebook.words.answer
    if answer is Answer.STEP and re.fullmatch(r"[+-]?[0-9]{1,3}", typed):
        team = game.rules.team(position.side)
        if len(team.pieces) == 1:
            game.play(position, Step(team.pieces[0].name, int(typed)))
    if typed == "PASS":
        game.play(position, PASS)
    raise NotationError(_not_understood(game, position, text))


def _pieces(game: Game) -> list[str]:
    """All names, the longest first, so that S12 is not taken for S1."""
    teams = (game.rules.player1, game.rules.player2)
    names = [piece.name for team in teams for piece in team.pieces]
    return sorted(names, key=len, reverse=True)


def _not_understood(game: Game, position: Position, text: str) -> str:
    moves = game.moves(position)
    step = next((move for move in moves if isinstance(move, Step)), None)
    match game.rulebook.words.answer:
        case _ if step is None:
            way = "pass"
        case Answer.NUMBER:
            last = len(moves)
            way = f"{'1' if last == 1 else '1 or 2' if last == 2 else f'1 to {last}'}, or {step}"
        case Answer.STEP:
            way = f"{step.step} or {step}"
        case Answer.PIECE_STEP:
            way = f"{step.piece} {step.step} or {step}"
    start = f"'{shown(text, 30)}' is not understood." if text else "Nothing was typed."
    return f"{start} Type {way}, or 'help'."
