"""Rulebook files: made by questions or from a game, checked all at once, described, remembered."""

import json
import os
import re
import tomllib
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings, strategies as st
from jsonschema import Draft7Validator

import lineduel
from lineduel.documents import rulebook_schema_text, with_reference
from lineduel.errors import NotationError, RulebookError
from lineduel.rulebooks import (
    catalogue,
    find_rulebook,
    own_rulebooks,
    read_rulebook,
    remember_rulebook,
    rulebook_file,
    shipped_rulebooks,
)
from lineduel.rulebooks.catalogue import MOST_OWN
from lineduel.rules import (
    FIELD_MEANINGS,
    OWN_MEETINGS,
    RULE_KEYS,
    RULE_TABLES,
    RULEBOOK_KEYS,
    RULEBOOK_TABLES,
    BoardWords,
    KeyKind,
    Property,
    Rulebook,
    Words,
    apply_variant,
    design_link,
    edited_toml,
    pack_rulebook,
    problems_of,
    rulebook_data,
    rulebook_from_data,
    toml,
    toml_text,
    unpack_rulebook,
    write_rulebook,
)
from lineduel.rules.toml_text import key_lines
from lineduel.rules.words import WORD_MEANINGS
from support.program import Program
from support.strategies import ALL_GAMES, rulebooks
from support.terminal import CTRL_D, Sitting

DOCS = Path(__file__).parents[2] / "docs"
SOUND = (Path(read_rulebook.__code__.co_filename).parent / "cross-over.toml").read_text(
    encoding="utf-8"
)
FIGHTING = (Path(read_rulebook.__code__.co_filename).parent / "flag-chase.toml").read_text(
    encoding="utf-8"
)


# New files


def test_new_asks_questions_and_writes_a_game_that_can_be_played(program: Program) -> None:
    """A person types some answers, presses Enter at others, and mistypes one."""
    with Sitting(program, "new", "my-duel.toml", plain=False) as sitting:
        sitting.answer("Title [My Duel]: ", "Three Steps")
        sitting.answer("Pieces a side, 1 to 8 [2]: ", "nine")
        sitting.see("Type a whole number from 1 to 8.")
        sitting.answer("Pieces a side, 1 to 8 [2]: ", "2")
        sitting.answer("Cells of the track, 5 to 64 [11]: ", "9")
        sitting.answer("0 is staying) [1,2]: ", "1, 2, 3")
        sitting.answer("Number or word [captured]: ", "battle")
        sitting.answer("Number or word [undercut]: ", "cyclic")
        sitting.answer("Numbers to choose from, 2 to 9 [5]: ", "4")
        sitting.see("For 'cyclic' type an odd number.")
        sitting.answer("Numbers to choose from, 2 to 9 [5]: ", "7")
        sitting.answer("Number or word [end]: ", "2")
        assert sitting.end() == 0
    assert "lineduel play my-duel.toml" in sitting.shown
    rulebook = read_rulebook(program.folder / "my-duel.toml")
    rules = rulebook.rules
    assert rulebook.title == "Three Steps"
    assert (len(rules.track), rules.movement.steps) == (9, (1, 2, 3))
    assert (rules.player1.homes, rules.player1.goal) == ((0, 1), (7, 8))
    assert rules.battle is not None
    assert rules.battle.numbers == 7
    assert program("play", "my-duel.toml", typed="1\nquit\n").status == 0
    assert program("validate", "my-duel.toml").status == 0


def test_leaving_the_questions_writes_nothing(program: Program) -> None:
    with Sitting(program, "new", "my-duel.toml", plain=False) as sitting:
        sitting.see("Title")
        sitting.press(CTRL_D)
        assert sitting.end() == 0
    assert "Nothing was written." in sitting.shown
    assert not (program.folder / "my-duel.toml").exists()


def test_new_works_without_a_terminal(program: Program) -> None:
    """The usual answers; the file is commented, names its schema, and is not replaced."""
    done = program("new", "my-duel.toml")
    assert done.status == 0, done.err
    path = program.folder / "my-duel.toml"
    first, *others = path.read_text(encoding="utf-8").splitlines()
    schema = program.folder / first.removeprefix("#:schema ")
    Draft7Validator(json.loads(schema.read_text())).validate(tomllib.loads(path.read_text()))
    assert sum(line.lstrip().startswith("#") for line in others) > 30
    for command in re.findall(r"lineduel (\w+) my-duel.toml", done.out):
        assert program(command, "my-duel.toml", typed="quit\n").status == 0, command
    path.write_text("mine")
    assert program("new", "my-duel.toml").status == 2
    assert path.read_text() == "mine"
    assert program("new", "my-duel.toml", "--force").status == 0
    assert path.read_text() != "mine"


@pytest.mark.parametrize("address", ["flag-chase", "cross-over:no-jump"])
def test_new_from_a_game_has_its_rules_and_words(program: Program, address: str) -> None:
    assert program("new", "mine.toml", "--from", address, "--title", "Mine").status == 0
    made, model = read_rulebook(program.folder / "mine.toml"), find_rulebook(address)
    assert made.title == "Mine"
    assert (made.rules, made.words, made.claims) == (model.rules, model.words, model.claims)


@given(rulebooks())
def test_a_commented_file_reads_as_the_rulebook_it_was_written_from(rulebook: Rulebook) -> None:
    text = write_rulebook(rulebook)
    assert rulebook_from_data(tomllib.loads(text), rulebook.id) == rulebook


@settings(max_examples=30)
@given(rulebooks())
def test_a_rulebook_written_to_a_file_is_found_again(rulebook: Rulebook) -> None:
    """With the id that the file's name gives it."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{rulebook.id}.toml"
        path.write_text(lineduel.write_rulebook(rulebook), encoding="utf-8")
        assert lineduel.find_rulebook(str(path)) == rulebook


def test_the_catalogue_lists_what_the_shipped_rulebooks_say() -> None:
    for entry, rulebook in zip(catalogue(), shipped_rulebooks(), strict=True):
        variants = tuple((variant.name, variant.summary) for variant in rulebook.variants)
        assert entry == (rulebook.id, rulebook.title, rulebook.summary, variants)


@pytest.mark.parametrize("address", ALL_GAMES)
def test_every_game_can_be_written_and_found_again(address: str, tmp_path: Path) -> None:
    """A variant is then a rulebook of its own, which remembers no other."""
    rulebook = replace(find_rulebook(address), id="mine", variant=None)
    path = tmp_path / "mine.toml"
    path.write_text(lineduel.write_rulebook(find_rulebook(address)), encoding="utf-8")
    assert lineduel.find_rulebook(str(path)) == rulebook


@given(st.text(st.characters(exclude_categories=["C"]) | st.just("\n") | st.just('"')))
def test_any_text_survives_being_written(text: str) -> None:
    data = tomllib.loads(SOUND) | {"words": {"player1": text}, "summary": text}
    rulebook = rulebook_from_data(data, "any")
    assert rulebook_from_data(tomllib.loads(write_rulebook(rulebook)), "any") == rulebook


@pytest.mark.parametrize("text", [SOUND, FIGHTING], ids=["cross-over", "flag-chase"])
def test_variants_and_errata_survive_too(text: str) -> None:
    rulebook = rulebook_from_data(tomllib.loads(text), "it")
    assert rulebook.variants
    assert rulebook.errata
    assert rulebook_from_data(tomllib.loads(write_rulebook(rulebook)), "it") == rulebook


_WRITABLE = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
"""Half of a character is in no file."""
_VALUES = st.recursive(
    _WRITABLE | st.integers() | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WRITABLE, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40)
@given(st.dictionaries(_WRITABLE, _VALUES), st.sampled_from([SOUND, FIGHTING, "", "x = ["]))
def test_any_data_survives_as_plain_text(data: dict[str, Any], text: str) -> None:
    """Whether it makes a rulebook or not, and whatever the text was before."""
    assert tomllib.loads(toml_text(data)) == data
    assert tomllib.loads(edited_toml(text, data)) == data


def test_comments_stay_when_single_values_change() -> None:
    """A value, a key more, a key less, a table more and a table less."""
    text = """\
# My own game
title = "A # B"  # its name

# The board
[track]
first = 1   # left
last = 7

# How to fight
[battle]
numbers = 5

[words]
turn = \"""
Go,
{player}!\"""
prompt = "?" # short
passed = ""
"""
    data = tomllib.loads(text)
    data["title"] = "B # C"
    data["track"]["first"] = 0
    data["words"]["moved"] = "Gone."
    del data["words"]["passed"], data["battle"]
    data["move"] = {"steps": [1, 2]}
    assert (
        edited_toml(text, data)
        == """\
# My own game
title = "B # C"  # its name

# The board
[track]
first = 0   # left
last = 7

# How to fight

[words]
moved = "Gone."
turn = \"""
Go,
{player}!\"""
prompt = "?" # short

[move]
steps = [1, 2]
"""
    )


# Links


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_link_holds_a_whole_rulebook(text: str) -> None:
    link = design_link(text, "http://localhost:8000/")
    start, _, packed = link.partition("#")
    assert start == "http://localhost:8000/design"
    assert re.fullmatch(r"[\w-]*", packed, re.ASCII)
    assert unpack_rulebook(packed, len(text.encode())) == text


@given(st.text() | st.from_regex(r"[\w-]*", fullmatch=True))
def test_a_link_that_is_damaged_is_refused_in_words(packed: str) -> None:
    with suppress(NotationError):
        assert len(unpack_rulebook(packed, 1000).encode()) <= 1000


def test_a_link_that_unpacks_to_too_much_is_refused_early() -> None:
    packed = pack_rulebook("x" * (1 << 24))
    with pytest.raises(NotationError, match="more than 1,000 bytes"):
        unpack_rulebook(packed, 1000)


# Everything that is wrong

MISTAKES = {
    "a wrong type": (SOUND, 'title = "Cross Over"', "title = 5", "title"),
    "an unknown key": (SOUND, "summary =", "sumary =", "sumary"),
    "no track": (SOUND, "[track]\nfirst = 0\nlast = 10\n", "\n\n\n", "track"),
    "no end": (SOUND, "last = 10", "", "track.last"),
    "a track too long": (SOUND, "last = 10", "last = 100", "track"),
    "a label out of range": (SOUND, "last = 10", "last = 100000", "track.last"),
    "a piece off the track": (SOUND, "P1-B = 1", "P1-B = 77", "player1.pieces"),
    "a bad name": (SOUND, "P1-B", '"P1 B"', "player1.pieces"),
    "the same name": (SOUND, "P2-B", "P1-B", "player2.pieces"),
    "no pieces": (SOUND, "pieces = { P1-A = 0, P1-B = 1, P1-C = 2 }", "", "player1.pieces"),
    "a goal off the track": (SOUND, "goal = [0, 1, 2]", "goal = [0, 1, -2]", "player2.goal"),
    "a home in the goal": (SOUND, "P1-A = 0", "P1-A = 8", "player1.pieces"),
    "both on one cell": (SOUND, "P1-A = 0", "P1-A = 7", None),
    "a step too long": (SOUND, "steps = [1, 2]", "steps = [1, 99]", "move.steps"),
    "no steps": (SOUND, "steps = [1, 2]", "", "move.steps"),
    "an unknown word": (SOUND, '"illegal"', '"wrap"', "move.edge"),
    "no flag": (SOUND, "jump = true", 'jump = "yes"', "move.jump"),
    "an unknown meeting": (SOUND, 'enemy = "captured"', 'enemy = "eaten"', "meet.enemy"),
    "no battle": (SOUND, 'enemy = "captured"', 'enemy = "battle"', "battle"),
    "a battle too many": (FIGHTING, 'enemy = "battle"', 'enemy = "wins"', "battle"),
    "an unknown meeting with a battle": (FIGHTING, '"battle"', '"fight"', "meet.enemy"),
    "too many numbers": (FIGHTING, "numbers = 5", "numbers = 50", "battle.numbers"),
    "an unknown field": (SOUND, "{player}'s Turn:", "{who}'s Turn:", "words.turn"),
    "a claim without words": (SOUND, 'says = "It ends quickly."\n', "\n", "claims[3].says"),
    "an unknown property": (SOUND, '"skill wins"', '"fun"', "claims[4].property"),
    "a variant's rule": (SOUND, "jump = false", 'jump = "no"', "variants.no-jump.move.jump"),
    "a variant without a reason": (SOUND, 'why = "Turns', 'wye = "Turns', None),
}
"""What is changed in a file, and the key that is then wrong."""


def changed(name: str) -> tuple[str, str | None, int]:
    """The text with a mistake, the key, and the line of what was changed."""
    text, old, new, key = MISTAKES[name]
    assert old in text
    return text.replace(old, new, 1), key, text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize("name", MISTAKES)
def test_a_single_mistake_is_told_once_and_alone(name: str) -> None:
    """Nothing else is complained about because of it, and its line is that of the mistake."""
    text, key, line = changed(name)
    found = problems_of(text)
    if key is None:
        assert {one.line for one in found} <= {line, line - 2, line + 1}
        return
    (problem,) = found
    assert problem.key == key
    if name == "no track":  # then there is no line to name
        assert problem.line == 1
    else:
        assert problem.line is not None
        assert abs(problem.line - line) <= 3


@pytest.mark.parametrize(
    ("text", "changes", "key"),
    [
        (
            SOUND,
            {"last = 10": "last = 100000", "goal = [8, 9, 10]": "goal = [8, 70]"},
            "track.last",
        ),
        (FIGHTING, {'"battle"': '"fight"', "{ P2 = 5 }": "{ P2 = 1 }", "[1]": "[3]"}, "meet.enemy"),
    ],
    ids=["a goal on a track that is not known", "a start where it is not known who may meet"],
)
def test_what_depends_on_a_mistake_is_not_judged(
    text: str, changes: dict[str, str], key: str
) -> None:
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new, 1)
    assert [one.key for one in problems_of(text)] == [key]


def test_the_lines_are_those_of_the_keys() -> None:
    for name in ("a piece off the track", "an unknown word", "an unknown property", "no flag"):
        text, _, line = changed(name)
        assert problems_of(text)[0].line == line, name


ALONE = [
    name
    for name, (text, _, _, key) in MISTAKES.items()
    if text is SOUND and key is not None and name not in ("a battle too many",)
]


@given(st.lists(st.sampled_from(ALONE), min_size=2, max_size=6, unique=True))
def test_several_mistakes_are_all_told(names: list[str]) -> None:
    """Whatever else is wrong, a mistake in another table is told as well."""
    text, wanted, touched = SOUND, set[str](), set[str]()
    for name in names:
        _, old, new, key = MISTAKES[name]
        assert key is not None
        about = key.split(".")[0]
        tangled = {"track", "player1", "player2", "meet", "battle"}
        if old not in text or about in touched or (about in tangled and touched & tangled):
            continue
        if about == "variants" and touched & (tangled | {"move"}):
            continue
        if "variants" in touched and about in tangled | {"move"}:
            continue
        text, touched = text.replace(old, new, 1), touched | {about}
        wanted.add(key)
    assert {one.key for one in problems_of(text)} == wanted


@given(rulebooks())
def test_what_can_be_played_has_no_problem(rulebook: Rulebook) -> None:
    assert problems_of(write_rulebook(rulebook)) == ()


@given(st.data())
def test_what_has_a_problem_cannot_be_played(data: st.DataObject) -> None:
    """Any value in place of any rule: there are problems exactly when reading refuses the file."""
    table = data.draw(st.sampled_from(RULE_TABLES[:-1]))
    document: dict[str, Any] = tomllib.loads(SOUND)
    key = data.draw(st.sampled_from(sorted(document[table])))
    document[table][key] = data.draw(
        st.one_of(
            st.integers(-20, 20),
            st.text("ab ", max_size=3),
            st.booleans(),
            st.lists(st.integers(-3, 12), max_size=4),
            st.dictionaries(st.sampled_from(["A", "B", "P2-A"]), st.integers(-3, 12), max_size=3),
        )
    )
    text = tomli_w.dumps(document)
    refused = False
    try:
        rulebook_from_data(tomllib.loads(text), "x")
    except RulebookError:
        refused = True
    assert bool(problems_of(text)) is refused


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('title = "Tug', "a text without a quotation mark at its end"),
        ("title = Tug", "a value that is neither a number nor a text in quotation marks"),
    ],
)
def test_a_missing_quotation_mark_is_told_in_words(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "tug.toml"
    path.write_text(f"{text}\nsummary = ''\n")
    assert [(one.line, one.holds) for one in problems_of(path.read_text())] == [(1, told)]
    with pytest.raises(RulebookError, match=f"{told} .at line 1"):
        read_rulebook(path)


@pytest.mark.parametrize(("text", "line"), [('"" = 0\n', 1), ('[track]\nlast = 1\n"" = 1\n', 3)])
def test_a_key_without_a_name_is_told(text: str, line: int) -> None:
    """TOML allows it, a rulebook does not."""
    told = [one.line for one in problems_of(text) if one.holds == "unknown key"]
    assert told == [line]


def test_validate_prints_every_problem_with_its_line(program: Program) -> None:
    text = SOUND.replace("summary =", "sumary =", 1).replace("[1, 2]", "[1, 99]", 1)
    text = text.replace("jump = true", "jump = 3").replace('"skill wins"', '"fun"')
    (program.folder / "bad.toml").write_text(text)
    done = program("validate", "bad.toml")
    assert done.status == 1
    places = re.findall(r"^bad\.toml:(\d+): ([\w.\[\]]+): ", done.out, re.MULTILINE)
    assert [key for _, key in places] == ["sumary", "move.steps", "move.jump", "claims[4].property"]
    for line, key in places:
        assert key.rpartition(".")[2] in text.splitlines()[int(line) - 1]
    assert "Did you mean summary?" in done.out
    assert "4 problems." in done.out
    document = json.loads(program("validate", "bad.toml", "--json").out)
    assert [(str(one["line"]), one["key"]) for one in document["problems"]] == places
    assert not document["valid"]


def test_what_is_wrong_is_quoted_as_it_is_written() -> None:
    """Not what is left of it after the mistakes before; and each mistake is told once."""
    wrong = SOUND.replace("steps = [1, 2]", "steps = [1, 2, 2, 1.5]", 1)
    assert {one.holds for one in problems_of(wrong)} == {"[1, 2, 2, 1.5]"}
    listed = "pieces = { P1-A = 0, P1-B = 1, P1-C = 2 }"
    assert listed in SOUND
    (only,) = problems_of(SOUND.replace(listed, 'pieces = ["A", "B"]', 1))
    assert (only.key, only.holds) == ("player1.pieces", '["A", "B"]')


def test_validate_says_what_to_do_next(program: Program) -> None:
    tokens = rulebook_file("ctf-tokens").read_text(encoding="utf-8")
    (program.folder / "my duel.toml").write_text(tokens)
    done = program("validate", "my duel.toml")
    assert done.status == 0
    assert "all checks passed" in done.out
    assert "lineduel play 'my duel.toml'" in done.out
    assert json.loads(program("validate", "my duel.toml", "--json").out)["valid"]


def test_what_is_not_toml_is_told_with_its_line(program: Program) -> None:
    (program.folder / "bad.toml").write_text(SOUND.replace("last = 10", "last 10"))
    done = program("validate", "bad.toml")
    assert done.status == 1
    assert done.out.startswith("bad.toml:6: not TOML: ")
    assert program("validate", "nothing.toml").status == 2
    assert program("validate").status == 2


@pytest.mark.parametrize("text", [SOUND, FIGHTING], ids=["cross-over", "flag-chase"])
def test_every_key_has_the_line_it_stands_on(text: str) -> None:
    """A line that is found for a key has that key, or the table, in it."""
    lines = text.splitlines()
    for path, line in key_lines(text).items():
        name = re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]
        assert name in lines[line - 1], (path, line)


def test_lines_of_what_is_hard_to_read() -> None:
    text = """\
"a.b".c = 1 # [no]
x = [ # first
  1,
  { y = "]" },
]
'q' = '''
[not.a.table]
'''
t = { u = { v = 1 }, w = [] }
[[list]]
k = 1
[list.inner]
z = 2
[[list]]
k = 3
"""
    lines = key_lines(text)
    assert lines["x[2].y"] == 4
    assert lines["t.u.v"] == lines["t.w"] == 9
    assert (lines["list[1].k"], lines["list[1].inner.z"], lines["list[2].k"]) == (11, 13, 15)
    assert "not.a.table" not in lines


# What is described


def test_every_key_word_field_and_property_is_described() -> None:
    """And nothing that there is not."""
    for key in RULEBOOK_KEYS.values():
        assert key.meaning, key.path
        assert bool(key.words) is (key.kind is KeyKind.WORD), key.path
        if key.words:
            every = OWN_MEETINGS if key.path == "meet.own" else type(next(iter(key.words)))
            assert set(key.words) == set(every), key.path
            assert all(key.words.values()), key.path
    words = {f"words.{one.name}" for one in fields(Words)} - {"words.board"}
    words |= {f"words.board.{one.name}" for one in fields(BoardWords)}
    assert {path for path in RULEBOOK_KEYS if path.startswith("words.")} == words
    assert {f"words.{name}" for name in WORD_MEANINGS} == words
    used = {name for key in RULEBOOK_KEYS.values() for name in key.fields}
    assert set(FIELD_MEANINGS) == used
    assert set(RULEBOOK_KEYS["claims.property"].words) == set(Property)
    tables = {"", *RULE_TABLES, "words", "words.board", "claims", "errata", "variants"}
    assert set(RULEBOOK_TABLES) == tables
    assert all(table.meaning for name, table in RULEBOOK_TABLES.items() if name)
    data = rulebook_data(rulebook_from_data(tomllib.loads(SOUND), "it"))
    for name in ("claims", "errata", "variants"):
        entries = data[name]
        several = entries.values() if isinstance(entries, dict) else entries
        for key in RULEBOOK_TABLES[name].keys:
            assert any(key.name in entry for entry in several), key.path
    assert all(key.name in data for key in RULEBOOK_TABLES[""].keys)


@pytest.mark.parametrize("key", [path for path, key in RULE_KEYS.items() if key.words])
def test_the_words_of_a_key_are_those_that_are_read(key: str) -> None:
    document: dict[str, Any] = tomllib.loads(FIGHTING)
    table, name = key.split(".")
    document[table][name] = "nonsense"
    (problem,) = problems_of(tomli_w.dumps(document))
    assert re.findall(r'"([^"]+)"', problem.allowed) == [
        str(word) for word in RULEBOOK_KEYS[key].words
    ]


def test_the_schema_takes_what_is_read_and_refuses_what_is_not(program: Program) -> None:
    schema = json.loads(rulebook_schema_text())
    Draft7Validator.check_schema(schema)
    assert program("validate", "--schema").out == rulebook_schema_text()
    validator = Draft7Validator(schema)
    for text in (SOUND, FIGHTING):
        validator.validate(tomllib.loads(text))
    for name in ("a wrong type", "an unknown key", "no track", "no steps", "an unknown word"):
        assert not validator.is_valid(tomllib.loads(changed(name)[0])), name

    def described(part: Any) -> None:
        for key, one in part.get("properties", {}).items():
            assert one.get("description"), key
            described(one)

    described(schema)


def test_the_page_has_every_key() -> None:
    """`LINEDUEL_UPDATE_GOLDEN=1 pytest tests/documents/test_json_documents.py` writes it again."""
    page = (DOCS / "rulebooks.md").read_text(encoding="utf-8")
    assert page == with_reference(page)
    for key in (*WORD_MEANINGS, *map(str, Property), *(one.name for one in RULE_KEYS.values())):
        assert f"`{key}`" in page, key


# What is remembered


def test_rulebooks_that_were_made_or_played_are_listed(program: Program) -> None:
    """Checking or auditing a file is no reason to list it."""
    assert "Your rulebooks" not in program("games").out
    program("new", "made.toml")
    for name in ("checked.toml", "played.toml"):
        (program.folder / name).write_text(SOUND.replace("Cross Over", name[:-5].title()))
    program("validate", "checked.toml")
    program("audit", "checked.toml")
    program("play", "played.toml", typed="quit\n")
    program("play", "cross-over", typed="quit\n")
    listed = program("games").out.partition("Your rulebooks:\n")[2]
    assert re.findall(r"(\w+)\.toml$", listed, re.MULTILINE) == ["played", "made"]
    assert "Played: Slip into" in listed
    menu = program("--plain", typed="quit\n").out
    assert re.findall(r"^([67])\. (\w+)$", menu, re.MULTILINE) == [
        ("6", "Played"),
        ("7", "Made"),
    ]
    own = [one for one in json.loads(program("games", "--json").out) if one["own"]]
    assert [Path(one["game"]).stem for one in own] == ["played", "made"]
    (program.folder / "played.toml").write_text("broken")
    assert re.findall(r"(\w+)\.toml$", program("games").out, re.MULTILINE) == ["made"]


def test_so_many_are_remembered_and_each_once(tmp_path: Path) -> None:
    for number in (*range(MOST_OWN + 5), 3):
        path = tmp_path / f"game{number}.toml"
        path.write_text(SOUND)
        remember_rulebook(str(path))
    known = [Path(one.address).stem for one in own_rulebooks()]
    assert known[0] == "game3"
    assert len(known) == len(set(known)) == MOST_OWN


def test_a_damaged_list_is_as_good_as_none(tmp_path: Path) -> None:
    store = Path(os.environ["LINEDUEL_DATA"]) / "rulebooks.json"
    store.parent.mkdir(parents=True, exist_ok=True)
    for damage in ("{", "[[[", '{"a": 1}', "[3, null]"):
        store.write_text(damage)
        assert own_rulebooks() == ()
    path = tmp_path / "game.toml"
    path.write_text(SOUND)
    remember_rulebook(str(path))
    assert [one.address for one in own_rulebooks()] == [str(path.resolve())]


def test_reading_takes_time_in_proportion_to_the_variants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each variant is read once, not once more for every other; an author's claims stay."""
    data = rulebook_data(find_rulebook("cross-over"))
    variant = data["variants"]["no-jump"]
    data["variants"] = {f"v{number}": variant for number in range(50)}
    counted: list[str] = []
    read = toml._variants

    def count(table: Any) -> Any:
        counted.extend(table.names())
        return read(table)

    monkeypatch.setattr(toml, "_variants", count)
    rulebook = rulebook_from_data(data, "own")
    assert counted == list(data["variants"])
    changed = apply_variant(rulebook, "v49")
    assert (changed.claims, changed.variants) == (rulebook.claims, rulebook.variants)
