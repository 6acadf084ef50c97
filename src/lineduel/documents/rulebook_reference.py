"""The reference of rulebook files as Markdown, made from the same data as their schema."""

from collections.abc import Iterable, Iterator

from lineduel.rules import (
    FIELD_MEANINGS,
    RULE_TABLES,
    RULEBOOK_KEYS,
    RULEBOOK_TABLES,
    RulebookKey,
    format_value,
)

REFERENCE_BEGIN = "<!-- The part below is made by: python -m lineduel.documents.schemas FOLDER -->"
REFERENCE_END = "<!-- End of that part. -->"


def with_reference(page: str) -> str:
    """A page with the reference between its two marks replaced."""
    before, _, rest = page.partition(REFERENCE_BEGIN)
    after = rest.partition(REFERENCE_END)[2]
    return f"{before}{REFERENCE_BEGIN}\n\n{reference_markdown()}\n{REFERENCE_END}{after}"


def reference_markdown() -> str:
    """Tables of all keys, their allowed words, the fields of texts, and the properties."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    heads = {"": "At the top"} | {name: f"`[{name}]`" for name in RULE_TABLES}
    heads |= {"claims": "`[[claims]]`", "errata": "`[[errata]]`", "variants": "`[variants.NAME]`"}
    for name, head in heads.items():
        yield from _head(head, RULEBOOK_TABLES[name].meaning)
        yield from _table(("key", "meaning", "default"), map(_row, RULEBOOK_TABLES[name].keys))
    yield "The properties of claims:"
    yield ""
    yield from _table(
        ("property", "what is tested"),
        (
            (f"`{word}`", meaning)
            for word, meaning in RULEBOOK_KEYS["claims.property"].words.items()
        ),
    )
    yield from _words()


def _head(head: str, meaning: str) -> Iterator[str]:
    yield f"### {head}"
    yield ""
    if meaning:
        yield meaning
        yield ""


def _words() -> Iterator[str]:
    yield from _head("`[words]`", RULEBOOK_TABLES["words"].meaning)
    rows = [
        (
            f"`{key.path.removeprefix('words.')}`",
            _meaning(key),
            _text(key.default),
            ", ".join(f"`{name}`" for name in key.fields),
        )
        for table in ("words", "words.board")
        for key in RULEBOOK_TABLES[table].keys
    ]
    yield from _table(("key", "meaning", "default", "fields"), rows)
    yield "The fields, as in `{player}`:"
    yield ""
    yield from _table(
        ("field", "what is filled in"),
        ((f"`{name}`", meaning) for name, meaning in FIELD_MEANINGS.items()),
    )


def _row(key: RulebookKey) -> tuple[str, ...]:
    default = "required" if key.is_required else f"`{format_value(key.default)}`"
    return f"`{key.name}`", _meaning(key), "empty" if key.default == "" else default


def _meaning(key: RulebookKey) -> str:
    """The meaning of a key and of its words; those of claims have a table of their own."""
    if not key.words or key.table == "claims":
        return key.meaning
    choices = (f"`{word}`: {said}" for word, said in key.words.items())
    return f"{key.meaning} {'; '.join(choices)}."


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
