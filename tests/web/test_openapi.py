"""The server is asked everything that its OpenAPI document allows, and what it forbids."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from support.web_server import SECONDS, Server

TOO_LONG, TOO_SLOW = 413, 503
load_all_checks()
CHECKS: list[Any] = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("server"), "--behind-proxy", "127.0.0.1") as started:
        yield started


Operation = APIOperation[Any, Any, Any, Any]


def operations(server: Server) -> Iterator[Operation]:
    """All that can be asked for."""
    schema = schemathesis.openapi.from_url(f"{server.address}/api/docs/openapi.json")
    for found in schema.get_all_operations():
        assert isinstance(found, Ok), found
        yield found.ok()


def ask_about(server: Server, operation: Operation, mode: GenerationMode, times: int) -> None:
    """Ask for one thing in many ways; every answer has to be one that the document promises."""
    address = iter(range(1, 1 << 16))
    created = server.create(game="flag-chase", opponent="here")

    @settings(
        max_examples=times,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(mode))
    def ask(case: Case[Any]) -> None:
        # Each request comes from an address of its own, so that none is too many.
        number = next(address)
        headers = {"X-Forwarded-For": f"10.{number >> 8}.{number & 255}.1"}
        if "id" in case.path_parameters:
            case.path_parameters["id"] = created["id"]
            headers["Authorization"] = f"Bearer {created['seats']['P1']}"
        answer = case.call(headers=headers, timeout=SECONDS)
        # schemathesis does not know that what is too long was refused, too, nor that a very busy
        # machine stops a question in the end; the document has that answer.
        checks = list(CHECKS)
        if answer.status_code == TOO_LONG:
            checks.remove(negative_data_rejection)
        if answer.status_code == TOO_SLOW and "took longer than" in answer.text:
            checks.remove(schemathesis.checks.not_a_server_error)
        case.validate_response(answer, checks=checks)

    ask()


def test_a_few_requests_of_every_kind(server: Server) -> None:
    """What the document allows is answered as it says, what it forbids is refused."""
    for operation in operations(server):
        ask_about(server, operation, GenerationMode.POSITIVE, 3)
        if operation.body:
            ask_about(server, operation, GenerationMode.NEGATIVE, 3)


@pytest.mark.long
def test_many_requests_of_every_kind(server: Server) -> None:
    """As few requests do, and nothing is written to the log of errors."""
    for operation in operations(server):
        ask_about(server, operation, GenerationMode.POSITIVE, 150)
        if operation.body:
            ask_about(server, operation, GenerationMode.NEGATIVE, 150)
    assert "Traceback" not in "".join(server.complained)
