"""Pages of a browser, used again as if they were new: a new one takes a second of work."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, Page, ViewportSize

from support.program import PATIENCE

_IDLE: WeakKeyDictionary[Browser, defaultdict[str, list[Page]]] = WeakKeyDictionary()
"""Pages by the options of their profiles. A page of a test that failed never comes here."""
_SIZE: ViewportSize = {"width": 1280, "height": 720}
_WITHOUT_SCRIPT = "/page/icon.svg"
"""A file of the server that stores nothing."""


@contextmanager
def clean_page(
    browser: Browser,
    listeners: Mapping[str, Callable[[Any], None]],
    *,
    is_new: bool = False,
    **options: Any,
) -> Iterator[Page]:
    """A page in a profile of its own. Nothing is stored there, but files may be in its cache.

    With `is_new` they are not.
    """
    idle = _IDLE.setdefault(browser, defaultdict(list))[repr(sorted(options.items()))]
    page = idle.pop() if idle and not is_new else browser.new_context(**options).new_page()
    page.context.set_default_timeout(PATIENCE * 1000)
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]
    yield page
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    _clean(page, options)
    idle.append(page)


def _clean(page: Page, options: Mapping[str, Any]) -> None:
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all()
    scheme, _, rest = page.url.partition("://")
    if scheme == "http":
        page.goto(f"{scheme}://{rest.partition('/')[0]}{_WITHOUT_SCRIPT}")
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
    else:
        page.goto("about:blank")
    page.set_viewport_size(options.get("viewport") or _SIZE)
    page.emulate_media(
        color_scheme=options.get("color_scheme") or "light",
        reduced_motion=options.get("reduced_motion") or "no-preference",
    )


@contextmanager
def opened_file(browser: Browser, path: Path) -> Iterator[Page]:
    """A file in the browser that asks for nothing else and says nothing in the console."""
    asked: list[str] = []
    wrong: list[str] = []
    listeners: dict[str, Callable[[Any], None]] = {
        "request": lambda request: asked.append(request.url),
        "console": lambda message: wrong.append(message.text),
        "pageerror": lambda error: wrong.append(str(error)),
    }
    with clean_page(browser, listeners) as shown:
        shown.goto(path.as_uri())
        yield shown
        assert [one for one in asked if not one.startswith("data:")] == [path.as_uri()]
        assert wrong == [], wrong
