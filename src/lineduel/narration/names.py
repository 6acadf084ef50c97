"""What both players are called to somebody who reads or plays."""

from lineduel.narration.narrator import NUMBERED, YOU, Names, Narrator
from lineduel.play import GivenNames, Sides
from lineduel.rules import Side

_COMPUTER = "the computer"


def names_for(
    narrator: Narrator,
    sides: Sides,
    people: Sides,
    given: GivenNames | None = None,
    friend: str = "",
) -> Names:
    """What each side is called, within a sentence, to somebody who plays these sides.

    Who plays one side is `you`. Others have the names that they were given, by default those of
    the narrator; a single program without a name is `the computer`, a person without one is
    `friend` or what the rulebook says, such as `player 1`.
    """
    return {side: _name(narrator, side, sides, people, given, friend) for side in Side}


def _name(
    narrator: Narrator,
    side: Side,
    sides: Sides,
    people: Sides,
    given: GivenNames | None,
    friend: str,
) -> str:
    if sides == {side}:
        return YOU
    role = narrator.role(side)
    name = given[side - 1] if given else narrator.given_name(side)
    if name and name != role:
        return name
    if side not in people and people:
        return _COMPUTER
    if side in people and friend and sides:
        return friend
    return role.lower() if role.lower() == NUMBERED[side] else role
