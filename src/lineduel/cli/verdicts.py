"""Colours for verdicts: green for what holds, red for what fails, yellow for the rest."""

import re

from lineduel.cli.terminal import wants_colour

GREEN, RED, YELLOW = "32", "31", "33"
_COLOUR_OF = {
    "✓": GREEN,
    "passed": GREEN,
    "proved": GREEN,
    "~": YELLOW,
    "partly passed": YELLOW,
    "holds in part": YELLOW,
    "✗": RED,
    "failed": RED,
    "refuted": RED,
}
_IN_REPORT = re.compile(
    r"(?<=\. )([✓~✗])(?= )"  # the sign of a claim
    r"|(?<=: )(partly passed|passed|failed)(?=\.)"  # the result of its test
    r"|(?<=  )(proved|holds in part|refuted)(?=  |$)"  # a cell of a table
)


class Verdicts:
    """Colours verdicts on standard output if colour is wanted."""

    def __init__(self, choice: str) -> None:
        self._wanted = wants_colour(choice)

    def paint(self, text: str, colour: str) -> str:
        """The text in that colour."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self._wanted else text

    def report(self, text: str) -> str:
        """The lines of a report with all verdicts coloured."""
        return _IN_REPORT.sub(lambda found: self.paint(found[0], _COLOUR_OF[found[0]]), text)
