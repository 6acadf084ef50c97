"""Functions that run as they are on lists, compiled for arrays; importing this takes a second."""

from lineduel.compiled import compiled
from lineduel.graph.policies import PLAIN, Forms
from lineduel.graph.retrograde import settle

settle_compiled = compiled(settle)
COMPILED = Forms(*map(compiled, PLAIN))
