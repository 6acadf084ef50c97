"""What every JSON document has in common."""

import msgspec


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object of a JSON document: its keys, in the order in which they are written."""


def plain_data(document: object) -> object:
    """A document as dictionaries, lists, texts and numbers; keys that are not set are left out."""
    return msgspec.to_builtins(document)
