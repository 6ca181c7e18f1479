import pytest

from lists.formats.cards import CardIndex
from lists.formats.detect import read, read_file
from lists.formats.parsed import Format, LineKind
from lists.formats.plain_army import army_of

TEXTS = {
    "https://legionhq2.com/list/rebels/1ab0000": Format.LEGION_HQ_LINK,
    " /list/empire/1asdx00ik,,,, \n": Format.LEGION_HQ_LINK,
    "legionhq2.com/list/123456": Format.LEGION_HQ_LINK,
    "https://tabletopadmiral.com/listbuilder/Empire/p03uEMuEMuEMc08": Format.ADMIRAL_LINK,
    "My Tour\n180/600 (1 activation)\nDarth Vader (180)\n - Saber Throw (10)": Format.TOURNAMENT_TEXT,
    "800/800 (9 activations)\nCommanders:\n – General Grievous (175): Tenacity (4) = 206": Format.STANDARD_TEXT,
    "x\n55/600 (1 activation)\n - R2-D2 = 55": Format.STANDARD_TEXT,
    "55/600 (2 activations)\n2× Rebel Troopers (HQ Uplink)": Format.MINIMAL_TEXT,
    "2× Rebel Troopers (HQ Uplink)\n1× Han Solo": Format.MINIMAL_TEXT,
    "1000/1000\n12 Activations\nHan Solo 100 + 13 = 113": Format.ADMIRAL_TEXT,
    "2x Rebel Troopers 40 x 2 = 80": Format.ADMIRAL_TEXT,
    '{"author": "Legion HQ", "units": []}': Format.TTS_JSON,
    '\ufeff\n{"author": "Tabletop Admiral", "units": []}': Format.ADMIRAL_JSON,
    '{"format": "legion-tod-register", "version": 9}': Format.REGISTER_JSON,
    '{"armies": []}': Format.UNKNOWN,
    "Dear diary": Format.UNKNOWN,
    "\x00": Format.UNKNOWN,
}


@pytest.mark.parametrize("text", TEXTS)
def test_the_format_of_a_text(index: CardIndex, text: str):
    assert read(text, index).format is TEXTS[text]


def test_a_link_of_tabletop_admiral_is_known_but_cannot_be_read(index: CardIndex):
    parsed = read("https://tabletopadmiral.com/listbuilder/Galactic%20Republic/p62uEMue8uEM", index)

    assert (parsed.format, parsed.refused) == (
        Format.ADMIRAL_LINK,
        "Links of Tabletop Admiral cannot be read. Export the list there as JSON and paste that.",
    )


STORED = ["https://legionhq.thefifthtrooper.com/list/57604", "http://legion-hq.com/list/5e9f0c1d2b"]


@pytest.mark.parametrize("text", [*STORED, f"Look at <{STORED[0]}>!"])
def test_a_short_link_says_that_it_holds_no_list(index: CardIndex, text: str):
    parsed = read(text, index)

    assert parsed.refused.startswith("This short link does not contain the list.")


def test_two_links_are_a_question(index: CardIndex):
    first, second = "https://legionhq2.com/list/empire/1az0000", "https://legionhq2.com/list/rebels/1ah0000"

    assert [read(f"{first} {other}", index).open for other in (first, second)] == [(), (0,)]
    assert read(f"{first} or {second}?", index).lines[0].candidates == (first, second)


@pytest.mark.parametrize(
    "text",
    [
        "https://legionhq2.com/list/empire/1000:1Cb0000000,\n2az0000,bl",
        "https://legionhq2.com/list/empire/1000:1\nCb0000000,2az0000,bl",
        '{"player": "Bo", "list": "https:\\/\\/legionhq2.com\\/list\\/empire\\/1000:1Cb0000000,2az0000,bl"}',
        "https://legionhq2.com/list/empire/1000:1Cb00\n> 00000,2az0000,bl\nThanks,\nBob",
        "Hi,\n  legionhq2.com/list/empire/1000:1Cb0000000\r\n,2az0000,bl\n",
    ],
)
def test_a_link_that_a_mail_program_broke(index: CardIndex, text: str):
    names = [line.read for line in read(text, index).lines if line.kind in (LineKind.UNIT, LineKind.COMMAND_CARD)]

    assert names == ["Cb", "az", "az", "bl"]


def test_json_that_others_wrap_and_quote(index: CardIndex):
    army = '{"units": [{"name": "AT-ST", "upgrades": []}]}'
    texts = [
        '{"player": "Bo", "data": {"list": ' + army + "}}",
        "> " + army.replace(" [", "\n> ["),
        army.replace('"', "&quot;"),
    ]

    assert [[unit.card for unit in army_of(read(text, index)).units] for text in texts] == [["at-st"]] * 3


@pytest.mark.parametrize(
    ("text", "notes"), [("2az0000,\nThanks,\n12", ["Thanks,", "12"]), ("2az0000,bl\nBob,12", ["Bob,12"])]
)
def test_a_greeting_below_a_link_is_no_part_of_it(index: CardIndex, text: str, notes: list[str]):
    parsed = read(f"https://legionhq2.com/list/empire/{text}", index)

    assert [line.read for line in parsed.lines if line.kind is LineKind.NOTE] == notes


@pytest.mark.parametrize("entry", ['"name": "&quot;Ek&quot;"', '"points": 1e400'])
def test_json_with_a_strange_value_is_read(index: CardIndex, entry: str):
    parsed = read(f'{{"units": [{{"name": "AT-ST"}}], {entry}}}', index)

    assert (parsed.refused, [unit.card for unit in army_of(parsed).units]) == ("", ["at-st"])


@pytest.mark.parametrize("text", ["https://example.org/l/3xyz", "<www.example.org/list?id=3>"])
def test_a_link_to_another_program_says_what_to_do(index: CardIndex, text: str):
    refused = read(text, index).refused

    assert refused == "This link does not contain the list. Open it, then copy the list there as text."


TEXT = "96/1000 (2 activations)\nSpecial Forces:\n - 2× Scout Troopers (48) = 96\n"


@pytest.mark.parametrize(
    "text",
    [
        TEXT + "--\nBob\n",
        TEXT.replace("\n", "<br>"),
        "<p>96/1000 (2 activations)</p><b>Special Forces:</b><ul><li>2&times; Scout Troopers (48) = 96</li></ul>",
    ],
)
def test_a_text_from_a_mail_or_a_web_page(index: CardIndex, text: str):
    parsed = read(text, index)

    assert (parsed.format, parsed.open) == (Format.STANDARD_TEXT, ())
    assert [line.card for line in parsed.lines if line.kind is LineKind.UNIT] == ["scout-troopers"] * 2


@pytest.mark.parametrize(
    "text",
    [
        '{"armyFaction": "empire", "units": [{"name": "Scout Troopers", "upgrades": [],},]}',
        '[{"armyFaction": "empire", "units": [{"name": "Scout Troopers", "upgrades": []}]}]',
        '{"armyFaction": "empire", "units": [{"unitName": "Scout Troopers"}]}',
        "{'armyFaction': 'empire', 'units': [{'name': 'Scout Troopers'}]}",
        "{“listname”: “Rex's 501st”, “armyFaction”: “empire”, “units”: [{“name”: “Scout Troopers”}]}",
        "{armyFaction: 'empire', battleForce: undefined, /* 2026 */ units: [{name: 'Scout Troopers'}]}",
        "{'armyFaction': 'empire', 'battleForce': None, 'units': ['Scout Troopers']}",
        "%7B%22armyFaction%22%3A%20%22empire%22%2C%22units%22%3A%20%5B%22Scout%20Troopers%22%5D%7D",
        r'"{\"armyFaction\": \"empire\", \"units\": [\"Scout Troopers\"]}"',
        r'{"list": "{\"armyFaction\": \"empire\", \"units\": [\"Scout Troopers\"]}"}',
        '{"armyFaction": "empire", "units": ["Scout Troopers"]} {"armyFaction": "empire", "units": ["Scout Troopers"]}',
    ],
)
def test_json_that_a_person_or_another_program_changed(index: CardIndex, text: str):
    parsed = read(text, index)

    assert (parsed.format, parsed.open, parsed.violations) == (Format.TTS_JSON, (), ())
    assert [line.card for line in parsed.lines if line.kind is LineKind.UNIT] == ["scout-troopers"]


@pytest.mark.parametrize("text", ["Ann:\n{a}\nBo:\n{b}\n", "[{a}, {b}]", '{{"lists": [{a}, {b}]}}'])
def test_two_lists_in_json_are_a_question(index: CardIndex, text: str):
    lists = ['{"units": ["Scout Troopers"]}', '{"units": ["Snowtroopers"]}']
    [line] = read(text.format(a=lists[0], b=lists[1]), index).lines

    assert (line.kind, line.candidates) == (LineKind.LINK, tuple(lists))
    assert line.violations == ("This text has 2 lists. Choose one.",)


def test_text_around_json_is_ignored(index: CardIndex):
    parsed = read('Bo, Lions\n```json\n{"units": ["Scout Troopers"]}\n```\nsee you', index)

    ignored = [(line.read, line.violations) for line in parsed.lines if line.kind is LineKind.NOTE]
    assert ignored == [("Bo, Lions", ("Ignored.",)), ("see you", ("Ignored.",))]


def test_a_name_before_points_in_braces_is_text(index: CardIndex):
    parsed = read("{Bo: 800}\n55/600 (2 activations)\n2× Rebel Troopers (HQ Uplink)", index)
    assert (parsed.format, parsed.refused) == (Format.MINIMAL_TEXT, "")


def test_a_file_of_registers_among_other_objects(index: CardIndex):
    file = '{"format": "legion-tod-register", "version": 1, "registers": [{"name": "Bo"}]}'
    assert read(f'{{"a": 1}} {file}', index) == read(file, index)


def test_more_lines_around_json_than_a_list_has(index: CardIndex):
    parsed = read('{"units": []}\n' + "thanks\n" * 501, index)
    assert parsed.refused == "This is too long for a list. Up to 500 lines can be read."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_file_in_any_encoding_that_editors_save(index: CardIndex, encoding: str):
    assert read_file(TEXT.encode(encoding), index) == read(TEXT, index)


def test_a_script_is_no_list(index: CardIndex):
    text = "function onload()\nlistData = {}\nlistData.units[1] = {}\nlistData.units[1].unitName = 'Cad Bane'\nend\n"

    parsed = read(text, index)

    assert parsed.refused.startswith("This list format is unknown.")
