"""The result of one check."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked, and what is wrong, if anything."""

    what: str
    wrong: str | None = None

    @property
    def right(self) -> bool:
        return self.wrong is None

    def __str__(self) -> str:
        return f"passed: {self.what}" if self.right else f"FAILED: {self.what}. {self.wrong}"
