"""Small rulebooks without battles, thousands of them: charted, solved and paired as arrays."""

from lineduel.batch.chart import MOST, Chart, chart
from lineduel.batch.levels import sheet
from lineduel.batch.pairs import Meeting, Pairings, meet, pairings
from lineduel.batch.study import Study, study
from lineduel.batch.values import ENDLESS, Values, values

__all__ = [
    "ENDLESS",
    "MOST",
    "Chart",
    "Meeting",
    "Pairings",
    "Study",
    "Values",
    "chart",
    "meet",
    "pairings",
    "sheet",
    "study",
    "values",
]
