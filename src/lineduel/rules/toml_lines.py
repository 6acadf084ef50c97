"""Where each key of a TOML text stands: its line, by the dotted path that errors name it by."""

import re
from collections.abc import Iterator

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:\"((?:[^\"\\\n]|\\.)*)\"|'([^'\n]*)'|([A-Za-z0-9_-]+))[ \t]*")
_TEXTS = (
    re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:[^"\\\n]|\\.)*"'),
    re.compile(r"'[^'\n]*'"),
)
_OTHER = re.compile(r"[^,\]}\n#]*")


def key_lines(text: str) -> dict[str, int]:
    """The line of each table and key of a valid TOML text; `claims[1].says` for lists of tables."""
    return dict(reversed([*_Scanner(text).keys()]))


class _Scanner:
    """Walks over a text that is known to be TOML."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counts: dict[str, int] = {}

    def keys(self) -> Iterator[tuple[str, int]]:
        """Each path with its line, in the order of the text; a table may come again."""
        table = ""
        while self._skip_blank():
            line = self._line()
            if self._takes("[["):
                path = self._path()
                self._counts[path] = self._counts.get(path, 0) + 1
                yield path, line
                table = self._counted(path)
                yield table, line
                self._at += len("]]")
            elif self._takes("["):
                table = self._counted(self._path())
                yield table, line
                self._at += len("]")
            else:
                yield from self._assignment(table)

    def _assignment(self, table: str) -> Iterator[tuple[str, int]]:
        """`key = value`, and the keys of a table in the value."""
        line, before = self._line(), self._at
        path = _joined(table, self._path())
        if self._at == before:  # not TOML after all
            self._at = len(self._text)
            return
        yield path, line
        self._takes("=")
        yield from self._value(path)

    def _value(self, path: str) -> Iterator[tuple[str, int]]:
        self._skip_blank()
        if self._takes("{"):
            while self._skip_blank() and not self._takes("}"):
                yield from self._assignment(path)
                self._skip_blank()
                self._takes(",")
        elif self._takes("["):
            number = 0
            while self._skip_blank() and not self._takes("]"):
                number += 1
                yield f"{path}[{number}]", self._line()
                yield from self._value(f"{path}[{number}]")
                self._skip_blank()
                self._takes(",")
        else:
            self._plain_value()

    def _plain_value(self) -> None:
        for pattern in (*_TEXTS, _OTHER):
            if found := pattern.match(self._text, self._at):
                self._at = found.end()
                return

    def _path(self) -> str:
        """A dotted key; the scanner is left behind it."""
        path = ""
        while found := _KEY.match(self._text, self._at):
            self._at = found.end()
            path = _joined(path, next(one for one in found.groups() if one is not None))
            if not self._takes("."):
                break
        return path

    def _counted(self, path: str) -> str:
        """A table's path with the number of the list's entry that it is in."""
        for known, count in self._counts.items():
            if path == known or path.startswith(f"{known}."):
                return f"{known}[{count}]{path[len(known) :]}"
        return path

    def _skip_blank(self) -> bool:
        """Go to the next word; False at the end of the text."""
        if found := _BLANK.match(self._text, self._at):
            self._at = found.end()
        return self._at < len(self._text)

    def _takes(self, mark: str) -> bool:
        if self._text.startswith(mark, self._at):
            self._at += len(mark)
            return True
        return False

    def _line(self) -> int:
        return self._text.count("\n", 0, self._at) + 1


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key
