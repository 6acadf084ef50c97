"""What every JSON document has in common."""

import msgspec


class Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object in a JSON document, with its keys in the order in which they are written."""


def plain_data(document: object) -> object:
    """A document as dictionaries, lists, strings and numbers, without the keys that are not set."""
    return msgspec.to_builtins(document)
