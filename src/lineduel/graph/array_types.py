"""What the arrays over a graph hold."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
"""Positions or choices, by their numbers."""
Sides = NDArray[np.int8]
Chances = NDArray[np.float64]
