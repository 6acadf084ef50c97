"""Compiled versions, for arrays, of functions that also run on lists; importing takes a second."""

from lineduel.compiled import compiled
from lineduel.graph.policies import PLAIN, Forms
from lineduel.graph.retrograde import settle_positions

settle_compiled = compiled(settle_positions)
COMPILED = Forms(*map(compiled, PLAIN))
