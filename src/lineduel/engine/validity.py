"""Check that a position is possible under a rulebook, whether reachable from the start or not."""

from typing import assert_never

from lineduel.engine.position import ParsedPosition, Position
from lineduel.errors import InvalidPosition
from lineduel.quantities import counted
from lineduel.rules import Resting, Rules, Side


def valid_position(rules: Rules, parsed: ParsedPosition) -> Position:
    """The parsed position; raises `InvalidPosition` if it is impossible in this rulebook."""
    check_position(rules, parsed)
    return parsed.unchecked()


def check_position(rules: Rules, position: ParsedPosition) -> None:
    """Raise `InvalidPosition` if a position is impossible in this rulebook."""
    for side in Side:
        _check_cells(rules, position, side)
    _check_both_gone(rules, position)
    _check_battle(rules, position)
    _check_hands(rules, position)
    _check_victories(rules, position)
    for cell in position.shared_cells():
        if cell != position.battle:
            _check_enemies(rules, position, cell)


def _check_cells(rules: Rules, position: ParsedPosition, side: Side) -> None:
    cells, pieces = position.cells(side), rules.team(side).pieces
    names = ", ".join(piece.name for piece in pieces)
    if len(cells) != len(pieces):
        count = counted(len(pieces), "piece")
        raise InvalidPosition(f"{position}: player {side} has {count} ({names}), not {len(cells)}.")
    for piece, cell in zip(pieces, cells, strict=True):
        if cell is None:
            if not rules.pieces_leave:
                raise InvalidPosition(f"{position}: {piece.name} cannot be captured in this game.")
        elif cell not in rules.track:
            raise InvalidPosition(
                f"{position}: {piece.name} on {cell} is off the track, "
                f"which goes from {rules.track.first} to {rules.track.last}."
            )
    if rules.meet.own.consequences.blocks:
        for cell in set(cells) - {None}:
            together = cells.count(cell)
            # Pieces that block each other can still be together at home, where they start or are
            # sent.
            if together > 1 and _strangers(rules, position, side, cell) > rules.homes_matter:
                raise InvalidPosition(
                    f"{position}: player {side} has {together} pieces on {cell}, "
                    "and two pieces of one player may not share a cell."
                )


def _strangers(rules: Rules, position: ParsedPosition, side: Side, cell: int | None) -> int:
    """The number of pieces of that side on the cell that are not at home there.

    If pieces are never sent home, all pieces of a side are interchangeable.
    """
    cells, homes = position.cells(side), rules.team(side).homes
    if not rules.homes_matter:
        return max(0, cells.count(cell) - sum(home == cell for home in homes))
    return sum(stands == cell != home for stands, home in zip(cells, homes, strict=True))


def _check_both_gone(rules: Rules, position: ParsedPosition) -> None:
    if not rules.both_can_be_gone and all(
        cell is None for cell in position.player1 + position.player2
    ):
        raise InvalidPosition(f"{position}: somebody must have a piece left.")


def _check_battle(rules: Rules, position: ParsedPosition) -> None:
    if position.battle is None:
        return
    if rules.battle is None:
        raise InvalidPosition(f"{position}: there are no battles in this game.")
    if position.battle not in position.shared_cells():
        raise InvalidPosition(
            f"{position}: a battle needs both players' pieces on cell {position.battle}."
        )


def _check_hands(rules: Rules, position: ParsedPosition) -> None:
    battle = rules.battle
    if battle is None or not battle.hand.is_spent:
        if position.hands is not None:
            raise InvalidPosition(
                f"{position}: no number is ever spent in this game, so a position has no hands."
            )
        return
    whole = "".join(map(str, battle.whole_hand))
    if position.hands is None:
        raise InvalidPosition(
            f"{position}: both players' numbers in hand are missing. "
            f"Write them at the end, as ;{whole}/{whole}."
        )
    for side, hand in zip(Side, position.hands, strict=True):
        if not hand or hand != tuple(one for one in battle.whole_hand if one in hand):
            raise InvalidPosition(
                f"{position}: player {side}'s hand has to be one or more of the numbers 1 to "
                f"{battle.numbers}, in order, as {whole}."
            )


def _check_victories(rules: Rules, position: ParsedPosition) -> None:
    winners = {
        side
        for side in Side
        if rules.team(side).has_arrived(
            cell for cell in position.cells(side) if cell != position.battle or cell is None
        )
    }
    if rules.meet.enemy.consequences.wins and position.shared_cells():
        winners.add(position.side.other)
    if len(winners) == 2:
        raise InvalidPosition(f"{position}: both players would have won; only one can.")
    if winners and position.battle is not None:
        raise InvalidPosition(f"{position}: the game is over, so no battle can be open.")


def _check_enemies(rules: Rules, position: ParsedPosition, cell: int) -> None:
    """Raise if enemies share a cell on which the rules cannot leave them together."""
    strangers = [_strangers(rules, position, side, cell) for side in Side]
    resting = rules.resting
    match resting:
        case Resting.ANYWHERE:
            possible = True
        case Resting.HOME_OF_BOTH:
            possible = not any(strangers)
        case Resting.HOME_OF_ONE:
            possible = not all(strangers)
        case Resting.WINNING_CELL:
            possible = len(position.shared_cells()) == 1
        case Resting.NOWHERE:
            possible = False
        case _:
            assert_never(resting)
    if not possible:
        hint = " Write * at the end if a battle is open." if rules.battle else ""
        raise InvalidPosition(
            f"{position}: enemies cannot both rest on cell {cell} in this game.{hint}"
        )
