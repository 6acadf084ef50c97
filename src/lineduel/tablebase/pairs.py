"""Which pairs of formations are positions."""

from lineduel.compiled import compiled
from lineduel.tablebase.tables import Moves


@compiled
def is_position(one: Moves, a: int, two: Moves, b: int) -> bool:
    """Whether two formations can be on the track at the same time."""
    apart: bool = (one.shuns[a] & two.keeps[b]) | (one.keeps[a] & two.shuns[b]) == 0
    return apart
