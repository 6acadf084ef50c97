"""What a person prefers: colours, motion, the coach, names, the opponent of each game."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from lineduel.errors import NotationError, StorageError, shown
from lineduel.safe_toml import parse_toml
from lineduel.storage import locked, put_aside, read_text, write_atomically

THEMES = ("dark", "light")
LONGEST_NAME = 24
"""Characters in a player's name."""
_MOST_GAMES = 1000
_TYPED = ("theme", "animation", "coach", "name", "guest")
"""What a person can change by typing it."""
_AUTO, NO_NAME = "auto", "none"
_SWITCH = {"on": True, "off": False}
_HEAD = "# What lineduel remembers. 'lineduel config' shows and changes it.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """Each has a default; options on the command line count more."""

    theme: str | None = None
    """`dark` or `light`; None for what suits the terminal."""
    animation: bool = True
    """Whether pieces glide."""
    coach: bool = False
    """Whether the coach warns before a mistake."""
    name: str | None = None
    """Your name."""
    guest: str | None = None
    """The name of the person who plays against you at the same keyboard."""
    first_lesson: bool = False
    """Whether the first lesson was taken to its end."""
    opponents: Mapping[str, str] = field(default_factory=dict)
    """By the id of a game, the opponent chosen last."""

    def with_opponent(self, game: str, opponent: str) -> "Preferences":
        """The same with another last opponent; the game played longest ago is forgotten."""
        others = {name: who for name, who in self.opponents.items() if name != game}
        kept = list(others.items())[-_MOST_GAMES + 1 :]
        return replace(self, opponents=dict([*kept, (game, opponent)]))

    def names_for(self, people: tuple[bool, bool]) -> tuple[str | None, str | None]:
        """The names for seats that people take: yours first, then that of your guest."""
        names = iter((self.name, self.guest))
        one, two = (next(names) if person else None for person in people)
        return one, two

    def changed(self, key: str, value: str | None) -> "Preferences":
        """The same after one change, as it is typed: `theme light`, `coach on`, `name none`."""
        if key not in _TYPED:
            raise NotationError(f"{shown(key)} is not a setting. There are: {', '.join(_TYPED)}.")
        new: str | bool | None = value
        if key == "theme":
            if value not in (*THEMES, _AUTO):
                raise NotationError("theme takes dark, light or auto.")
            new = None if value == _AUTO else value
        elif key in ("name", "guest"):
            if value is None:
                raise NotationError(f"{key} takes a name, or {NO_NAME}.")
            new = None if value == NO_NAME else check_name(value)
        elif value not in _SWITCH:
            raise NotationError(f"{key} takes on or off.")
        else:
            new = _SWITCH[value]
        changes: dict[str, Any] = {key: new}
        return replace(self, **changes)


def check_name(text: str) -> str:
    """A player's name as it is kept: a line of printable text; other texts are refused."""
    name = " ".join(text.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        allowed = f"A name has 1 to {LONGEST_NAME} printable characters."
        raise NotationError(f"'{shown(text)}' cannot be a name. {allowed}")
    return name


def preferences_file() -> Path:
    """Where preferences are kept: LINEDUEL_CONFIG, else a file in the platform's folder."""
    chosen = os.environ.get("LINEDUEL_CONFIG")
    if chosen:
        return Path(chosen)
    from platformdirs import user_config_path

    return user_config_path("lineduel", appauthor=False) / "config.toml"


def load_preferences() -> Preferences:
    """What is remembered; what cannot be read counts as not set."""
    try:
        return _preferences(parse_toml(read_text(preferences_file())))
    except (StorageError, ValueError):
        return Preferences()


def change_preferences(change: Callable[[Preferences], Preferences]) -> Preferences:
    """Change what is remembered at this moment, and remember that; what it is now.

    Nobody else changes it in between. A damaged file is put aside, a foreign one is left alone.
    """
    path = preferences_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path):
        before = load_preferences()
        preferences = change(before)
        if preferences_text(preferences) != preferences_text(before):
            if path.exists():
                _make_room(path)
            write_atomically(path, _HEAD + preferences_text(preferences))
    return preferences


def preferences_text(preferences: Preferences) -> str:
    """Preferences as the file has them, without those that are at their default."""
    defaults = Preferences()
    changed = {
        one.name: value
        for one in fields(Preferences)
        if (value := getattr(preferences, one.name)) != getattr(defaults, one.name)
    }
    opponents = changed.pop("opponents", {})
    lines = [f"{key} = {_written(value)}" for key, value in changed.items()]
    if opponents:
        lines.append("\n[opponents]")
        lines += [f"{_written(game)} = {_written(who)}" for game, who in opponents.items()]
    return "".join(f"{line}\n" for line in lines)


def _preferences(data: Mapping[str, Any]) -> Preferences:
    defaults = Preferences()
    theme, opponents = data.get("theme"), data.get("opponents")
    animation, coach = data.get("animation"), data.get("coach")
    pairs = opponents.items() if isinstance(opponents, dict) else ()
    return Preferences(
        theme=theme if theme in THEMES else defaults.theme,
        animation=animation if isinstance(animation, bool) else defaults.animation,
        coach=coach if isinstance(coach, bool) else defaults.coach,
        name=_name(data.get("name")),
        guest=_name(data.get("guest")),
        first_lesson=data.get("first_lesson") is True,
        opponents={game: who for game, who in pairs if isinstance(who, str)},
    )


def _name(value: object) -> str | None:
    """A name from the file; None for what cannot be one."""
    try:
        return check_name(value) if isinstance(value, str) else None
    except NotationError:
        return None


def _make_room(path: Path) -> None:
    """Put a damaged file aside, and refuse to replace one that somebody else's program wrote."""
    try:
        text = read_text(path)
        data = parse_toml(text)
    except (StorageError, ValueError):
        put_aside(path)
        return
    known = {one.name for one in fields(Preferences)}
    if not text.startswith(_HEAD) and not known.issuperset(data):
        raise StorageError(
            f"{shown(path, 300)} holds other things than preferences, and was left as it is."
        )


def _written(value: str | bool) -> str:
    """A value as TOML has it; what cannot be written in UTF-8 becomes a question mark."""
    import json

    plain = value.encode(errors="replace").decode() if isinstance(value, str) else value
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
