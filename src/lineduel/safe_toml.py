"""TOML from outside: reading any text ends soon, with its data or with a ValueError."""

import re
import tomllib
from typing import Any

_DEEPEST = 16
"""Tables within tables; no file of lineduel has more than five."""
_LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{2 * _DEEPEST}}}"""
)
"""A key with more parts than the parser can read in reasonable time."""
_TOO_DEEP = "nested too deeply"


def parse_toml(text: str) -> dict[str, Any]:
    """The data of a TOML document; ValueError if the text is not TOML or is nested too deeply."""
    if _LONG_KEY.search(text):
        raise ValueError(_TOO_DEEP)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if _is_deep(data):
        raise ValueError(_TOO_DEEP)
    return data


def _is_deep(data: dict[str, Any]) -> bool:
    level: list[object] = [data]
    for _ in range(_DEEPEST):
        level = [part for one in level for part in _parts(one)]
        if not level:
            return False
    return True


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
