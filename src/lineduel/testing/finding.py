"""One thing that was looked at."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What should be so, and what is wrong with it, if anything."""

    what: str
    wrong: str | None = None

    @property
    def right(self) -> bool:
        return self.wrong is None

    def __str__(self) -> str:
        return f"right: {self.what}" if self.right else f"WRONG: {self.what}. {self.wrong}"
