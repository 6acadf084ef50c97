"""The page: files of this package, read once and served from memory."""

import asyncio
import gzip
import mimetypes
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import NamedTuple

from litestar import Response, get

from lineduel.errors import NoSuchGame, StorageError
from lineduel.web.api import AnyRequest, ServerState
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
FIRST_QUESTIONS = ", ".join(
    f"<{path}>; rel=preload; as=fetch; crossorigin" for path in ("/api/games", "/api/opponents")
)
"""What the first page asks for, so that a browser can ask before any script has run."""
_KINDS = {
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".css": "text/css",
    ".webmanifest": "application/manifest+json",
}


_PREVIEW, _PREVIEW_END = "<!-- preview -->", "<!-- end of preview -->"
"""Around the lines of the page that say what other programs show of a link."""


class _File(NamedTuple):
    kind: str
    plain: bytes
    packed: bytes
    tag: str


def _read(path: Path) -> _File:
    plain = path.read_bytes()
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    charset = "; charset=utf-8" if kind.startswith("text/") else ""
    return _File(
        f"{kind}{charset}",
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

    def missing(self) -> Response[bytes]:
        """The page for an address that means nothing here; its script says so."""
        file = self._files[INDEX]
        return Response(file.plain, status_code=404, media_type=file.kind)

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
        "/games",
        "/study",
        "/study/{game:str}",
        "/review",
        "/lessons",
        "/lessons/{lesson:str}",
        "/design",
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
    page = state.files.response(INDEX, request)
    if request.url.path == "/":
        page.set_header("Link", FIRST_QUESTIONS)
    return page


@get(["/game/{id:str}", "/review/{id:str}"], include_in_schema=False)
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
