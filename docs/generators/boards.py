"""Boards on the site: each game at its start, and a duel on the first page that can be played."""

import json
import re
from functools import cache, partial
from pathlib import Path
from typing import Any

import lineduel
from lineduel.engine import Game, Position, Step
from lineduel.narration import cell_label, move_text
from lineduel.rulebooks import find_rulebook
from lineduel.rules import Rulebook, Side
from lineduel.solve import Solution, move_in_words, solve

PLAYED = "ctf-tokens"
"""The game of the first page: one piece each, and 138 positions."""
MARK = re.compile(r"<!-- board: ([\w:-]+) -->")


def with_boards(markdown: str) -> str:
    """A page with the board of each game that it asks for by `<!-- board: cross-over -->`."""
    return MARK.sub(lambda found: board_of(find_rulebook(found[1])), markdown)


def board_of(rulebook: Rulebook) -> str:
    """The track at the start as one line of HTML, with camps, flags and pieces."""
    game = Game(rulebook)
    cells = "".join(_cell(game, cell) for cell in game.rules.track.cells)
    length = len(game.rules.track.cells)
    return f'<div class="board" style="--cells:{length}" aria-hidden="true">{cells}</div>'


def _cell(game: Game, cell: int) -> str:
    teams = {side: game.rules.team(side) for side in Side}
    camps = "".join(f" camp{side}" for side, one in teams.items() if cell in one.homes)
    flags = "".join(
        f'<i class="flag{side.other}"></i>' for side, one in teams.items() if cell in one.goal
    )
    here = [side for side, one in teams.items() for home in one.homes if home == cell]
    pieces = "".join(face(side) for side in here)
    many = " many" if len(here) > 1 else ""
    label = f"<small data-search-exclude>{cell_label(game, cell)}</small>"
    return f'<div class="cell{camps}{many}">{flags}{pieces}{label}</div>'


def face(side: Side) -> str:
    """A piece as the browser draws it."""
    turned = "" if side is Side.ONE else ' transform="matrix(-1 0 0 1 40 0)"'
    eyes = "".join(
        f'<circle class="white" cx="{x}" cy="18" r="4.2"/><circle cx="{x + 1.5}" cy="18" r="2.1"/>'
        for x in (15.5, 26)
    )
    body = f'<path class="body" d="{_bodies()[side]}"/>'
    return f'<svg class="face side{side}" viewBox="0 0 40 40"><g{turned}>{body}{eyes}</g></svg>'


@cache
def _bodies() -> dict[Side, str]:
    drawn = Path(lineduel.__file__).parent / "web" / "page" / "faces.js"
    found = re.findall(r'^  P[12]: "(M[^"]+)"', drawn.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(zip(Side, found, strict=True))


def duel_script() -> str:
    """Every position of the duel with its moves and their values, for `assets/duel.js`.

    The page knows no rule: it goes from one position of this table to another.
    """
    return f"const DUEL = {json.dumps(duel(), separators=(',', ':'), ensure_ascii=False)};\n"


def duel() -> dict[str, Any]:
    """The table: where both pieces are, whose turn it is, who has won, and the moves."""
    game = Game(find_rulebook(PLAYED))
    solution = solve(game)
    positions = [game.start()]
    for position in positions:
        after = (game.play(position, move) for move in game.moves(position))
        positions += (one for one in dict.fromkeys(after) if one not in positions)
    numbers = {position: number for number, position in enumerate(positions)}
    label = partial(cell_label, game)
    return {
        "cells": [label(cell) for cell in game.rules.track.cells],
        "positions": [_entry(solution, position, numbers) for position in positions],
    }


def _entry(solution: Solution, position: Position, numbers: dict[Position, int]) -> dict[str, Any]:
    game, side = solution.game, position.side
    places = [cell for one in Side for cell in position.cells(one) if cell is not None]
    first = game.rules.track.first
    return {
        "at": [cell - first for cell in places],
        "turn": side,
        "won": game.outcome(position),
        "moves": [
            {
                "said": move_text(game, position, move),
                "to": (game.landing(position, move) or 0) - first,
                "then": numbers[game.play(position, move)],
                "worth": move_in_words(value, side),
                "wins": value.one_ply_earlier().winner is side,
                "best": move == solution.best_move(position),
            }
            for move, value in solution.moves(position)
            if isinstance(move, Step)
        ],
    }
