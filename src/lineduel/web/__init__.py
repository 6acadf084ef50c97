"""Live games in the browser: a server for people who play by link, and a client of it."""

from lineduel.lazy_names import TYPE_CHECKING, offer

if TYPE_CHECKING:
    from lineduel.web.backup import back_up as back_up
    from lineduel.web.live_client import (
        LiveClient as LiveClient,
        read_link as read_link,
    )
    from lineduel.web.request_limits import (
        EVERYWHERE as EVERYWHERE,
        HARD_WORK as HARD_WORK,
        LOOPBACK_NAMES as LOOPBACK_NAMES,
        MOST_FROM_ADDRESS as MOST_FROM_ADDRESS,
        NEW_GAMES as NEW_GAMES,
        REQUESTS as REQUESTS,
        AddressLimits as AddressLimits,
        AllowedHosts as AllowedHosts,
        Rate as Rate,
        has_own_origin as has_own_origin,
    )
    from lineduel.web.server import ServerSettings as ServerSettings, serve as serve

offer(__name__)
