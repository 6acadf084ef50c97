"""What turns decide: a race to a goal, who is ahead on an empty track, and turns that are lost."""

from lineduel.coach.deeds import (
    Needs,
    is_race,
    least_need,
    needs_of,
    racing_piece,
)
from lineduel.coach.reason_facts import Ahead, LostTurns, Race, Unstoppable
from lineduel.engine import Move, Position, Step, Victory
from lineduel.rules import Side
from lineduel.solve import Solution

LOOKED_THROUGH = 5
"""How many turns of best play have to go forward where turns are counted."""


def race_after(
    solution: Solution, line: tuple[Move, ...], after: Position, side: Side, *, wins: bool
) -> Race | None:
    """The race after a line, if a side wins it, or, with `wins` false, if it does not.

    Where pieces may still meet it is no race, but as good as one if the winner gets to a goal as
    soon as if it were left alone, whatever the other side plays.
    """
    game, winner = solution.game, side if wins else side.other
    if after.battle is not None or game.outcome(after) is not None:
        return None
    meets, value = not is_race(game, after), solution.value(after)
    if meets and (game.rules.battle is not None or value.winner is not winner):
        return None
    if meets and least_need(game, after, winner) != ((value.plies or 0) + 1) // 2:
        return None  # it takes longer: most often that is so, and costs nothing to see
    needs = needs_of(game, after)
    if needs is None:
        return None
    won = needs.winner(after.side)
    if meets:
        own = needs.of(winner)
        if won != (winner, value.plies) or own is None:
            return None
        if not _is_unstoppable(solution, after, winner, own):
            return None
    elif wins != (won is not None and won[0] is side):
        return None
    if not meets:
        return Race(line=line, needs=needs, first=after.side)
    passed = racing_piece(game, after, winner)
    runner = passed[0] if passed is not None and passed[1] == needs.of(winner) else None
    return Unstoppable(line=line, needs=needs, first=after.side, runner=runner)


def _is_unstoppable(solution: Solution, position: Position, side: Side, turns: int) -> bool:
    """Whether a side gets to a goal within its next turns or wins sooner, whatever is played."""
    game = solution.game
    tried: dict[tuple[Position, int], bool] = {}

    def wins(at: Position, left: int) -> bool:
        key = at, left
        if key not in tried:
            tried[key] = looked(at, left)
        return tried[key]

    def looked(at: Position, left: int) -> bool:
        won = game.victory(at)
        if won is not None:
            return won.side is side and (left > 0 or won.victory is Victory.GOAL)
        if at.battle is not None or solution.value(at).winner is not side:
            return False
        later = (game.play(at, move) for move in game.moves(at))
        if at.side is side:
            return left > 0 and any(wins(one, left - 1) for one in later)
        return all(wins(one, left) for one in later)

    return wins(position, turns)


def ahead_after(solution: Solution, position: Position, first: Move, side: Side) -> Ahead | None:
    """That a side wins by force after a move, and needs fewer turns than the other."""
    after = solution.game.play(position, first)
    if after.battle is not None or solution.value(after).winner is not side:
        return None
    needs = _least_needs(solution, after)
    won = needs.winner(after.side)
    if won is None or won[0] is not side or None in needs:
        return None
    if needs_of(solution.game, after) != needs or not _goes_on(solution, position, first):
        return None  # something is in the way
    return Ahead(line=(first,), needs=needs, first=after.side)


def turns_lost(
    solution: Solution, position: Position, move: Move, better: Move
) -> LostTurns | None:
    """The turns that a mistake loses in the race, against a better move, if it is behind then."""
    game, side = solution.game, position.side
    played, after = game.play(position, move), game.play(position, better)
    if played.battle is not None or after.battle is not None:
        return None
    needs = _least_needs(solution, played)
    own, could = needs.of(side), least_need(game, after, side)
    if None in needs or own is None or could is None or own <= could:
        return None
    alone = [needs_of(game, one) for one in (played, after)]
    if [one and one.of(side) for one in alone] != [own, could]:
        return None  # something is in the way
    if not _goes_on(solution, position, better):
        return None
    won = needs.winner(played.side)
    if won is not None and won[0] is side:
        return None  # still ahead, so that is not why
    return LostTurns(line=(move,), needs=needs, better=better, kept=could)


def _goes_on(solution: Solution, position: Position, first: Move) -> bool:
    """Whether best play after a move only goes forward for some turns."""
    line = first, *solution.line(solution.game.play(position, first), LOOKED_THROUGH)
    return all(not isinstance(move, Step) or move.step > 0 for move in line)


def _least_needs(solution: Solution, position: Position) -> Needs:
    return Needs(*(least_need(solution.game, position, side) for side in Side))
