"""Types of the arrays that describe a graph."""

import numpy as np
from numpy.typing import NDArray

NumberArray = NDArray[np.int64]
"""Numbers of positions or choices."""
ShortNumbers = NDArray[np.int32]
"""Numbers of positions, where a lot of them are read again and again."""
SideArray = NDArray[np.int8]
BoolArray = NDArray[np.bool_]
ChanceArray = NDArray[np.float64]
