"""Whose turn it is and how a game ended, in one line that is the same for every game."""

from collections.abc import Collection, Mapping

from lineduel.engine import MovesAgain
from lineduel.narration.narrator import Narrator
from lineduel.play import Session
from lineduel.rules import Side


def status_sentence(
    session: Session,
    names: Mapping[Side, str],
    narrator: Narrator,
    you: Collection[Side] = (),
) -> str:
    """`Your move.`, `Ann to move again.`, `Battle on 4. Choose a number from 1 to 5.`

    `you` is the side that reads it: none for a spectator, both for two people at one screen.
    """
    if session.winner is not None:
        return result_sentence(session, narrator)
    if session.position.battle is not None:
        return _battle(session, names, narrator, you)
    side = session.position.side
    last = session.last_turn
    again = " again" if last and any(isinstance(one, MovesAgain) for one in last.events) else ""
    alone = len(you) == 1 and side in you
    parts = [f"Your move{again}." if alone else f"{names[side]} to move{again}."]
    if session.stuck:
        parts.append("Neither side can move any more, so play would never end.")
    if session.goes_in_circles:
        parts.append(narrator.repeated(session.times).strip())
    return " ".join(parts)


def result_sentence(session: Session, narrator: Narrator) -> str:
    """Who has won and how, in the rulebook's words."""
    if session.resigned is not None:
        told = narrator.resigned(session.resigned)
    elif session.forfeited is not None:
        told = narrator.forfeited(session.forfeited)
    else:
        last = session.last_turn
        told = narrator.victory(last.events) if last else ""
    return " ".join(told.split())


def _battle(
    session: Session, names: Mapping[Side, str], narrator: Narrator, you: Collection[Side]
) -> str:
    """Who is to choose a number in the open battle."""
    battle, cell = session.rulebook.rules.battle, session.position.battle
    assert battle is not None
    assert cell is not None
    place = f"Battle on {narrator.label(cell)}."
    asked = session.asked
    if len(you) == 1 and not set(you).isdisjoint(asked):
        return f"{place} Choose a number from 1 to {battle.numbers}."
    waiting = " and ".join(names[side] for side in asked)
    verb = "choose" if len(asked) > 1 else "chooses"
    return f"{place} {waiting} {verb} a number."
