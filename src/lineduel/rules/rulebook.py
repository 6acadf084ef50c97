"""A rulebook: its rules, its texts, the claims of its author, and its errata."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from lineduel.errors import UnknownGame
from lineduel.rules.vocabulary import Rules
from lineduel.rules.words import Words


class Property(StrEnum):
    """A property of a rulebook that can be decided; a claim is mapped to one."""

    ALWAYS_ENDS = "always ends"
    NO_DRAW = "no draw"
    ENDS_QUICKLY = "ends quickly"
    SKILL_WINS = "skill wins"
    FAIR_SEATS = "neither seat favoured"
    RULES_MATTER = "every rule matters"
    CHOICES_MATTER = "choices matter"
    NO_BEST_NUMBER = "no number is always best"


class Claim(NamedTuple):
    """A promise of the author, and the property it was mapped to."""

    says: str
    property: Property
    not_tested: str = ""
    """What the sentence says beyond the property."""


class Erratum(NamedTuple):
    """A place where the written rulebook contradicts itself, and the ruling."""

    where: str
    says: str
    ruling: str


@dataclass(frozen=True, slots=True)
class Variant:
    """Another way to take the rulebook: the keys it changes, nested as in the file."""

    name: str
    summary: str
    why: str
    changes: Mapping[str, object] = field(hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The content of one TOML file."""

    id: str
    """How it is addressed: `cross-over`, `cross-over:no-jump`, or a file's name."""
    title: str
    summary: str
    rules: Rules
    words: Words
    claims: tuple[Claim, ...] = ()
    errata: tuple[Erratum, ...] = ()
    variants: tuple[Variant, ...] = ()
    variant: Variant | None = None
    """The variant this rulebook is, when it is one."""

    @property
    def full_title(self) -> str:
        """The title, with the variant where the title does not tell it."""
        variant = self.id.partition(":")[2].replace("-", " ")
        is_told = not variant or variant in self.title
        return self.title if is_told else f"{self.title}, {variant}"

    def variant_named(self, name: str) -> Variant:
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(f"{self.id}:{variant.name}" for variant in self.variants)
        advice = f"Its variants: {known}." if known else f"{self.id} has no variants."
        raise UnknownGame(f"{self.id}:{name}", (), advice)
