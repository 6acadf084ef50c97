"""Live games in the browser: a server for people who play by link, and its HTTP interface."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.web.server import ServerSettings, serve

__all__ = ["ServerSettings", "serve"]

offer(__name__, {"server": ("ServerSettings", "serve")})
