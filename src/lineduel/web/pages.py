"""The page: files of this package, read once and served from memory."""

import asyncio
import gzip
import mimetypes
from functools import cached_property
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from litestar import Response, get

from lineduel.documents import as_json
from lineduel.errors import NoSuchGame, StorageError
from lineduel.web.api import AnyRequest, ServerState, shown_games, shown_opponents
from lineduel.web.game_picture import GameCard, game_card, game_picture

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
FILES_PATH = "/page/"
"""Where its files are."""
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_KINDS = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".css": "text/css",
    ".webmanifest": "application/manifest+json",
}


_PREVIEW, _PREVIEW_END = "<!-- preview -->", "<!-- end of preview -->"
"""Around the lines of the page that say what other programs show of a link."""
_CATALOGUE = "<!-- catalogue -->"
"""Where the games and opponents stand, so that the page need not ask for them."""


class _File(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes
    tag: str


def _read(path: Path) -> _File:
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return _packed(f"{kind}{charset}", path.read_bytes())


def _packed(kind: str, plain: bytes) -> _File:
    return _File(
        kind,
        plain,
        gzip.compress(plain, mtime=0),
        f'"{sha256(plain).hexdigest()[:20]}"',
    )


class PageFiles:
    """What the browser loads."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): _read(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    def index(self, request: AnyRequest) -> Response[bytes]:
        """The page of most addresses, with the games and opponents to choose from."""
        return _response(self._index, request)

    @cached_property
    def _index(self) -> _File:
        catalogue = as_json({"games": shown_games(), "opponents": shown_opponents()})
        data = catalogue.decode().replace("<", r"\u003c")
        script = f'<script type="application/json" id="catalogue">{data}</script>'
        file = self._files[INDEX]
        return _packed(file.kind, file.plain.decode().replace(_CATALOGUE, script).encode())

    def missing(self) -> Response[bytes]:
        """The page for an address that means nothing here; its script says so."""
        return Response(self._index.plain, status_code=404, media_type=self._index.kind)

    def preview(self, card: GameCard, address: str, picture: str, finished: str) -> Response[bytes]:
        """The page of a game, with what other programs show of a link to it.

        `finished` is its id if it is over, so that the page may show it to everybody.
        """
        said = {
            "og:title": f"{card.headline.rstrip('.')} · {card.title}",
            "og:description": card.how,
            "og:url": address,
            "og:image": picture,
            "twitter:card": "summary_large_image",
        }
        lines = "\n".join(
            f'<meta property="{name}" content="{escape(value)}">' for name, value in said.items()
        )
        if finished:
            lines += f'\n<meta name="finished-game" content="{escape(finished)}">'
        before, _, rest = self._files[INDEX].plain.decode().partition(_PREVIEW)
        _, _, after = rest.partition(_PREVIEW_END)
        body = f"{before}{lines}{after}".encode()
        headers = {"Cache-Control": "no-cache"}
        return Response(body, headers=headers, media_type=self._files[INDEX].kind)

    def response(self, name: str, request: AnyRequest) -> Response[bytes]:
        """A file; nothing if the browser has it already."""
        file = self._files.get(name)
        if file is None:
            return Response(b"There is no such file.", status_code=404, media_type="text/plain")
        return _response(file, request)


def _response(file: _File, request: AnyRequest) -> Response[bytes]:
    headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(b"", status_code=304, headers=headers, media_type=file.kind)
    body = file.plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["Content-Encoding"] = file.packed, "gzip"
    return Response(body, headers=headers, media_type=file.kind)


@get(
    [
        "/",
        "/about",
        "/games",
        "/study",
        "/study/{game:str}",
        "/review",
        "/lessons",
        "/lessons/{lesson:str}",
        "/design",
        "/gallery",
        "/audit",
        "/audit/{game:str}",
        "/puzzles",
        "/puzzles/{game:str}",
        "/ladder",
        "/ladder/{game:str}",
        "/tournament",
        "/tournament/{name:str}",
    ],
    include_in_schema=False,
)
async def show_page(state: ServerState, request: AnyRequest) -> Response[bytes]:
    """The page, whose script looks at the address."""
    return state.files.index(request)


@get(["/game/{id:str}", "/review/{id:str}", "/replay/{id:str}"], include_in_schema=False)
async def show_game_page(state: ServerState, id: str, request: AnyRequest) -> Response[bytes]:
    """The page of a game; its link has a preview of its own."""
    try:
        hosted = await state.hosted_games.find(id)
    except (NoSuchGame, StorageError):  # the script says it
        return state.files.response(INDEX, request)
    picture = f"{request.base_url}game/{id}/picture.png"
    finished = id if hosted.live.is_over else ""
    return state.files.preview(game_card(hosted.live), str(request.url), picture, finished)


@get("/game/{id:str}/picture.png", include_in_schema=False)
async def show_picture(state: ServerState, id: str) -> Response[bytes]:
    """How a game ended, as a picture; of a game that goes on, only how it begins."""
    hosted = await state.hosted_games.find(id)
    is_over, card = hosted.live.is_over, game_card(hosted.live)
    drawn = await asyncio.to_thread(game_picture, hosted.played.game, card)
    headers = {"Cache-Control": "max-age=86400" if is_over else "no-cache"}
    return Response(drawn, headers=headers, media_type="image/png")


@get(f"{FILES_PATH}{{name:path}}", include_in_schema=False)
async def show_file(state: ServerState, name: str, request: AnyRequest) -> Response[bytes]:
    """A file of the page."""
    return state.files.response(str(name).lstrip("/"), request)
