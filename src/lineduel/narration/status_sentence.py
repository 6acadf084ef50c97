"""Whose turn it is and how a game ended, in one line that is the same for every game."""

from typing import assert_never

from lineduel.engine import MovesAgain, Position, Victory, Won
from lineduel.narration.narrator import YOU, Names, Narrator
from lineduel.narration.turn_sentence import capitalized, verb
from lineduel.play import GameView, Session
from lineduel.quantities import counted
from lineduel.rules import listed

PLAYS_ON = "The computer wants to play on."
"""Its answer to an offer to stop."""


def status_sentence(session: Session, view: GameView, names: Names, narrator: Narrator) -> str:
    """Whose turn it is in a game that is not over.

    `Your move.`, `Ann to move again.`, `Battle on 4. Choose a number from 1 to 5.`
    """
    if not view.is_joined:
        return "Waiting for your friend to open the link."
    position, last = session.position, session.last_turn
    if position.battle is not None:
        return _battle(view, position, names, narrator)
    side = position.side
    again = " again" if last and any(isinstance(one, MovesAgain) for one in last.events) else ""
    alone = view.sides == {side}
    parts = [f"Your move{again}." if alone else capitalized(f"{names[side]} to move{again}.")]
    if session.stuck:
        parts.append("Neither side can move any more, so play would never end.")
    if session.goes_in_circles:
        parts.append(narrator.repeated(session.times).strip())
    return " ".join(parts)


def result_sentence(ended: Session, names: Names, narrator: Narrator) -> str:
    """`You lost. P2-B reached 1 after 14 turns.`"""
    return f"{headline(ended, names)} {how_it_ended(ended, names, narrator)}"


def headline(ended: Session, names: Names) -> str:
    """`You won.`, `You lost.`, `Ann won.`, or that nobody did."""
    winner = ended.winner
    if winner is None:
        return "Nobody won."
    if names[winner.other] == YOU:
        return "You lost."
    return capitalized(f"{names[winner]} won.")


def how_it_ended(ended: Session, names: Names, narrator: Narrator) -> str:
    """How a game ended: `P1-C reached 8 after 14 turns.`"""
    turns = f"after {counted(ended.plies, 'turn')}"
    if (loser := ended.resigned) is not None:
        return capitalized(f"{names[loser]} resigned {turns}.")
    if (loser := ended.forfeited) is not None:
        return capitalized(f"{names[loser]} forfeited the game {turns}.")
    if ended.agreed:
        return f"Both agreed to stop {turns}."
    events = ended.last_turn.events if ended.last_turn and ended.winner else ()
    won = next((one for one in events if isinstance(one, Won)), None)
    if won is None:
        return f"The game was ended without a result {turns}."
    loser = won.side.other
    match won.victory:
        case Victory.GOAL:
            cell = "" if won.cell is None else f" {narrator.label(won.cell)}"
            return f"{won.piece} reached{cell or ' the goal'} {turns}."
        case Victory.CAPTURED_ALL:
            return capitalized(
                f"{names[loser]} {verb(names[loser], 'has', 'have')} no piece left {turns}."
            )
        case Victory.STUCK:
            return capitalized(
                f"{names[loser]} {verb(names[loser], 'has', 'have')} no legal move {turns}."
            )
        case Victory.LANDED:
            whose = "your piece" if names[loser] == YOU else f"a piece of {names[loser]}"
            return f"{won.piece} landed on {whose} {turns}."
        case Victory.BOTH_GONE:
            return f"Both lost their last piece {turns}, and the attacker loses."
        case _:
            assert_never(won.victory)


def _battle(view: GameView, position: Position, names: Names, narrator: Narrator) -> str:
    """Who is to choose a number in the open battle."""
    assert position.battle is not None
    place = f"Battle on {narrator.label(position.battle)}."
    if len(view.sides) == 1 and not view.sides.isdisjoint(view.asked):
        if position.hands is None:
            return f"{place} Choose a number from 1 to {narrator.highest_number}."
        hand = listed(map(str, view.numbers), "or")
        return f"{place} Choose a number from your hand: {hand}."
    waiting = " and ".join(names[side] for side in view.asked)
    chooses = "choose" if len(view.asked) > 1 else verb(waiting, "chooses")
    return f"{place} {capitalized(waiting)} {chooses} a number."
