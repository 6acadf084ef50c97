"""The difference between the eight levels: how far each sees, and how often it sees less."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LevelSkill:
    """How far a level sees, and how often it looks only half as far."""

    sight: int
    """Forced wins and losses of at most this many plies are seen."""
    haste: float
    """The chance of looking only half as far."""


SKILLS = {
    1: LevelSkill(0, 0.0),
    2: LevelSkill(1, 0.30),
    3: LevelSkill(2, 0.25),
    4: LevelSkill(3, 0.20),
    5: LevelSkill(5, 0.15),
    6: LevelSkill(7, 0.10),
    7: LevelSkill(10, 0.05),
    8: LevelSkill(16, 0.0),
}
LEVELS = tuple(SKILLS)


def highest_level(sight: int) -> int:
    """The highest level that sees no further than this many plies."""
    return max(number for number, skill in SKILLS.items() if skill.sight <= sight)


def describe_level(number: int) -> str:
    """How a level thinks, in one plain sentence."""
    skill = SKILLS[number]
    if skill.sight == 0:
        return "Plays at random."
    plies = "1 ply" if skill.sight == 1 else f"{skill.sight} plies"
    text = f"Sees forced wins and losses up to {plies} ahead"
    if skill.haste:
        text += f", but looks only half as far {skill.haste:.0%} of the time"
    return f"{text}; otherwise it plays what comes to mind."
