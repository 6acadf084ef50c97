"""Verify a certificate in one pass, using only the engine's rules.

The checker does not use the solver. It looks at each position once, together with the positions
that its moves lead to:

- an ended position has exactly its winner's value and 0 plies;
- a forced win in n plies has a move to a win in n - 1, and no move to a shorter one;
- a forced loss in n plies has only moves to wins for the other side, the longest in n - 1;
- an endless position has a move to an endless position and none to a win: neither side can do
  better;
- with battles, each side's plan keeps its bound: the bound never exceeds the expected value under
  the plan, whatever the other side does. A bound that favours the side also needs a rank that
  falls with positive probability at every step, so that play leaves the favourable positions with
  probability 1. (A bounded submartingale converges, and if play is endless its limit is then at
  most 0.)
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NoReturn, TypeVar

from lineduel.engine import Cells, Game, Position, check_position
from lineduel.errors import CertificateError, LineduelError
from lineduel.rules import Rules, Side
from lineduel.solve.certificate import Certificate, CertificateEntry
from lineduel.solve.value import Number

_Known = Callable[[Position], CertificateEntry | None]
"""Looks up the entry of a position; None if there is none."""
_Standing = Callable[[Position], Position]
"""The position with its like pieces in order."""
_Kind = tuple[int, frozenset[int]]
"""What is equal in pieces that are alike: their home, where homes matter, and their steps."""
_Item = TypeVar("_Item")


def check_certificate(
    certificate: Certificate, progress: Callable[[int], None] | None = None
) -> None:
    """Return if the certificate is correct; otherwise raise with the first wrong position."""
    game = certificate.game()
    known: dict[Position, CertificateEntry] = {}
    for entry in certificate.entries:
        if entry.position in known:
            raise CertificateError(f"{entry.position} is in the certificate twice.")
        known[entry.position] = entry
    _check_possible(game, certificate.start)
    if _standing_in(game.rules)(certificate.start) not in known:
        raise CertificateError("The certificate does not contain its own start.")
    check_entries(game, known.get, certificate.entries, progress)


def check_entries(
    game: Game,
    known: _Known,
    entries: Iterable[CertificateEntry],
    progress: Callable[[int], None] | None = None,
) -> None:
    """Check only these entries, assuming that the entries of all other positions are correct."""
    standing_for = _standing_in(game.rules)
    for number, entry in enumerate(entries):
        _check_entry(game, known, standing_for, entry)
        if progress and number % 1000 == 0:
            progress(number)


def _standing_in(rules: Rules) -> _Standing:
    """Puts the like pieces of a position in order: those of a side with the same home and steps.

    If homes never matter, only their steps tell pieces of a side apart.
    """
    kinds1, kinds2 = (_kinds(rules, side) for side in Side)

    def standing_for(position: Position) -> Position:
        return Position(
            _ordered(kinds1, position.player1),
            _ordered(kinds2, position.player2),
            position.side,
            position.battle,
            position.hands,
        )

    return standing_for


def _kinds(rules: Rules, side: Side) -> list[_Kind]:
    return [
        (home if rules.homes_matter else 0, frozenset(rules.steps_of(side, place)))
        for place, home in enumerate(rules.team(side).homes)
    ]


def _ordered(kinds: list[_Kind], cells: Cells) -> Cells:
    waiting = {
        kind: sorted(
            (cell for cell, other in zip(cells, kinds, strict=True) if other == kind),
            key=lambda cell: (cell is None, cell or 0),
        )
        for kind in set(kinds)
    }
    return tuple(waiting[kind].pop(0) for kind in kinds)


def _check_entry(
    game: Game, known: _Known, standing_for: _Standing, entry: CertificateEntry
) -> None:
    position = entry.position
    _check_possible(game, position)
    if standing_for(position) != position:
        raise CertificateError(f"{position} lists identical pieces out of order.")
    after = []
    for move in game.moves(position):
        reached = standing_for(game.play(position, move))
        there = known(reached)
        if there is None:
            raise CertificateError(
                f"{position} leads to {reached}, which is not in the certificate."
            )
        after.append(there)
    _check_plies(game, entry, after)
    if game.rules.battle is None:
        _check_value(game, entry, after)
    else:
        for side in Side:
            _check_plan(game, entry, after, side)


def _check_possible(game: Game, position: Position) -> None:
    try:
        check_position(game.rules, position)
    except LineduelError as error:
        raise CertificateError(
            f"The certificate contains an impossible position. {error}"
        ) from None


def _refuse(entry: CertificateEntry, why: str) -> NoReturn:
    raise CertificateError(f"{entry.position} is wrong: {why}.")


def _check_plies(game: Game, entry: CertificateEntry, after: list[CertificateEntry]) -> None:
    """Check forced wins: the winner and the number of plies."""
    value = entry.value
    if not -1 <= value.low <= value.high <= 1:
        _refuse(entry, "a value has to lie between -1 and 1, with its lower bound first")
    winner = game.outcome(entry.position)
    if winner is not None:
        worth = 1 if winner is Side.ONE else -1
        if (value.low, value.high, value.plies) != (worth, worth, 0):
            _refuse(entry, f"the game is over and player {winner} has won")
    elif value.plies is None:
        if any(_wins_at_once(game, entry, after, side) is not None for side in Side):
            _refuse(entry, "there is a forced win")
    else:
        if value.low != value.high or value.low not in (1, -1):
            _refuse(entry, "a forced win is worth 1 or -1")
        side = Side.ONE if value.low == 1 else Side.TWO
        right = _wins_at_once(game, entry, after, side)
        if right is None:
            _refuse(entry, f"player {side} has no forced win")
        if right != value.plies:
            _refuse(entry, f"the forced win takes {right} plies")


def _wins_at_once(
    game: Game, entry: CertificateEntry, after: list[CertificateEntry], side: Side
) -> int | None:
    """The plies of a forced win for that side, computed from the entries after each move."""
    if not after:
        return None
    plies = [one.value.plies if one.value.winner is side else None for one in after]
    if entry.position.battle is not None:
        return _battle_plies(game, entry, plies, side)
    if entry.position.side is side:
        return min((1 + one for one in plies if one is not None), default=None)
    if any(one is None for one in plies):
        return None
    return 1 + max(one for one in plies if one is not None)


def _battle_plies(
    game: Game, entry: CertificateEntry, plies: list[int | None], side: Side
) -> int | None:
    """The plies of the quickest number that wins against every choice of the other side."""
    best: int | None = None
    for choice in _choices(game, entry, plies, side):
        longest = -1
        for one in choice:
            if one is None:
                break
            longest = max(longest, one)
        else:
            best = longest + 1 if best is None else min(best, longest + 1)
    return best


def _choices(
    game: Game, entry: CertificateEntry, matrix: list[_Item], side: Side
) -> list[list[_Item]]:
    """A battle's matrix, one list per number in a side's hand: rows for player 1, else columns."""
    size = len(game.hand(entry.position, Side.TWO))
    if side is Side.ONE:
        return [matrix[row : row + size] for row in range(0, len(matrix), size)]
    return [matrix[column::size] for column in range(size)]


def _in_hand(
    game: Game, entry: CertificateEntry, chances: tuple[Fraction, ...], side: Side
) -> tuple[Fraction, ...]:
    """A side's chances of the numbers in its hand; raises if it has chances of any other."""
    battle = game.rules.battle
    if entry.position.battle is None or battle is None or len(chances) != battle.numbers:
        return chances
    hand = game.hand(entry.position, side)
    if any(chances[number - 1] for number in battle.whole_hand if number not in hand):
        _refuse(entry, f"player {side} chooses a number that is not in hand")
    return tuple(chances[number - 1] for number in hand)


def _check_value(game: Game, entry: CertificateEntry, after: list[CertificateEntry]) -> None:
    """Without battles: a position without a forced win is worth 0, and some move keeps it so."""
    value = entry.value
    if entry.plans is not None:
        _refuse(entry, "a game without battles has no plans")
    if value.plies is not None:
        return
    if value.low != 0 or value.high != 0:
        _refuse(entry, "without a forced win it is worth 0")
    if not any(one.value.is_even for one in after):
        _refuse(entry, "no move keeps the game going for ever")


def _check_plan(
    game: Game, entry: CertificateEntry, after: list[CertificateEntry], side: Side
) -> None:
    """With battles: a side's plan keeps its bound against every reply."""
    asked = bool(after) and (entry.position.battle is not None or entry.position.side is side)
    if not asked and entry.plans and entry.plans[side - 1].chances:
        _refuse(entry, f"player {side} has nothing to choose")
    if not after:
        return
    if entry.plans is None:
        _refuse(entry, "it has no plans")
    bound, plan = _bound(entry, side), entry.plans[side - 1]
    chances = _in_hand(game, entry, plan.chances, side) if asked else (Fraction(1),)
    replies = _replies(game, entry, after, side)
    if any(len(reply) != len(chances) for reply in replies):
        _refuse(entry, f"player {side}'s plan does not match the moves")
    if any(chance < 0 for chance in chances) or sum(chances) != 1:
        _refuse(entry, f"player {side}'s chances are not probabilities")
    for reply in replies:
        expected = sum(
            (chance * _bound(one, side) for chance, one in zip(chances, reply, strict=True)),
            Fraction(0),
        )
        if bound > expected:
            _refuse(entry, f"player {side}'s plan guarantees less than its bound")
        if bound > 0 and not any(
            chance > 0 and _is_progress(game, entry, one, side)
            for chance, one in zip(chances, reply, strict=True)
        ):
            _refuse(entry, f"player {side}'s plan makes no progress")


def _replies(
    game: Game, entry: CertificateEntry, after: list[CertificateEntry], side: Side
) -> list[list[CertificateEntry]]:
    """For each choice of the other side, the entries that this side's choices lead to."""
    if entry.position.battle is not None:
        return _choices(game, entry, after, side.other)
    if entry.position.side is side:
        return [after]
    return [[one] for one in after]


def _is_progress(
    game: Game, entry: CertificateEntry, reached: CertificateEntry, side: Side
) -> bool:
    if game.outcome(reached.position) is not None or _bound(reached, side) <= 0:
        return True
    assert entry.plans is not None
    return reached.plans is not None and reached.plans[side - 1].rank < entry.plans[side - 1].rank


def _bound(entry: CertificateEntry, side: Side) -> Number:
    """The value that the entry guarantees the side, from that side's point of view."""
    return entry.value.low if side is Side.ONE else -entry.value.high
