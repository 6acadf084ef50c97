"""What sides are called in a sentence."""

from collections.abc import Mapping

from lineduel.rules import Side

YOU = "you"

Names = Mapping[Side, str]
"""What each side is called in the middle of a sentence, such as `player 1`, `you`, `Ann`."""
NUMBERED: Names = {Side.ONE: "player 1", Side.TWO: "player 2"}
