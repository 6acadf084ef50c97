"""Shows the Python sessions in docstrings as code: an extension of Griffe, which reads the code."""

import re
from typing import Any

from griffe import Extension, Object

_SESSION = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class DocstringSessions(Extension):
    """Puts a fence around each session, as the pages have it."""

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced_sessions(obj.docstring.value)


def fenced_sessions(text: str) -> str:
    """The text of a docstring with its sessions as blocks of code."""
    return _SESSION.sub(lambda found: f"```pycon\n{found[0].rstrip()}\n```", text)
