"""Room for more in an array."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lineduel.compiled import inner

Item = TypeVar("Item", bound=np.generic)


@inner
def longer(array: NDArray[Item], size: int) -> NDArray[Item]:
    """What an array holds in a longer one, the rest of it undefined."""
    made = np.empty(size, array.dtype)
    for at in range(len(array)):
        made[at] = array[at]
    return made
