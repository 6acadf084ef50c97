"""What a mistake gives up by itself: the turn, a goal cell, or a cell from which it held others."""

from lineduel.coach.deeds import landing_cell, least_need, turned_to
from lineduel.coach.reason_facts import GivenUp, Loss
from lineduel.engine import Game, Move, Position, Step
from lineduel.solve import Solution


def given_up(solution: Solution, position: Position, move: Move) -> GivenUp | None:
    """What a mistake gives up; a hold on an enemy only if the best reply makes use of that."""
    game, side = solution.game, position.side
    after = game.play(position, move)
    if not isinstance(move, Step) or after.battle is not None or after.side is side:
        return None
    start, line = game.cell_of(position, move.piece), (move,)
    assert start is not None
    if landing_cell(game, position, move) is None:
        values = solution.value(position), solution.value(after)
        turn_wins = tuple(one.winner for one in values) == (side, side.other)
        what = GivenUp(line=line, loss=Loss.TURN, piece=move.piece, cell=start)
        return what if turn_wins else None
    if game.outcome(after) is not None or after.cells(side.other) != position.cells(side.other):
        return None
    need, left = (least_need(game, one, side) for one in (position, after))
    team = game.rules.team(side)
    if team.goal_needs > 1 and start in team.goal and need is not None and need != left:
        return GivenUp(line=line, loss=Loss.GOAL, piece=move.piece, cell=start)
    reply = solution.best_move(after)
    if isinstance(reply, Step) and reply.step > 0 and not _could(game, position, reply):
        hold = GivenUp(line=(move, reply), loss=Loss.HOLD, piece=move.piece, cell=start)
        return hold if _is_through(game, after, reply, start) else None
    return None


def _could(game: Game, position: Position, reply: Move) -> bool:
    """Whether the enemy could make a move before, if it had the turn."""
    return reply in game.moves(turned_to(position, position.side.other))


def _is_through(game: Game, position: Position, reply: Step, cell: int) -> bool:
    """Whether a step goes to a cell or past it."""
    start, landing = game.cell_of(position, reply.piece), landing_cell(game, position, reply)
    return (
        start is not None
        and landing is not None
        and min(start, landing) <= cell <= max(start, landing)
    )
