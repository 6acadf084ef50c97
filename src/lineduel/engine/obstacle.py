"""What can stand in the way of a step."""

from enum import Enum


class Obstacle(Enum):
    """Why a piece cannot take a step; the cell is reported with it."""

    GONE = "it has been captured"
    EDGE = "cell {cell} is off the track"
    BETWEEN = "it would jump over the piece on {cell}, and jumping is not allowed"
    OWN = "your own piece is on {cell}"
    ENEMY = "an enemy is on {cell}"

    def told(self, cell: int) -> str:
        return self.value.format(cell=cell)
