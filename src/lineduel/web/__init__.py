"""Live games in the browser: a server for people who play by link, and a client of it."""

from typing import TYPE_CHECKING

from lineduel.lazy_names import offer

if TYPE_CHECKING:
    from lineduel.web.live_client import LiveClient, read_link
    from lineduel.web.server import EVERYWHERE, ServerSettings, serve

__all__ = ["EVERYWHERE", "LiveClient", "ServerSettings", "read_link", "serve"]

offer(
    __name__,
    {
        "live_client": ("LiveClient", "read_link"),
        "server": ("EVERYWHERE", "ServerSettings", "serve"),
    },
)
