"""Rulebooks in links: the address that opens one in the designer of `lineduel serve`."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode

from lineduel.errors import NotationError

DESIGN_PATH = "/design"
_RAW_DEFLATE = -15
"""The number by which zlib knows deflate without a header."""


def design_link(toml: str, server: str = "") -> str:
    """The address that opens a rulebook in the designer of a server, such as `http://host:8000`."""
    return f"{server.rstrip('/')}{DESIGN_PATH}#{pack_rulebook(toml)}"


def pack_rulebook(toml: str) -> str:
    """A rulebook's text as letters for an address: deflate (RFC 1951), then base64url."""
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW_DEFLATE)
    packed = packer.compress(toml.encode()) + packer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


def unpack_rulebook(packed: str, largest: int) -> str:
    """The inverse of `pack_rulebook`; a text of more than `largest` bytes is refused."""
    unpacker = zlib.decompressobj(_RAW_DEFLATE)
    try:
        padded = packed.encode("ascii") + b"=" * (-len(packed) % 4)
        text = unpacker.decompress(urlsafe_b64decode(padded), largest + 1)
        if len(text) > largest:
            raise NotationError(f"The link holds more than {largest:,} bytes.")
        if unpacker.eof:
            return text.decode()
    except (ValueError, zlib.error):  # not ASCII, not base64, not deflate, not UTF-8
        pass
    raise NotationError("The link is damaged: it does not hold a whole rulebook.")
