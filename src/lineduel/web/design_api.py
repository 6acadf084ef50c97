"""The HTTP interface of the designer: the form, a rulebook on trial, and what it is worth."""

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from datetime import date
from functools import cache, partial
from hashlib import sha256
from typing import Any

from litestar import Response, get, post
from litestar.response import Stream

from lineduel import documents
from lineduel.errors import LineduelError
from lineduel.page import template_file, write_page
from lineduel.rules import unpack_rulebook
from lineduel.web.api import ERRORS, AnyRequest, ServerState, address_of
from lineduel.web.computed_answers import (
    DesignChoice,
    Packed,
    PositionChoice,
    RulebookChoice,
    on_trial,
    tried,
)
from lineduel.web.design_work import (
    CHANGES_SECONDS,
    REPAIR_SECONDS,
    audit_for_page,
    audit_html,
    changed_once,
    compared_variants,
    get_ready_to_judge,
    get_ready_to_repair,
    judged,
    repaired,
)
from lineduel.web.request_limits import HARD_WORK
from lineduel.web.rulebook_shelf import LARGEST_OWN_RULEBOOK, RulebookText, rulebook_text
from lineduel.web.study_api import AUDIT_SECONDS, Questions
from lineduel.web.work_queue import WorkQueue, while_connected

READY_SECONDS = 300.0
"""What a worker may take to compile what audits need, once."""
LINES = "application/x-ndjson"
"""Messages that come one after the other, each a line of JSON."""
_STYLES = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_form = cache(documents.design_form)
_WAITING = "Waiting for a free worker"
_PREPARING = "Getting ready; the very first time this takes about a minute"


class VerdictsChoice(RulebookChoice, kw_only=True):
    """A rulebook to judge."""

    before: documents.FormerVerdicts | None = None
    """What was known before the change, to say what is different."""


class RepairsChoice(RulebookChoice, kw_only=True):
    """A rulebook to repair."""

    all: bool = False
    """Whether what the author does not promise has to hold, too."""


class AuditedChoice(RulebookChoice, kw_only=True):
    """A rulebook to audit: a game, a text, or what a link holds."""

    packed: Packed | None = None
    """What stands behind `/audit?rulebook=`."""

    def text(self) -> RulebookText:
        if self.packed is None:
            return super().text()
        return RulebookText("own", unpack_rulebook(self.packed, LARGEST_OWN_RULEBOOK), "")


@get("/design/form", responses=ERRORS)
async def show_form(state: ServerState) -> documents.DesignForm:
    """Every key of a rulebook: what it means, and what it may hold."""
    _ready(state, state.students)  # while somebody looks at the form
    return _form()


@post("/design", status_code=200, responses=ERRORS)
async def try_rulebook(data: DesignChoice, questions: Questions) -> documents.DesignDocument:
    """A rulebook as text and as data, with all that is wrong with it; else a board to try it on."""
    data.check()
    return await questions.read(on_trial, data)


@post("/moves", status_code=200, responses=ERRORS)
async def list_moves(data: PositionChoice, questions: Questions) -> documents.TriedPosition:
    """The legal moves of a position, and what each leads to; nothing is solved."""
    return await questions.read(tried, data.text(), data.position)


@post("/design/verdicts", status_code=200, media_type=LINES, responses=ERRORS)
async def judge_rulebook(state: ServerState, data: VerdictsChoice, request: AnyRequest) -> Stream:
    """Who wins, and the verdict on every claim: progress, `value` and `verdicts`."""
    work = partial(judged, data.text(), data.before)
    return _stream(state, request, state.students, work, AUDIT_SECONDS)


@post("/design/audit", status_code=200, media_type=LINES, responses=ERRORS)
async def audit_design(state: ServerState, data: AuditedChoice, request: AnyRequest) -> Stream:
    """Whether a rulebook keeps its promises: progress, `value` and `audit`."""
    work = partial(audit_for_page, data.text())
    return _stream(state, request, state.students, work, AUDIT_SECONDS)


@post("/design/repairs", status_code=200, media_type=LINES, responses=ERRORS)
async def repair_rulebook(state: ServerState, data: RepairsChoice, request: AnyRequest) -> Stream:
    """The smallest changes that make every claim true: progress, then `rulebooks`."""
    work = partial(repaired, data.text(), data.all)
    return _stream(state, request, state.searchers, work, AUDIT_SECONDS + REPAIR_SECONDS)


@post("/design/changes", status_code=200, media_type=LINES, responses=ERRORS)
async def change_rulebook(state: ServerState, data: RulebookChoice, request: AnyRequest) -> Stream:
    """What each single change does to the value: progress, then `rulebooks`."""
    work = partial(changed_once, data.text())
    return _stream(state, request, state.searchers, work, AUDIT_SECONDS + CHANGES_SECONDS)


@post("/design/variants", status_code=200, media_type=LINES, responses=ERRORS)
async def compare_variants(state: ServerState, data: RulebookChoice, request: AnyRequest) -> Stream:
    """The variants of a rulebook and their verdicts: progress, then `rulebooks`."""
    work = partial(compared_variants, data.text())
    return _stream(state, request, state.searchers, work, 2 * AUDIT_SECONDS)


@get("/audit/report", include_in_schema=False)
async def show_audit_report(
    state: ServerState,
    request: AnyRequest,
    game: str | None = None,
    variant: str | None = None,
    rulebook: str | None = None,
) -> Response[str]:
    """The page that `lineduel audit --html` writes, of a game or of a rulebook in the address."""
    status = 200
    try:
        toml = None if rulebook is None else unpack_rulebook(rulebook, LARGEST_OWN_RULEBOOK)
        text = rulebook_text(game, toml, variant)
        state.limits.check(HARD_WORK, address_of(request.scope))
        page = await while_connected(request.receive, _audit_page(state, request, text))
    except LineduelError as error:
        status, page = 400, write_page("refusal.html", title="Audit", error=error)
    headers = {"Content-Security-Policy": _policy(page)}
    return Response(page, status_code=status, media_type="text/html", headers=headers)


async def _audit_page(state: ServerState, request: AnyRequest, text: RulebookText) -> str:
    address = address_of(request.scope)
    await asyncio.shield(_ready(state, state.students))
    return await state.students.run(
        audit_html, text, date.today(), seconds=AUDIT_SECONDS, address=address
    )


def _ready(state: ServerState, queue: WorkQueue) -> "asyncio.Task[None]":
    """The task in which a worker gets ready, once, even if the one who waits for it leaves."""
    tasks: dict[WorkQueue, asyncio.Task[None]] = state.setdefault("getting_ready", {})
    known = tasks.get(queue)
    if known is None or (known.done() and known.exception() is not None):
        prepare = get_ready_to_repair if queue is state.searchers else get_ready_to_judge
        work = queue.run(prepare, seconds=READY_SECONDS, address="")
        known = tasks[queue] = asyncio.create_task(work)
    return known


def _stream(
    state: ServerState, request: AnyRequest, queue: WorkQueue, work: Any, seconds: float
) -> Stream:
    """Have a worker answer once it is ready, and pass on its messages as they come."""
    address = address_of(request.scope)
    state.limits.check(HARD_WORK, address)
    queue.check(address)
    ready = _ready(state, queue)

    async def messages() -> AsyncIterator[object]:
        try:
            yield documents.WorkProgress(doing=_WAITING if ready.done() else _PREPARING)
            await asyncio.shield(ready)
            async for message in queue.stream(work, seconds=seconds, address=address):
                yield message
        except LineduelError as error:
            yield documents.WorkError(error=str(error))

    return Stream((documents.as_json(one) + b"\n" async for one in messages()), media_type=LINES)


def _policy(page: str) -> str:
    """What a report may do: run its own script, and draw; it loads nothing."""
    styles = " ".join(sorted({_hash(style) for style in _STYLES.findall(page)}))
    script = _hash(template_file("replay.js"))
    return (
        f"default-src 'none'; script-src {script}; style-src-elem {styles}; "
        "style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


def _hash(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"


design_handlers = [
    show_form,
    try_rulebook,
    list_moves,
    judge_rulebook,
    audit_design,
    repair_rulebook,
    change_rulebook,
    compare_variants,
]
