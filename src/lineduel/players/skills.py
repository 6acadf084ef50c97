"""How the eight levels differ: their names, how far they see, how often they look less far."""

from typing import NamedTuple

from lineduel.quantities import counted


class LevelSkill(NamedTuple):
    """A level's name, how far it sees, and how often it looks only half as far."""

    name: str
    sight: int
    """Forced wins and losses of at most this many plies are seen."""
    haste: float
    """The chance of looking only half as far."""


SKILLS = {
    1: LevelSkill("random", 0, 0.0),
    2: LevelSkill("beginner", 1, 0.30),
    3: LevelSkill("easy", 2, 0.25),
    4: LevelSkill("casual", 3, 0.20),
    5: LevelSkill("medium", 5, 0.15),
    6: LevelSkill("hard", 7, 0.10),
    7: LevelSkill("expert", 10, 0.05),
    8: LevelSkill("master", 16, 0.0),
}
LEVELS = tuple(SKILLS)
LEVEL_NAMES = {number: skill.name for number, skill in SKILLS.items()}
"""What people call each level."""


def highest_level(sight: int) -> int:
    """The highest level that sees no further than this many plies."""
    return max(number for number, skill in SKILLS.items() if skill.sight <= sight)


def level_in_words(number: int) -> str:
    """A level in running text: `level 3 (easy)`."""
    return f"level {number} ({LEVEL_NAMES[number]})"


def describe_level(number: int) -> str:
    """How a level thinks, in one plain sentence."""
    skill = SKILLS[number]
    if skill.sight == 0:
        return "Plays at random."
    turns = counted(skill.sight, "turn")
    text = f"Sees forced wins and losses up to {turns} ahead"
    if not skill.haste:
        return f"{text}, always."
    less = "does not look ahead at all" if skill.sight == 1 else "looks only half as far"
    return f"{text}, but {less} {_how_often(skill.haste)}."


def _how_often(chance: float) -> str:
    """A chance in words: `one time in four`."""
    counts = ("three", "four", "five", "six", "seven", "eight", "nine", "ten")
    times = round(1 / chance)
    return f"one time in {counts[times - 3] if times <= 10 else times}"
