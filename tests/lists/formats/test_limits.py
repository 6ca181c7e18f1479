"""Whatever is pasted, a sentence comes back, and soon."""

import json
import time

import pytest
from hypothesis import given, settings, strategies as st

from lists.formats import legion_hq_link, list_text, register_json, tts_json
from lists.formats.cards import CardIndex
from lists.formats.detect import read, read_file
from lists.formats.limits import MAX_ENTRIES, number_value, shown, text_value
from lists.formats.parsed import LineKind, Parsed
from tests.lists.formats.strategies import INDEX
from tests.thoroughness import examples

HEAD = '{"units": ['
REGISTER = '{"format": "legion-tod-register", "version": 1, "registers": '


TOO_LARGE = "This is too large for a list. Up to 1 MB can be read."
TOO_MANY_LINES = "This is too long for a list. Up to 500 lines can be read."
TOO_MANY_UPGRADES = "This unit has more than 20 upgrades. Check the list."
TOO_DEEP = "This JSON is nested too deeply."
NOT_JSON = "This JSON is incomplete or has a mistake. Copy all of it, from the first brace to the last."
NOT_TEXT = "This text contains control characters. Copy the list again as plain text."
EMPTY = "Paste a list or its link."
HOSTILE = {
    "ten megabytes of text": ("x\n" * 5_000_000, TOO_LARGE),
    "ten megabytes of JSON": (HEAD + "1," * 5_000_000 + "1]}", TOO_LARGE),
    "a megabyte of two-byte signs": ("é" * 600_000, TOO_LARGE),
    "501 lines": ("Darth Vader (170)\n" * 501, TOO_MANY_LINES),
    "more entries than a list has": (HEAD + '{"name": "AT-ST"},' * 3_000 + "{}]}", TOO_MANY_LINES),
    "500 lines of 99 copies": ("1/1 (1 activation)\n" + "99× AT-ST (9): X (1) = 99\n" * 400, TOO_MANY_LINES),
    "a unit with a thousand upgrades": (
        json.dumps({"units": [{"name": "AT-ST", "upgrades": ["Jyn Erso"] * 1_000}]}),
        TOO_MANY_UPGRADES,
    ),
    "a unit with a hundred thousand upgrades": (
        json.dumps({"units": [{"name": "AT-ST", "upgrades": ["x"] * 100_000}]}),
        TOO_MANY_UPGRADES,
    ),
    "a hundred thousand names in one text": (
        json.dumps({"format": "legion-tod-register", "version": 1, "registers": [{"strategicAssets": "a," * 400_000}]}),
        TOO_MANY_LINES,
    ),
    "a hundred thousand notes": (json.dumps({"units": [], **{str(n): n for n in range(50_000)}}), TOO_MANY_LINES),
    "lists in lists in lists": (HEAD + "[" * 400_000, TOO_DEEP),
    "objects 50 deep": ('{"units":' * 50 + "1" + "}" * 50, TOO_DEEP),
    "a number of a hundred thousand digits": (f'{{"points": {"9" * 100_000}, "units": []}}', NOT_JSON),
    "not a number": ('{"points": NaN, "units": []}', NOT_JSON),
    "half of JSON": ('{"units": [', NOT_JSON),
    "units twice": ('{"units": [], "units": []}', "This JSON contains the same key twice. Remove one."),
    "an escaped control character": ('{"units": [{"name": "AT\\u0000ST"}]}', NOT_TEXT),
    "an escaped half of a character": ('{"units": [{"name": "\\ud800"}]}', NOT_TEXT),
    "a control character in a key": ('{"units": [], "\\u001b[2J": 1}', NOT_TEXT),
    "a control character": ("List\n100/600 (1 activation)\nAT\x00ST (100)", NOT_TEXT),
    "half of a character": ("List \ud83d\n", NOT_TEXT),
    "a link that never ends": (
        "https://legionhq2.com/list/empire/" + "1at0," * 20_000,
        "This link is too long for a list.",
    ),
    "nothing": ("", EMPTY),
    "only blanks": (" \n\t\n", EMPTY),
    "prose": ("Dear diary,\ntoday we played.", str(list_text.unknown_format())),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_breaks_a_limit_gets_a_sentence(index: CardIndex, name: str):
    text, expected = HOSTILE[name]
    begun = time.process_time()

    parsed = read(text, index)

    assert (parsed.refused, parsed.lines) == (expected, ())
    assert time.process_time() - begun < 8


SLOW = {
    "upgrades that give slots to each other": json.dumps(
        {
            "units": [
                {"name": "AT-ST", "upgrades": [card.name for card in INDEX.upgrades.values() if card.grants_slots][:20]}
            ]
        }
    ),
    "a line of brackets": "1/1 (1 activation)\nAT-ST (1)\n" + "(1" * 280 + "\n" + "- " * 290,
    "500 long lines": "1/1 (1 activation)\n" + ("AT ST 1 + 1 x 1 = " * 33 + "\n") * 499,
    "400 units of ambiguous upgrades": json.dumps(
        {"units": [{"name": "Luke Skywalker", "upgrades": ["Jedi Training"] * 4}] * 399}
    ),
    "100 lines of commas": "1/1 (1 activation)\nAT-ST (1)\n" + ("a, " * 199 + "\n") * 100,
    "500 lines of commas": "1/1 (1 activation)\nAT-ST (1)\n"
    + "\n".join(", ".join(f"{chr(97 + line % 26)}{place}" for place in range(80)) for line in range(497)),
    "lines of brackets that a mail program broke": "1/1 (1 activation)\nAT-ST (1)\n"
    + ("[(" * 35 + "\n") * 20
    + "[(" * 34
    + "[)\nend",
    "lines of blanks before a size": ("a" + "-" * 590 + "a\n") * 400 + "1/1 (1 activation)\nAT-ST (1)",
    "quotes that end no text": '{"units": []} "' + '\\"' * 30_000,
    "an apostrophe that ends no text": "{units: []} {x: '" + "\\'" * 30_000 + "}",
    "comments without an end": "{units: []} {x:" + " /* " * 30_000 + "}",
    "a script with quotes that end no text": 'units = {"' + '\\"' * 30_000 + "}",
    "a script with apostrophes that end no text": "units = {'" + "\\'" * 30_000 + "}",
    "lines of columns far apart": "1/1 (1 activation)\nAT-ST (1)\n" + ("x" + " " * 589 + "x\n") * 200,
    "blanks": "1/1 (1 activation)\nAT-ST (1)\n" + " " * 900_000 + "x",
    "blanks in JSON": '{"units": [' + " " * 900_000 + "]}",
    "dots": "1/1 (1 activation)\nAT-ST (1)\n" + "." * 900_000,
    "names made of many words": json.dumps({"units": [{"name": "the of a droid trooper " * 4}] * 1_000}),
    "commas": json.dumps(
        {"format": "legion-tod-register", "version": 1, "registers": [{"strategicAssets": "a," * 1_900}]}
    ),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_is_hard_to_read_is_read_soon(index: CardIndex, name: str):
    begun = time.process_time()

    parsed = read(SLOW[name], index)

    assert (parsed.refused in ("", NOT_JSON), len(parsed.lines) <= MAX_ENTRIES) == (True, True)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("value", [None, True, 1, -1, 1.5, 1e400, 10**30, "x", [], {}, [[1]], {"a": {}}])
def test_wrong_types_are_lines_or_a_sentence(index: CardIndex, value: object):
    unit = {"name": value, "upgrades": value, "loadout": value, "other": value}
    dossier = {"unitName": "AT-ST", "setbacks": value, "upgrades": value, "experience": value, "unitFaction": value}
    tts = {"listname": value, "points": value, "armyFaction": value, "battleForce": value, "commandCards": value}
    register = {"name": value, "faction": value, "storyArc": value, "agendas": value, "reputation": value}
    texts = [
        {**tts, "units": value, "battlefieldDeck": value},
        {
            **tts,
            "units": [value, unit, {**unit, "name": "AT-ST"}],
            "battlefieldDeck": {"scenario": value, "objective": value},
        },
        {"format": "legion-tod-register", "version": value, "registers": [register]},
        {"format": "legion-tod-register", "version": 1, "registers": value},
        {"format": "legion-tod-register", "version": 1, "registers": [value, {**register, "dossiers": value}]},
        {"format": "legion-tod-register", "version": 1, "registers": [{**register, "dossiers": [value, dossier]}]},
    ]

    assert [isinstance(read(json.dumps(text), index), Parsed) for text in texts] == [True] * len(texts)


WORDS = st.lists(
    st.sampled_from(
        ["Darth Vader", "Luke Skywalker", "C-3PO", "Stormtroopers", " - ", "– ", "(", ")", "10", "/", " = ", "2× ",
         "x ", ": ", ", ", "--", "•", "Commands:", "Battle Deck", "Objectives:", "Corps:", "Saber Throw (5)", "\n",
         "600/600 (1 activation)\n", "1 Activations\n", "https://", "legionhq2.com", "/list/", "rebels/", "1at",
         "0", "+1"]
    ),
    max_size=40,
).map("".join)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["AT-ST", "C-3PO"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["units", "name", "upgrades", "format", "version", "registers", "dossiers", "agendas", "x"]),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=examples(15, 150), deadline=None)
@given(text=WORDS | VALUES.map(json.dumps) | st.text())
def test_no_text_raises(text: str):
    parsed = [
        read(text, INDEX),
        *(reader.read(text, INDEX) for reader in (legion_hq_link, list_text, tts_json, register_json)),
    ]

    assert all(one.lines == () for one in parsed if one.refused)


def test_a_file_is_text(index: CardIndex):
    files = [b"\xff\xfe{", b"\xef\xbb\xbf" + b'{"units": []}', b"x" * 2_000_000]

    assert [read_file(data, index).refused for data in files] == [
        "This file is not text. Choose a text or JSON file.",
        "",
        TOO_LARGE,
    ]


def test_invisible_signs_are_not_read(index: CardIndex):
    [line] = [
        line for line in read('{"units": [{"name": "AT\u200b-ST\\u202e"}]}', index).lines if line.kind is LineKind.UNIT
    ]

    assert (line.read, line.card) == ("AT-ST", "at-st")


def test_values():
    assert [number_value(value) for value in (7, "7", " 12 ", True, 1.0, -1, 100_001, "1e3", None)] == [
        7, 7, 12, None, None, None, None, None, None,
    ]  # fmt: skip
    assert [text_value(value) for value in (" a\tb ", 3, None)] == ["a b", "", ""]
    assert (shown("a\nb"), len(shown("x" * 1_000))) == ("a b", 200)
