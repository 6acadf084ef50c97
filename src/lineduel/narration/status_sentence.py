"""Whose turn it is and how a game ended, in one line that is the same for every game."""

from collections.abc import Mapping

from lineduel.engine import MovesAgain
from lineduel.narration.narrator import Narrator
from lineduel.play import GameView, Session
from lineduel.rules import Side


def status_sentence(
    session: Session, view: GameView, names: Mapping[Side, str], narrator: Narrator
) -> str:
    """Whose turn it is in a game that is not over.

    `Your move.`, `Ann to move again.`, `Battle on 4. Choose a number from 1 to 5.`
    """
    if not view.is_joined:
        return "Waiting for your friend to open the link."
    position, last = session.position, session.last_turn
    if position.battle is not None:
        return _battle(view, position.battle, names, narrator)
    side = position.side
    again = " again" if last and any(isinstance(one, MovesAgain) for one in last.events) else ""
    alone = view.sides == {side}
    parts = [f"Your move{again}." if alone else f"{names[side]} to move{again}."]
    if session.stuck:
        parts.append("Neither side can move any more, so play would never end.")
    if session.goes_in_circles:
        parts.append(narrator.repeated(session.times).strip())
    return " ".join(parts)


def result_sentence(ended: Session, narrator: Narrator) -> str:
    """Who has won and how, in the rulebook's words."""
    if ended.resigned is not None:
        sentence = narrator.resigned(ended.resigned)
    elif ended.forfeited is not None:
        sentence = narrator.forfeited(ended.forfeited)
    elif ended.winner is not None and ended.last_turn is not None:
        sentence = narrator.victory(ended.last_turn.events)
    else:
        sentence = "The game was ended without a result."
    return " ".join(sentence.split())


def _battle(view: GameView, cell: int, names: Mapping[Side, str], narrator: Narrator) -> str:
    """Who is to choose a number in the open battle."""
    place = f"Battle on {narrator.label(cell)}."
    if len(view.sides) == 1 and not view.sides.isdisjoint(view.asked):
        return f"{place} Choose a number from 1 to {narrator.highest_number}."
    waiting = " and ".join(names[side] for side in view.asked)
    verb = "choose" if len(view.asked) > 1 else "chooses"
    return f"{place} {waiting} {verb} a number."
