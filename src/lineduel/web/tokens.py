"""Tokens that let their bearer take a seat, join or watch; only their hashes are kept."""

import hmac
import re
import secrets
from hashlib import sha256

SEAT, INVITE, SPECTATOR = "s", "i", "w"
"""What a token is for, as its first letter."""
_BYTES = 24
_TOKEN = re.compile(r"[siw]\.[A-Za-z0-9_-]{32,64}")
_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters of a game's id; none that looks like another."""
_ID_LENGTH = 12


def new_token(kind: str) -> str:
    """An unguessable token of 192 random bits."""
    return f"{kind}.{secrets.token_urlsafe(_BYTES)}"


def new_game_id() -> str:
    """The address of a new game; not a secret, but nobody can guess it."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def is_token(text: object) -> bool:
    """Whether a text has the form of a token."""
    return isinstance(text, str) and _TOKEN.fullmatch(text) is not None


def hashed(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode()).hexdigest()


def fits(token_hash: str, kept: str | None) -> bool:
    """Whether a token's hash is the one that was kept, compared in constant time."""
    return kept is not None and hmac.compare_digest(token_hash, kept)
