"""An agent behind an HTTP endpoint in the common chat form."""

import json
import time
from collections.abc import Callable, Mapping
from http.client import HTTPException
from queue import Empty
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from lineduel.agents.answers import (
    NO_USAGE,
    AgentAnswer,
    in_time,
    late_answer,
    shortened,
    usage_of,
)
from lineduel.errors import AgentError, shown

if TYPE_CHECKING:
    from lineduel.agents.agent import AgentQuestion

_LARGEST_REPLY = 4 << 20
_PAUSES = (1.0, 4.0)
"""Seconds before an endpoint that is busy is asked again."""
_BUSY = (429, 500, 502, 503, 504)
_REDIRECTION, _ERROR = 300, 400
"""The first status of either."""


class _Stay(HTTPRedirectHandler):
    """Follows no redirection: the key is for the address that was named, and for no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Reply(NamedTuple):
    status: int
    body: bytes
    elsewhere: str
    """Where it redirects to."""


class ChatAgent:
    """An HTTP endpoint in the common chat form; a question is one message of a user.

    Without an answer of the endpoint there is no exam: what failed on the way is no answer.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        key: str = "",
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._url, self._model, self._key = url, model, key
        self._clock, self._pause = clock, pause
        self._opener = build_opener(_Stay)

    def answer(self, question: "AgentQuestion", seconds: float) -> AgentAnswer:
        body: dict[str, object] = {"messages": [{"role": "user", "content": question.text}]}
        if self._model:
            body["model"] = self._model
        try:
            said = self._post(json.dumps(body).encode(), seconds)
        except (TimeoutError, Empty):
            return late_answer(seconds)
        try:
            reply = json.loads(said)
            text = reply["choices"][0]["message"]["content"]
        except (ValueError, RecursionError, KeyError, IndexError, TypeError):
            raise AgentError(
                f"{shown(self._url, 200)} did not answer in the form of chat completions: "
                f"{shown(said[:1000].decode(errors='replace'), 200)}"
            ) from None
        told = reply.get("usage")
        usage = usage_of(told) if isinstance(told, Mapping) else NO_USAGE
        found = AgentAnswer(text if isinstance(text, str) else "", usage)
        return shortened(found, len(found.text))

    def _post(self, body: bytes, seconds: float) -> bytes:
        for pause in (*_PAUSES, None):
            try:
                # It may send its headers in drops, or what it says about an error.
                reply = in_time(lambda: self._ask(body, seconds), seconds)
            except TimeoutError:
                raise
            except (URLError, OSError, ValueError, HTTPException) as error:
                if isinstance(getattr(error, "reason", None), TimeoutError):
                    raise TimeoutError from None
                raise self._refusal(shown(getattr(error, "reason", error), 200)) from None
            if reply.status < _REDIRECTION:
                return reply.body
            if reply.status not in _BUSY or pause is None:
                break
            self._pause(pause)
        why = f"status {reply.status}"
        if reply.status < _ERROR:
            raise self._refusal(
                f"{why}, which redirects to {shown(reply.elsewhere or 'nowhere', 200)}.\n"
                "Name the final address as AGENT"
            )
        said = shown(reply.body[:500].decode(errors="replace").strip(), 200)
        raise self._refusal(why + (f', "{said}"' if said else ""))

    def _refusal(self, why: str) -> AgentError:
        return AgentError(f"{shown(self._url, 200)} cannot be asked: {why}.")

    def _ask(self, body: bytes, seconds: float) -> _Reply:
        headers = {"Content-Type": "application/json", "User-Agent": "lineduel"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        deadline = self._clock() + seconds
        try:
            reply = self._opener.open(Request(self._url, body, headers), timeout=seconds)
        except HTTPError as error:
            reply = error
        with reply:
            return _Reply(
                reply.status, self._read(reply, deadline), reply.headers.get("Location") or ""
            )

    def _read(self, reply: Any, deadline: float) -> bytes:
        """A whole reply; TimeoutError for one that comes in drops."""
        found = b""
        while len(found) < _LARGEST_REPLY and (part := reply.read1(_LARGEST_REPLY - len(found))):
            found += part
            if self._clock() > deadline:
                raise TimeoutError
        return found

    def close(self, hasty: bool = False) -> None:
        pass
