"""What comes of a move: the extra moves, the answer to it, and a side without a good move."""

from collections.abc import Iterator

from lineduel.coach.deeds import Act, Deed, deed_of, turned_to
from lineduel.coach.races import race_after
from lineduel.coach.reason_facts import OwnAnswer, Sequel, StrikeBack
from lineduel.engine import PASS, Move, Position, Step
from lineduel.errors import NotSolved
from lineduel.rules import Side
from lineduel.solve import Solution, keeping_moves

_STRIKES = (Act.TAKES, Act.SENDS_HOME)


def sequel_of(solution: Solution, position: Position, move: Move, deed: Deed) -> Sequel:
    """What comes of a deed, right after it; nothing where the game is over or a battle is open."""
    game, after = solution.game, solution.game.play(position, move)
    again: list[Deed] = []
    while after.side is deed.side and after.battle is None and game.outcome(after) is None:
        extra = solution.best_move(after)
        assert extra is not None
        done = deed_of(game, after, extra)
        if done is not None and done.act.strikes:
            again.append(done)
        after = game.play(after, extra)
    if again or after.battle is not None or game.outcome(after) is not None:
        return Sequel(tuple(again))
    value, legal = solution.value(after), game.moves(after)
    moved_again = game.play(position, move).side is deed.side
    return Sequel(
        back=None if moved_again else _strike_back(solution, after, deed),
        only=legal[0] if len(legal) == 1 else None,
        within=value.plies if value.winner is deed.side else None,
        brief=deed.act is Act.BLOCKS and is_given_up(solution, after, deed),
    )


def is_given_up(solution: Solution, blocked: Position, deed: Deed) -> bool:
    """Whether best play moves a piece that blocks another away again with its next move."""
    following = solution.line(blocked, 2)
    if blocked.side is not deed.side.other or len(following) < 2:
        return False
    back = following[1]
    return isinstance(back, Step) and back.piece == deed.piece and back.step != 0


def own_strike(solution: Solution, position: Position, move: Move) -> Deed | None:
    """What a move takes or sends home, without winning by it."""
    deed = deed_of(solution.game, position, move)
    return deed if deed is not None and deed.act in _STRIKES else None


def can_strike_back(solution: Solution, position: Position, deed: Deed) -> bool:
    """Whether the side to move can strike the piece that has just done something."""
    return _strike_back(solution, position, deed) is not None


def _strike_back(solution: Solution, position: Position, deed: Deed) -> StrikeBack | None:
    """The first piece that can strike the one that has just taken or sent home another."""
    game = solution.game
    if deed.act not in _STRIKES:
        return None
    for move in game.moves(position):
        back = deed_of(game, position, move)
        if back is None or back.act is Act.BATTLE:
            continue
        if back.cell == deed.cell and deed.piece in back.victims:
            return _answered(solution, game.play(position, move), deed.side, back.piece)
    return None


def _answered(solution: Solution, after: Position, side: Side, piece: str) -> StrikeBack:
    """What comes of it that a piece has struck back; why the struck side wins all the same."""
    winner = solution.value(after).winner
    own, other = (sum(cell is not None for cell in after.cells(one)) for one in (side.other, side))
    left = own, other
    best = solution.best_move(after) if after.side is side and winner is side else None
    then = None if best is None else deed_of(solution.game, after, best)
    if then is not None and then.act.strikes:
        return StrikeBack(piece, winner, then=then, left=left)
    race = race_after(solution, (), after, side, wins=True) if best is not None else None
    return StrikeBack(piece, winner, needs=None if race is None else race.needs, left=left)


def is_zugzwang(solution: Solution, position: Position) -> bool:
    """Whether it is proved that the side to move would be better off without the turn."""
    if position.battle is not None or solution.game.moves(position) in ((), (PASS,)):
        return False
    side = position.side
    try:
        other = solution.value(turned_to(position, side.other))
    except NotSolved:
        return False
    return solution.value(position).hoped(side) < other.sure(side)


def losing_distance(solution: Solution, position: Position) -> int | None:
    """How far apart two pieces that approach each other are, if that alone decides the game.

    Each side has one piece. With that distance the side to move loses by force in every solved
    position, whichever side it is and wherever the pieces are.
    """
    game = solution.game
    if position.battle is not None or len(position.player1) > 1 or len(position.player2) > 1:
        return None
    if position.hands is not None:  # what is in hand counts, too
        return None
    [one], [two] = position.player1, position.player2
    if one is None or two is None or one >= two:
        return None
    seen = set()
    for cell in range(game.rules.track.first, game.rules.track.last + 1):
        for side in Side:
            try:
                at = Position((cell,), (cell + two - one,), side)
                value = solution.value(at)
            except NotSolved:
                continue
            if game.outcome(at) is not None:
                continue
            if value.winner is not side.other:
                return None
            seen.add(cell)
    return two - one if len(seen) > 1 else None


def distances_left(solution: Solution, position: Position) -> tuple[int, ...]:
    """The losing distances that the best answers to all moves leave, where they do not win.

    Nothing if some best answer does neither.
    """
    game, left = solution.game, set[int]()
    for move in game.moves(position):
        after = game.play(position, move)
        best = None if game.outcome(after) is not None else solution.best_move(after)
        if best is None or after.side is position.side:
            return ()
        answered = game.play(after, best)
        if game.outcome(answered) is after.side:
            continue
        apart = losing_distance(solution, answered)
        if apart is None or answered.side is not position.side:
            return ()
        left.add(apart)
    return tuple(sorted(left))


def answers_to(solution: Solution, position: Position) -> Iterator[OwnAnswer]:
    """Each legal move of the side to move, and what it runs into."""
    game = solution.game
    for move in game.moves(position):
        after = game.play(position, move)
        own, deed, repeats = own_strike(solution, position, move), None, False
        value = solution.value(after)
        within = value.plies if value.winner is position.side.other else None
        if after.side is not position.side and after.battle is None:
            order = list(Act)
            replies = keeping_moves(solution, after)
            found = [
                one
                for reply in replies
                if (one := deed_of(game, after, reply)) is not None and one.act is not Act.BLOCKS
            ]
            deed = min(found, key=lambda one: order.index(one.act), default=None)
            repeats = any(
                later.side is position.side and is_zugzwang(solution, later)
                for reply in replies
                for later in [game.play(after, reply)]
            )
        yield OwnAnswer(move, own, deed, repeats, within)
