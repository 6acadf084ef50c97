"""The reference of rulebook files as Markdown, made from the same data as their schema."""

from collections.abc import Iterable, Iterator

from lineduel.rules import (
    FIELD_MEANINGS,
    KEY_CHOICES,
    OPTIONAL_KEYS,
    OTHER_MEANINGS,
    PROPERTY_MEANINGS,
    REQUIRED,
    RULE_MEANINGS,
    RULE_TABLES,
    TABLE_MEANINGS,
    format_value,
    rule_defaults,
    word_keys,
)

REFERENCE_BEGIN = "<!-- The part below is made by: python -m lineduel.documents.schemas FOLDER -->"
REFERENCE_END = "<!-- End of that part. -->"
_OTHER_HEADS = ("key", "meaning", "default")


def with_reference(page: str) -> str:
    """A page with the reference between its two marks replaced."""
    before, _, rest = page.partition(REFERENCE_BEGIN)
    after = rest.partition(REFERENCE_END)[2]
    return f"{before}{REFERENCE_BEGIN}\n\n{reference_markdown()}\n{REFERENCE_END}{after}"


def reference_markdown() -> str:
    """Tables of all keys, their allowed words, the fields of texts, and the properties."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "### At the top"
    yield ""
    yield from _table(
        _OTHER_HEADS,
        (_other_row(key) for key in ("title", "summary")),
    )
    defaults = rule_defaults()
    for table in RULE_TABLES:
        yield f"### `[{table}]`"
        yield ""
        yield TABLE_MEANINGS[table]
        yield ""
        names = [name for name in RULE_MEANINGS if name.startswith(f"{table}.")]
        rows = [
            (f"`{name.partition('.')[2]}`", _meaning(name), _default(defaults[name]))
            for name in names
        ]
        yield from _table(("key", "meaning", "default"), rows)
    yield from _other_tables()
    yield from _words()


def _other_tables() -> Iterator[str]:
    heads = {"claims": "`[[claims]]`", "errata": "`[[errata]]`", "variants": "`[variants.NAME]`"}
    for table, head in heads.items():
        yield f"### {head}"
        yield ""
        yield TABLE_MEANINGS[table]
        yield ""
        rows = [_other_row(name) for name in OTHER_MEANINGS if name.startswith(f"{table}.")]
        yield from _table(_OTHER_HEADS, rows)
    yield "The properties of claims:"
    yield ""
    yield from _table(
        ("property", "what is tested"),
        ((f"`{about}`", meaning) for about, meaning in PROPERTY_MEANINGS.items()),
    )


def _other_row(name: str) -> tuple[str, ...]:
    default = "empty" if name in OPTIONAL_KEYS else _default(REQUIRED)
    return f"`{name.rpartition('.')[2]}`", OTHER_MEANINGS[name], default


def _words() -> Iterator[str]:
    yield "### `[words]`"
    yield ""
    yield TABLE_MEANINGS["words"]
    yield ""
    rows = [
        (
            f"`{one.key.removeprefix('words.')}`",
            _meaning(one.key, one.meaning),
            _text(one.default),
            ", ".join(f"`{name}`" for name in one.fields),
        )
        for one in word_keys()
    ]
    yield from _table(("key", "meaning", "default", "fields"), rows)
    yield "The fields, as in `{player}`:"
    yield ""
    yield from _table(
        ("field", "what is filled in"),
        ((f"`{name}`", meaning) for name, meaning in FIELD_MEANINGS.items()),
    )


def _meaning(name: str, meaning: str = "") -> str:
    told = meaning or RULE_MEANINGS[name]
    if name in KEY_CHOICES:
        choices = (f"`{word}`: {said}" for word, said in KEY_CHOICES[name].items())
        told = f"{told} {'; '.join(choices)}."
    return told


def _default(value: object) -> str:
    return "required" if value is REQUIRED else f"`{format_value(value)}`"


def _text(value: str) -> str:
    """A default as the text of a table cell."""
    shown = value.replace("\n", "⏎")
    return f"`{shown}`" if shown.strip() == shown and shown else f'`"{shown}"`'


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""
