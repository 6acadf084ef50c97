"""What can be tested about a rulebook, what is measured, and what can happen in a move."""

import inspect
from typing import get_args

from generators.markdown import code, sentence, table
from lineduel.engine import events
from lineduel.lab import DEFINITIONS
from lineduel.rules import RULEBOOK_KEYS


def figures_page() -> str:
    """Each figure with its definition and its source, and each property."""
    figures = table(
        ("figure", "in JSON", "definition", "source"),
        (
            (one.title, code(name), sentence(one.meaning), one.source)
            for name, one in DEFINITIONS.items()
        ),
    )
    properties = table(
        ("property", "meaning"),
        (
            (code(one.value), sentence(told))
            for one, told in RULEBOOK_KEYS["claims.property"].words.items()
        ),
    )
    parts = [
        "# All figures, and what can be claimed",
        "What `audit`, `sweep` and `compare` measure. All of it is computed from the whole game, "
        "nothing is sampled.",
        figures,
        "## Properties of claims",
        "What a rulebook can promise, as the `property` of a claim. "
        "[Audits](../lab.md#claims) has the thresholds of every verdict.",
        properties,
    ]
    return "\n\n".join(parts) + "\n"


def events_page() -> str:
    """What can happen in a move, as the engine tells it."""
    kinds = get_args(events.Event)
    rows = (
        (code(kind.__name__), sentence(inspect.getdoc(kind) or ""), _fields(kind)) for kind in kinds
    )
    parts = [
        "# Events",
        "What a move does, as typed values: `game.events(position, move)` lists them in order. "
        "The words of a rulebook, the screens and the server all tell these.",
        table(("event", "what happened", "fields"), rows),
        "`Won` says how in its `victory`: "
        + ", ".join(code(one.name) for one in events.Victory)
        + ".",
        "```python\n"
        ">>> from lineduel import Game, find_rulebook, parse_move, read_position\n"
        '>>> game = Game(find_rulebook("ctf-tokens"))\n'
        '>>> position = read_position(game, "0/2/1")\n'
        '>>> for event in game.events(position, parse_move("P1+2")):\n'
        "...     print(type(event).__name__)\n"
        "Moved\nWon\n\n```",
    ]
    return "\n\n".join(parts) + "\n"


def _fields(kind: type) -> str:
    return ", ".join(code(name) for name in inspect.get_annotations(kind))
