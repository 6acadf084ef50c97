"""The HTTP interface: what all handlers share; games, opponents, live games."""

import asyncio
import traceback
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Request as HttpRequest, Response, get, post
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import ResponseSpec
from litestar.status_codes import (
    HTTP_400_BAD_REQUEST,
    HTTP_403_FORBIDDEN,
    HTTP_404_NOT_FOUND,
    HTTP_409_CONFLICT,
    HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    HTTP_415_UNSUPPORTED_MEDIA_TYPE,
    HTTP_421_MISDIRECTED_REQUEST,
    HTTP_429_TOO_MANY_REQUESTS,
    HTTP_500_INTERNAL_SERVER_ERROR,
    HTTP_503_SERVICE_UNAVAILABLE,
)

from lineduel import documents
from lineduel.errors import (
    LessonError,
    LinkRefused,
    NoSuchGame,
    NotNow,
    StorageError,
    TimeLimit,
    TooManyRequests,
    UnknownGame,
    WorkStopped,
)
from lineduel.play import NO_SIDES, Sides
from lineduel.players import LEVEL_NAMES, PERFECT, describe_players, level_number
from lineduel.record import write_record
from lineduel.rulebooks import SHIPPED
from lineduel.rules import rule_sentences
from lineduel.web.hosted_game import HostedGame
from lineduel.web.hosted_games import HostedGames
from lineduel.web.live_requests import ActionBody, LiveAction
from lineduel.web.request_limits import NEW_GAMES, AddressLimits, AllowedHosts
from lineduel.web.rulebook_shelf import (
    PlayedRulebook,
    sample_game,
    shipped_text,
    stored_rulebook,
)
from lineduel.web.work_queue import WorkQueue, while_connected

if TYPE_CHECKING:
    from lineduel.web.pages import PageFiles
    from lineduel.web.status import StorageCheck
    from lineduel.web.tournaments import Tournaments

AnyRequest = HttpRequest[Any, Any, Any]
FIGURES_FILE = "figures.json"


class ServerState(State):
    """What handlers share, from the start of the server to its end."""

    storage_check: "StorageCheck"
    files: "PageFiles"
    hosted_games: HostedGames
    hosts: AllowedHosts
    limits: AddressLimits
    readers: WorkQueue
    """Read rulebooks."""
    students: WorkQueue
    """Solve games and answer questions."""
    searchers: WorkQueue
    """Search for minutes, and keep nobody else waiting."""
    tournaments: "Tournaments"


class ErrorDocument(msgspec.Struct):
    """What is wrong, in one plain sentence."""

    error: str


ERRORS = {
    status: ResponseSpec(ErrorDocument, description=meaning, generate_examples=False)
    for status, meaning in (
        (HTTP_400_BAD_REQUEST, "Not understood."),
        (HTTP_403_FORBIDDEN, "The token does not open this, or another server's page asks."),
        (HTTP_404_NOT_FOUND, "There is no such thing."),
        (HTTP_409_CONFLICT, "Not possible now."),
        (HTTP_413_REQUEST_ENTITY_TOO_LARGE, "Too long."),
        (HTTP_415_UNSUPPORTED_MEDIA_TYPE, "Not JSON."),
        (HTTP_421_MISDIRECTED_REQUEST, "The server is not known by that name."),
        (HTTP_429_TOO_MANY_REQUESTS, "Too many requests from one address."),
        (HTTP_500_INTERNAL_SERVER_ERROR, "A mistake in the server."),
        (HTTP_503_SERVICE_UNAVAILABLE, "It took too long, or cannot be stored."),
    )
}
"""What can be answered in place of what was asked for, as the OpenAPI document says it."""


@get("/games", responses=ERRORS)
async def list_games() -> list[documents.ShownGame]:
    """The games that come with the program, with their boards."""
    return shown_games()


@get("/opponents", responses=ERRORS)
async def list_opponents() -> list[documents.ShownOpponent]:
    """The programs to play against."""
    return shown_opponents()


def shown_games() -> list[documents.ShownGame]:
    """The games of the first page."""
    return [_shown(game) for game in SHIPPED]


def shown_opponents() -> list[documents.ShownOpponent]:
    """The programs to choose from on the first page."""
    return [
        documents.ShownOpponent(
            id=name,
            name=LEVEL_NAMES[number] if (number := level_number(name)) else name,
            character=character,
        )
        for name, character in describe_players()
        if name == PERFECT or level_number(name)
    ]


@get("/addresses", responses=ERRORS)
async def list_addresses(state: ServerState, request: AnyRequest) -> list[str]:
    """Where others can open this server; empty if only this computer can."""
    scheme, port = request.url.scheme, request.url.port
    names = (f"[{name}]" if ":" in name else name for name in state.hosts.reachable())
    return [f"{scheme}://{name}{'' if port is None else f':{port}'}" for name in names]


@post("/live", responses=ERRORS)
async def create_game(
    state: ServerState, data: documents.NewGame, request: AnyRequest
) -> documents.CreatedGame:
    """Begin a live game."""
    address = address_of(request.scope)
    state.limits.check(NEW_GAMES, address)
    return await while_connected(request.receive, state.hosted_games.create(data, address))


@get("/live/{id:str}", responses=ERRORS)
async def show_game(state: ServerState, id: str, request: AnyRequest) -> documents.LiveView:
    """A live game, as the bearer of the token sees it; a finished one needs no token."""
    hosted, sides = await _reader(state, id, request)
    return await state.hosted_games.view(hosted, sides, address_of(request.scope))


@get("/live/{id:str}/record", media_type="text/plain", responses=ERRORS)
async def show_record(state: ServerState, id: str, request: AnyRequest) -> str:
    """The record of a live game, for `lineduel replay` and `lineduel review`."""
    hosted, _ = await _reader(state, id, request)
    record = hosted.live.session.record()
    await state.hosted_games.settle(hosted)
    return write_record(record)


@get("/live/{id:str}/replay", responses=ERRORS)
async def show_replay(state: ServerState, id: str, request: AnyRequest) -> documents.ReplayedGame:
    """A live game turn by turn, as everybody may see it once it is over."""
    hosted, _ = await _reader(state, id, request)
    record, names = hosted.live.session.record(), hosted.live.names
    await state.hosted_games.settle(hosted)
    return await asyncio.to_thread(documents.replayed_record, record, names)


@get("/live/{id:str}/rules", responses=ERRORS)
async def show_rules_of_game(
    state: ServerState, id: str, request: AnyRequest
) -> documents.RulebookPage:
    """The rules that a live game is played by."""
    hosted, _ = await admitted(state, id, request)
    return documents.rulebook_page(hosted.played.game, hosted.played.text.toml)


@post("/live/{id:str}/{action:str}", status_code=200, responses=ERRORS)
async def act(
    state: ServerState, id: str, action: LiveAction, data: ActionBody, request: AnyRequest
) -> documents.LiveView:
    """Move, choose a number, ask for an undo, and so on; the answer comes once it is stored."""
    hosted, sides = await admitted(state, id, request)
    address = address_of(request.scope)
    return await state.hosted_games.act(hosted, sides, action, data, address)


async def _reader(state: ServerState, id: str, request: AnyRequest) -> tuple[HostedGame, Sides]:
    """The same for somebody who only looks: a finished game is open to all who have its address."""
    if "authorization" not in request.headers:
        hosted = await state.hosted_games.find(id)
        if hosted.live.is_over:
            return hosted, NO_SIDES
    return await admitted(state, id, request)


async def admitted(state: ServerState, id: str, request: AnyRequest) -> tuple[HostedGame, Sides]:
    """A live game, and the sides that the bearer of the token plays."""
    hosted = await state.hosted_games.find(id)
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() != "bearer":
        raise LinkRefused("Send the token of your seat: Authorization: Bearer TOKEN.")
    return hosted, hosted.sides_of(token.strip())


@cache
def _shown(id: str) -> documents.ShownGame:
    text = shipped_text(id, None)
    played = PlayedRulebook(text, stored_rulebook(text))
    rulebook = played.rulebook
    return documents.ShownGame(
        id=id,
        title=rulebook.title,
        summary=rulebook.summary,
        rules=list(rule_sentences(rulebook.rules)),
        rulebook=documents.rules_document(rulebook),
        board=documents.board_document(played.game, played.narrator, played.game.start()),
        sample=sample_game(played),
        variants=[documents.ShownVariant.of(one) for one in rulebook.variants],
        figures=shipped_figures()[id],
    )


@cache
def shipped_figures() -> dict[str, documents.DuelFigures]:
    """The content of `figures.json`: how fair, long and deep each shipped game is."""
    text = files("lineduel.web").joinpath(FIGURES_FILE).read_bytes()
    return msgspec.json.decode(text, type=dict[str, documents.DuelFigures])


def address_of(scope: Any) -> str:
    """The address that a request comes from."""
    return str(scope["client"][0]) if scope.get("client") else ""


def explain(request: object, error: Exception) -> Response[ErrorDocument]:
    """An error of ours as one plain sentence, with a fitting status."""
    match error:
        case NoSuchGame() | UnknownGame() | LessonError():
            status = HTTP_404_NOT_FOUND
        case TooManyRequests():
            status = HTTP_429_TOO_MANY_REQUESTS
        case StorageError() | TimeLimit() | WorkStopped():
            status = HTTP_503_SERVICE_UNAVAILABLE
        case LinkRefused():
            status = HTTP_403_FORBIDDEN
        case NotNow():
            status = HTTP_409_CONFLICT
        case _:
            status = HTTP_400_BAD_REQUEST
    return Response(ErrorDocument(str(error)), status_code=status)


def explain_request(
    request: AnyRequest, error: HTTPException
) -> Response[ErrorDocument] | Response[bytes]:
    """An error of HTTP in the same form; a person whose browser finds nothing gets a page."""
    is_browser = "text/html" in request.headers.get("accept", "")
    if error.status_code == HTTP_404_NOT_FOUND and is_browser:
        files: PageFiles = request.app.state.files
        return files.missing()
    sentence = "The request is not understood."
    if isinstance(error, ValidationException) and isinstance(error.extra, list) and error.extra:
        first = error.extra[0]
        where, why = first.get("key", "body"), first.get("message")
        sentence = f"The request is not understood: {where}: {why}."
    elif error.status_code != HTTP_400_BAD_REQUEST:
        sentence = f"{error.detail.rstrip('.')}."
    return Response(ErrorDocument(sentence), status_code=error.status_code, headers=error.headers)


def explain_mistake(request: object, error: Exception) -> Response[ErrorDocument]:
    """An unforeseen error in the same form; the details are in the server's output."""
    if isinstance(error, RecursionError):
        nested = ErrorDocument("The request is nested too deeply.")
        return Response(nested, status_code=HTTP_400_BAD_REQUEST)
    traceback.print_exception(error)
    mistake = ErrorDocument("The server made a mistake, so this cannot be answered.")
    return Response(mistake, status_code=HTTP_500_INTERNAL_SERVER_ERROR)


live_handlers = [
    list_games,
    list_opponents,
    list_addresses,
    create_game,
    show_game,
    show_record,
    show_replay,
    show_rules_of_game,
    act,
]
