"""What the arrays over a graph hold."""

import numpy as np
from numpy.typing import NDArray

NumberArray = NDArray[np.int64]
"""Positions or choices, by their numbers."""
SideArray = NDArray[np.int8]
ChanceArray = NDArray[np.float64]
