"""The browser's code: its types, its state without a browser, and its QR codes."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from jsonschema import Draft202012Validator
from PIL import Image
from playwright.sync_api import Browser

from generators.page_types import FILE, page_types
from lineduel.web.pages import FOLDER
from support.needed_programs import needed
from support.web_server import Server
from support.web_windows import opened

TESTS = Path(__file__).parent / "page"
OPENAPI = TESTS.parents[1] / "golden" / "openapi.json"
SCHEMAS = TESTS.parents[2] / "docs" / "schemas"
UPDATE = "LINEDUEL_UPDATE_GOLDEN"
HOST = "https://example.org/game/"
ENCODE = """
import { encode } from "./src/lineduel/web/page/qr.js";
console.log(JSON.stringify(JSON.parse(process.argv[1]).map(encode)));
"""


def test_the_types_of_documents_are_up_to_date() -> None:
    """`LINEDUEL_UPDATE_GOLDEN=1` updates them."""
    if os.environ.get(UPDATE):
        FILE.write_text(page_types(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == page_types()


def test_the_http_interface_changes_only_on_purpose(server: Server) -> None:
    """Every path, field and status that programs rely on; `LINEDUEL_UPDATE_GOLDEN=1` updates it."""
    document = server.ask("/api/docs/openapi.json")[1]
    del document["info"]["version"]
    found = f"{json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False)}\n"
    if os.environ.get(UPDATE):
        OPENAPI.write_text(found, encoding="utf-8")
    assert found == OPENAPI.read_text(encoding="utf-8")


def test_the_state_of_a_game_passes_its_own_tests() -> None:
    """Node's own runner runs what is in `tests/web/page`."""
    files = sorted(map(str, TESTS.glob("*.test.js")))
    assert files
    done = subprocess.run([needed("node"), "--test", *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_view_that_these_tests_begin_with_is_one_that_a_server_sends() -> None:
    schema = json.loads((SCHEMAS / "live-view.json").read_text(encoding="utf-8"))
    view = json.loads((TESTS / "live-view.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(view)


def test_what_a_module_exports_is_used_elsewhere() -> None:
    """But for `open`, which the router calls on every page."""
    sources = {path: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.js")}
    tested = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.glob("*.js")) + ENCODE
    unused = [
        f"{path.name}: {name}"
        for path, source in sources.items()
        for name in re.findall(r"^export (?:async )?(?:function|class|const) (\w+)", source, re.M)
        if name != "open"
        and not any(
            re.search(rf"\b{name}\b", other)
            for other in (*(one for at, one in sources.items() if at != path), tested)
        )
    ]
    assert unused == []


def test_codes_of_any_length_are_read_back() -> None:
    """Every size of code, with as many letters as it holds, and one more; and other letters."""
    most = (14, 26, 42, 62, 84, 106, 122, 152, 180, 213)  # bytes in versions 1 to 10 with M
    links = [(HOST + "a1-_" * 60)[: length + more] for length in most for more in (0, 1)]
    links += ["x", f"{HOST}ä→😀#i.{'Zz9' * 9}"]
    too_long = links.pop(-3)
    assert len(too_long) == most[-1] + 1
    grids = encode([*links, too_long])
    assert grids.pop() is None
    sizes = {len(grid) for grid in grids if grid}
    assert sizes == {21 + 4 * version for version in range(10)}
    for link, grid in zip(links, grids, strict=True):
        assert grid is not None
        dark = np.pad(np.array(grid), 4)
        picture = np.where(np.kron(dark, np.ones((4, 4), dtype=bool)), 0, 255).astype(np.uint8)
        assert [one.text for one in zxingcpp.read_barcodes(picture)] == [link]


def encode(texts: list[str]) -> list[list[list[bool]] | None]:
    """The codes of some texts, as the page makes them."""
    done = subprocess.run(
        [needed("node"), "--input-type=module", "--eval", ENCODE, json.dumps(texts)],
        cwd=TESTS.parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[list[list[bool]] | None] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_code_of_an_invitation_is_its_link(
    browser: Browser, server: Server, theme: str, tmp_path: Path
) -> None:
    """As it is on the screen, for a camera, where others can reach the server."""
    with opened(browser, server, color_scheme=theme) as window:
        reachable = ["http://192.0.2.7:8000"]
        window.page.route("**/api/addresses", lambda route: route.fulfill(json=reachable))
        window.begin("Cross Over", "A friend by link")
        picture = tmp_path / "code.png"
        window.find(".invitation .code").screenshot(path=picture)
        link = window.find(".invitation .link").input_value()
        assert link.startswith(reachable[0])
    assert [one.text for one in zxingcpp.read_barcodes(Image.open(picture))] == [link]


def test_without_a_program_tests_are_skipped_but_not_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no chromium here"):
        needed("chromium")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no chromium here"):
        needed("chromium")
