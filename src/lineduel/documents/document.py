"""What every JSON document has in common."""

from fractions import Fraction
from typing import Any, Self

import msgspec


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object in a JSON document, with its keys in the order in which they are written.

    Dataclasses of other packages stand in documents as they are; `schemas.VALUES` lists them.
    """

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """The document of something that has its fields under the same names, but for `others`."""
        named = (name for name in cls.__struct_fields__ if name not in others)
        return cls(**{name: _number(getattr(source, name)) for name in named}, **others)


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def plain_data(document: object) -> object:
    """A document as dictionaries, lists, strings and numbers, without the keys that are not set."""
    return msgspec.to_builtins(document, enc_hook=float)  # fractions
