import re
from pathlib import Path

import pytest

from lists.formats import detect, list_text
from lists.formats.cards import CardIndex, names_of
from lists.formats.list_text import miscounted, priced
from lists.formats.parsed import LineKind
from lists.formats.plain_army import army_of
from lists.formats.plain_lines import plain_signs
from tests.thoroughness import NIGHTLY


def test_names_with_their_points():
    text = "The Darksaber (Maul) (0), Saber Throw (10)/Force Push (10), over"

    assert priced(text) == ([("The Darksaber (Maul)", 0), ("Saber Throw", 10), ("Force Push", 10)], "over")


@pytest.mark.parametrize(
    ("claimed", "units", "sentence"),
    [
        (1, 2, "The list says 1 activation, but 2 units were found."),
        (2, 1, "The list says 2 activations, but 1 unit was found."),
        (2, 0, "The list says 2 activations, but 0 units were found."),
    ],
)
def test_another_number_of_units_than_claimed(claimed: int, units: int, sentence: str):
    assert miscounted(claimed, units) == sentence


HEAD = "Ashen Patrol\n266/800 (3 activations)\n"
OFFICER, SNOW = ("imperial-officer-ruthless-efficiency", ("academy-trained",)), ("snowtroopers", ("flametrooper",))


@pytest.mark.parametrize(
    "lines",
    [
        "Imperial Officer (Academy Trained)\nSnowtroopers (Flametrooper) x2",
        "🟢 Imperial Officer (Academy Trained)\n2️⃣ × Snowtroopers (Flametrooper)",
        "Imperial Officer （Academy Trained）\n２x Snowtroopers （Flametrooper）",
        "60 Imperial Officer (Academy Trained)\n140 2x Snowtroopers (Flametrooper)",
        "Imperial Officer with Academy Trained\n2x Snowtroopers w/ Flametrooper",
        "Imperial Officer\n    Academy Trained\n2x Snowtroopers\n    Flametrooper",
        "Imperial Officer\n└ Academy Trained\n2x Snowtroopers\n└ Flametrooper",
        "Imperial Officer\n    [Command] Academy Trained (10)\n2x Snowtroopers\n    [Heavy Weapon] Flametrooper (24)",
        "Activations: 3\nImperial Officer (Academy Trained)\n2x Snowtroopers (Flametrooper)\nTotal: 206 points",
        "Imperial Officer (Academy Trained)\n2x Snowtroopers (Flametrooper)\nMade with Legion HQ: https://legionhq2.com",
        "=== COMMANDER ===\nImperial Officer (Academy Trained)\n=== CORPS ===\n2x Snowtroopers (Flametrooper)",
        "1. Imperial Officer\n1.1 Academy Trained\n2. 2x Snowtroopers\n2.1 Flametrooper",
        "I. Imperial Officer, Academy Trained\nII. 2x Snowtroopers, Flametrooper",
        "🟢 Imperial Officer ➕ Academy Trained\n2x Snowtroopers ➕ Flametrooper",
        "Imperial Officer\nDoctrine = Academy Trained\n2x Snowtroopers\nHeavy weapon = Flametrooper\nPersonnel: none",
        "Imperial Officer (Academy Trained)\n2x Snowtroopers\n - ~~T-7 Ion Trooper~~ Flametrooper\n~~Stormtroopers~~",
        "Imperial Officer (Academy Trained)\n2x Snowtroopers\n - <del>T-7 Ion Snowtrooper</del> Flametrooper",
        ">!Imperial Officer (Academy Trained)!<\n>!2x Snowtroopers (Flametrooper)!<",
        "Imperial Officer (Academy Trained)\n2x Snowtroopers (Flametrooper)\n\nBo",
        "Imperial Officer (Academy Trained)\n2x Snowtroopers (Flametrooper)\nThanks, see you\nLuke",
        "Imperial Officer (Academy Trained)\n2x Snowtroopers (Flametrooper)\nBo — Today at 10:13 AM\nnice",
        "Imperial Officer,60,1,Academy Trained\nSnowtroopers,42,2,Flametrooper",
        "Imperial Officer (65)          Snowtroopers (62) x2\n- Academy Trained (10)         - Flametrooper (20)",
    ],
)
def test_ways_to_type_the_same_units(index: CardIndex, lines: str):
    parsed = list_text.read(HEAD + lines, index)
    assert [line.read for line in parsed.lines if line.open] == []
    assert [(unit.card, unit.upgrades) for unit in army_of(parsed).units] == [OFFICER, SNOW, SNOW]


FORMS = ("{}", "- {}", "{} (105)", "{} = 105", "2x {}", "2 {}", "2x {} (210)", "2x {} = 210")


@pytest.mark.parametrize("form", FORMS)
def test_no_unit_is_split_at_a_comma_of_its_name(index: CardIndex, form: str):
    """The gate reads each name in one of the forms, the nightly run in all of them."""
    names = sorted({name for unit in index.units.values() for name in names_of(unit) if "," in name})
    for name in names if NIGHTLY else names[FORMS.index(form) :: len(FORMS)]:
        parsed = list_text.read(HEAD + form.format(name) + "\n - Frag Grenades\nSnowtroopers", index)
        units = [place for place, line in enumerate(parsed.lines) if line.kind is LineKind.UNIT]
        upgrades = [line.of for line in parsed.lines if line.kind is LineKind.UPGRADE]
        assert (name, upgrades, len(units)) == (name, units[:-1], 3 if form.startswith("2") else 2)
    assert len(names) > 50


STORM, DLT = ("stormtroopers", "imperial-officer"), "dlt-19-stormtrooper"


@pytest.mark.parametrize(
    ("line", "units"),
    [
        ("Stormtroopers - Imperial Officer = 61", [STORM]),
        ("Stormtroopers - Imperial Officer, DLT-19 Stormtrooper = 70", [(*STORM, DLT)]),
        ("Stormtroopers - Imperial Officer (17), DLT-19 Stormtrooper (18) = 79", [(*STORM, DLT)]),
        ("2x Stormtroopers - Imperial Officer, DLT-19 Stormtrooper", [(*STORM, DLT)] * 2),
        ("Stormtrooper - Imperial Officer = 59", [STORM]),
        ("2x Stormtrooper - Imperial Officer, DLT-19 Stormtrooper", [(*STORM, DLT)] * 2),
        ("Stormtrooper - DLT-19 Stormtrooper (18)", [("stormtroopers", DLT)]),
        ("Clone Trooper Infantry - Clone Captain Rex = 80", [("clone-trooper-infantry", "clone-captain-rex")]),
        (
            "Pyke Syndicate Foot Soldiers - Pyke Syndicate Capo",
            [("pyke-syndicate-foot-soldiers", "pyke-syndicate-capo")],
        ),
    ],
)
def test_upgrades_behind_a_dash_are_no_unit(index: CardIndex, line: str, units: list[tuple[str, ...]]):
    found = army_of(list_text.read(HEAD + line, index)).units
    assert [(unit.card, *unit.upgrades) for unit in found] == units


@pytest.mark.parametrize(
    "line",
    [
        "Imperial Officer, Stormtroopers, Imperial Officer, DLT-19 Stormtrooper, Snowtroopers, Flametrooper",
        "Imperial Officer, Stormtroopers with Imperial Officer & DLT-19 Stormtrooper, Snowtroopers with Flametrooper",
    ],
)
def test_a_unit_of_one_line_that_is_an_upgrade_too(index: CardIndex, line: str):
    found = army_of(list_text.read(HEAD + line, index)).units
    assert [(unit.card, *unit.upgrades) for unit in found] == [
        (OFFICER[0],), ("stormtroopers", "imperial-officer", DLT), ("snowtroopers", "flametrooper"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Snows", [("Snows", "snowtroopers")]),
        ("0 Snows", [("0 Snows", "snowtroopers")]),
        ("Vader 101", [("Vader (101)", "darth-vader-dark-lord-of-the-sith")]),
        ("Storms", [("Storms", "stormtroopers")]),
        ("2x Snows (Flametrooper)", [("2x Snows (Flametrooper)", "snowtroopers")]),
        ("B1s x2", [("B1s x2", "b1-battle-droids")]),
        ("Vader, Chewie, Mark 2 blaster", [
            ("Vader", "darth-vader-dark-lord-of-the-sith"), ("Chewie", "chewbacca-walking-carpet"),
            ("Mark 2 blaster", "mark-ii-medium-blaster-trooper"),
        ]),
    ],
)  # fmt: skip
def test_short_names_are_asked_for(index: CardIndex, text: str, asked: list[tuple[str, str]]):
    parsed = detect.read(text, index)
    lines = [parsed.lines[place] for place in parsed.open if parsed.lines[place].kind is LineKind.UNIT]
    assert [(line.read, card) for line, (_, card) in zip(lines, asked, strict=True) if card in line.candidates] == asked


PRICED = "Imperial Officer (65): Academy Trained (10) = 65\n2x Snowtroopers (42): Flametrooper (20) = 124"


@pytest.mark.parametrize(
    ("pattern", "form"),
    [
        (r"\((\d+)\)", each)
        for each in (
            r"(\1 Pkt.)",
            r"(\1p)",
            r"[\1 pkt]",
            r"(+\1)",
            r"(\1 puntos)",
            r"- \1pts",
            r"\1",
            r"\1 Punkte",
            r": \1",
        )
    ]
    + [
        ("0", "O"),
        (r"(?m)$", ";"),
        (r"(?m)$", "."),
        (r"(?m)^", "-- "),
        ("2x", "(2)"),
        ("Snowt", "Snow t"),
        ("Flamet", "Flame t"),
        ("ooper", "0oper"),
        ("(?m)^", "> "),
    ],
)
def test_ways_to_write_points_and_ends_of_lines(index: CardIndex, pattern: str, form: str):
    parsed = list_text.read(HEAD + re.sub(pattern, form, PRICED), index)
    assert [line.read for line in parsed.lines if line.open] == []
    assert [(unit.card, unit.upgrades) for unit in army_of(parsed).units] == [OFFICER, SNOW, SNOW]


@pytest.mark.parametrize(
    "lines",
    [
        "Cheers,\nAnna", "My plan is to rush with Vader.", "https://legionhq2.com/list/57604", "[/spoiler]",
        "Sent from my phone", "3 activations, 189/1000 points", "Gesamt: 189 Punkte, 3 Aktivierungen",
        "Player: Anna\nTeam: Lions",
    ],
)  # fmt: skip
def test_text_below_the_command_cards_is_ignored(index: CardIndex, lines: str):
    parsed = list_text.read(f"{HEAD}{PRICED}\n\nCommands:\n•Ambush\n••Push\n\n{lines}", index)
    assert [line.read for line in parsed.lines if line.open] == []
    assert army_of(parsed).command_cards == ("ambush", "push")


@pytest.mark.parametrize("card", ["Boba Fett - Whipcord Launcher", "Darth Vader: Implacable (1)"])
def test_a_command_card_behind_its_commander_is_no_unit(index: CardIndex, card: str):
    parsed = list_text.read(f"{HEAD}{PRICED}\n\nCommands:\n{card}\nDarth Vader (170)", index)
    found = army_of(parsed)
    assert [unit.card for unit in found.units] == [
        OFFICER[0],
        *["snowtroopers"] * 2,
        "darth-vader-dark-lord-of-the-sith",
    ]
    assert (found.command_cards, [line.read for line in parsed.lines if line.open]) == (
        ("whipcord-launcher" if "Whipcord" in card else "implacable",),
        [],
    )


@pytest.mark.parametrize("line", ["Worlds 2024", "Table 12", "Startgeld 15", "See you at table 5"])
@pytest.mark.parametrize("head", ["", HEAD])
def test_a_number_behind_other_words_is_no_points(index: CardIndex, head: str, line: str):
    parsed = list_text.read(f"{head}{PRICED}\n{line}", index)
    assert [line.read for line in parsed.lines if line.open] == []
    assert len(army_of(parsed).units) == 3


def test_letters_are_figures_only_next_to_figures_or_in_brackets():
    assert [plain_signs(line) for line in ("A lo loco", "Vader lol", "Snow (lo)", "= 19O")] == [
        "A lo loco", "Vader lol", "Snow (10)", "= 190",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("3 B1s w/ e-5c", [("3 B1s w/ e-5c", ("e-5c-b1-battle-droid",))] * 3),
        ("Rebels\nVets x3 CM-0/93", [("Vets x3 CM-0/93", ("cm-0-93-trooper",))] * 3),
        (
            "Imps 800: Vader, Palp, 2 storms w/ dlt, AT-ST",
            [("Vader", ()), ("1x Palp", ()), *[("2 storms w/ dlt", ("dlt-19-stormtrooper",))] * 2, ("AT-ST", ())],
        ),
        ("Han, Chewie, 2 tauntauns", [("Han", ()), ("Chewie", ()), *[("2 tauntauns", ())] * 2]),
        ("R2-D2 & C-3PO\nLuke Skywalker", [("R2-D2", ("c-3po-human-cyborg-relations",)), ("Luke Skywalker", ())]),
    ],
)
def test_short_names_are_questions_and_none_is_lost(index: CardIndex, text: str, units: list):
    lines = list_text.read(text, index).lines
    found = [(place, line.read) for place, line in enumerate(lines) if line.kind is LineKind.UNIT]
    cards = [tuple(each.card or each.candidates[0] for each in lines if each.of == place) for place, _ in found]
    assert [(read, upgrades) for (_, read), upgrades in zip(found, cards, strict=True)] == units


def test_an_army_in_one_long_line(index: CardIndex):
    text = ", ".join([*["Stormtroopers w/ DLT-19 Stormtrooper, Recon Intel, HQ Uplink"] * 33, "AT-ST"])
    parsed = list_text.read(text, index)
    assert (len(text) > 1_900, parsed.open, len(army_of(parsed).units)) == (True, (), 34)


def test_two_upgrades_with_another_sign_than_a_comma_between_them(index: CardIndex):
    lines = "Imperial Officer (Academy Trained/HQ Uplink)\nImperial Officer (Academy Trained & HQ Uplink)"
    found = army_of(list_text.read(HEAD + lines, index)).units
    assert [set(unit.upgrades) for unit in found] == [{"academy-trained", "hq-uplink"}] * 2


#: The same army as people and programs write it.
SAME_LIST = (Path(__file__).parent / "same_list.txt").read_text(encoding="utf-8").split("\n=====\n")


@pytest.mark.parametrize("text", SAME_LIST)
def test_ways_to_write_the_same_list(index: CardIndex, text: str):
    parsed = detect.read(text, index)
    found = army_of(parsed)
    assert [line.read for line in parsed.lines if line.open] == []
    vader, storm = ("darth-vader-dark-lord-of-the-sith", ("saber-throw",)), ("stormtroopers", ())
    assert [(unit.card, unit.upgrades) for unit in found.units] == [vader, storm, storm]
    assert found.command_cards == ("implacable", "push", "assault")
    assert not any("points now" in sentence for line in parsed.lines for sentence in line.violations)


def test_a_misspelled_unit_is_asked_for(index: CardIndex):
    parsed = detect.read("Storm Trooprs\nWe love them", index)
    assert [
        ("stormtroopers" in parsed.lines[place].candidates) for place in parsed.open if parsed.lines[place].read
    ] == [True]


def test_few_lines_of_a_long_text_are_compared_letter_by_letter(index: CardIndex, monkeypatch: pytest.MonkeyPatch):
    """Each takes milliseconds, and anyone may paste 500 lines."""
    compared = []
    misspelled = CardIndex.misspelled
    monkeypatch.setattr(CardIndex, "misspelled", lambda *given: compared.append(given) or misspelled(*given))
    detect.read("Stormtroopers 44\n" + "See you at the table of heavy droids 5\n" * 400, index)
    assert 0 < len(compared) < 50


def test_a_counterpart_in_a_section_of_its_own_that_two_units_can_have_is_asked_for(index: CardIndex):
    text = "Empire\nOperative:\nIG-11, Nurse and Protect\nDin Djarin, The Mandalorian\nCounterparts:\nGrogu = 17"
    parsed = detect.read(text, index)
    assert [(parsed.lines[place].read, parsed.lines[place].candidates) for place in parsed.open] == [
        ("Grogu = 17", ("grogu",))
    ]


def test_lines_that_a_mail_program_broke(index: CardIndex):
    text = """> 316/600 (3 activations)
> Commanders:
>  - Darth Vader, Dark Lord of the Sith (170): Saber Throw (10), Burst
> of Speed (10) = 190
> Corps:
>  - 2x Stormtroopers (42): DLT-19 Stormtrooper (20), Targeting Scopes
> (4) = 132
> Commands: * Implacable, ** Push, *** Assault, ****** Standing Orders
"""
    parsed = detect.read(text, index)
    army = army_of(parsed)
    storm = ("stormtroopers", ("dlt-19-stormtrooper", "targeting-scopes"))
    vader = ("darth-vader-dark-lord-of-the-sith", ("saber-throw", "burst-of-speed"))
    assert [(unit.card, unit.upgrades) for unit in army.units] == [vader, storm, storm]
    assert ([line.read for line in parsed.lines if line.open], len(army.command_cards)) == ([], 3)


@pytest.mark.parametrize(
    ("head", "size", "battle_force"),
    [("Empire 800", 800, ""), ("Blizzard Force: 598/600 points", 600, "blizzard-force"), ("1000 points", 1000, "")],
)
def test_the_size_next_to_the_faction(index: CardIndex, head: str, size: int, battle_force: str):
    parsed = detect.read(f"{head}\nSnowtroopers\n", index)
    army = army_of(parsed)
    assert (army.size, army.battle_force, [unit.card for unit in army.units]) == (size, battle_force, ["snowtroopers"])
    assert not parsed.open


@pytest.mark.parametrize(
    ("line", "read"), [("Stormtroopers - T21", "t-21-stormtrooper"), ("Stormtroopers w/ RT97C", "rt-97c-stormtrooper")]
)
def test_names_without_their_hyphens(index: CardIndex, line: str, read: str):
    [unit] = army_of(detect.read(f"{HEAD}{line}", index)).units
    assert unit.upgrades == (read,)


def test_a_unit_that_only_the_faction_tells_is_a_question(index: CardIndex):
    parsed = detect.read("Empire\nSnowtroopers\nOrders", index)
    assert [parsed.lines[place].candidates for place in parsed.open] == [
        ("imperial-agent-bringing-order-to-the-galaxy",)
    ]


def test_a_deck_in_one_line_with_headings(index: CardIndex):
    parsed = detect.read("Snowtroopers\nObjectives: Payload, Breakthrough; Secondaries: Surface Scan", index)
    assert army_of(parsed).battle_cards == ("payload", "breakthrough", "surface-scan")
