"""What tells cards of one name apart; each case is a tournament text, where titles are lost."""

import json

import pytest

from lists.formats import list_text, tts_json
from lists.formats.cards import CardIndex, card_index
from lists.formats.parsed import LineKind, ParsedLine
from lists.formats.plain_army import army_of
from rules.catalogue.loader import read_catalogue
from tests.cards import CARDS


def line(index: CardIndex, place: int, *units: str) -> ParsedLine:
    """One line of a list of these units, past title, points, size and Faction."""
    return list_text.read("\n".join(["List", f"1/1000 ({len(units)} activations)", *units]), index).lines[4 + place]


def test_points_tell(index: CardIndex):
    assert line(index, 0, "Luke Skywalker (175)", " - Saber Throw (10)") == ParsedLine(
        read="Luke Skywalker (175)", kind=LineKind.UNIT, card="luke-skywalker-jedi-knight", because="its points"
    )


def test_the_faction_tells_and_is_told_by_other_units(index: CardIndex):
    units = ("R2-D2 (55)", "Clone Trooper Infantry (52)")

    assert (line(index, -1, *units), line(index, 0, *units)) == (
        ParsedLine(read="", kind=LineKind.FACTION, card="republic", because="its units"),
        ParsedLine(read="R2-D2 (55)", kind=LineKind.UNIT, card="r2-d2-independent-astromech", because="the Faction"),
    )


def test_upgrades_tell_the_unit(index: CardIndex):
    assert line(index, 0, "Wookiee Warriors (99)", " - Battle Shield Wookiee (16)").because == "its exact name"
    assert line(index, 0, "AT-RT (99)", " - AT-RT Flamethrower (25)").candidates == ("at-rt-rebel", "at-rt-republic")


def test_the_total_tells_unless_cards_of_one_name_may_differ(index: CardIndex):
    """150 + 70 + 2 × 60 and 130 + 3 × 70 are the same."""
    droids = ["General Grievous", *["Super Tactical Command Droid"] * 3]
    texts = ["\n".join([f"{points}/1000", *droids[:number]]) for points, number in ((340, 4), (200, 2))]
    ambiguous, told = (list_text.read(text, index) for text in texts)

    assert (len(ambiguous.open), told.open) == (2, ())
    assert told.lines[-1].because == "the points of the list"


def test_the_unit_tells_the_upgrade(index: CardIndex):
    assert line(index, 1, "Din Djarin (105)", " - The Darksaber (10)") == ParsedLine(
        read="- The Darksaber (10)", kind=LineKind.UPGRADE, card="the-darksaber-xukp", because="its unit", of=4
    )


def test_upgrades_of_one_name_and_cost_stay_open(index: CardIndex):
    assert line(index, 1, "Jedi Knight (93)", " - Jedi Training (8)") == ParsedLine(
        read="- Jedi Training (8)",
        kind=LineKind.UPGRADE,
        candidates=(
            "jedi-training-master-duelist",
            "jedi-training-peacekeeping-mission",
            "jedi-training-tactical-acumen",
        ),
        of=4,
        violations=("More than one upgrade matches. Choose one.",),
    )


def test_two_upgrades_of_one_name_on_a_unit_are_the_two_cards_of_it(index: CardIndex):
    name = "Bo-Katan Kryze, Savior of Mandalore"

    def cards(upgrades: str) -> list[tuple[str, int]]:
        parsed = list_text.read(f"List\n1/1000 (1 activation)\n{name} ({upgrades})", index)
        return [(line.card, len(line.candidates)) for line in parsed.lines if line.kind is LineKind.UPGRADE]

    assert cards("Flame Projector") == [("", 2)]
    assert cards("Flame Projector, Flame Projector") == [("flame-projector-xukj", 0), ("flame-projector-xule", 0)]


def test_a_retired_card_gives_way_and_alone_says_so():
    cards = read_catalogue(CARDS).cards
    wampa = {**cards["unit"][0], "slug": "wampa", "name": "Wampa", "title": "", "source_id": "zz", "retired": True}
    vader = {**wampa, "slug": "old-vader", "name": "Boba Fett", "points": 120}
    index = card_index({**cards, "unit": [*cards["unit"], wampa, vader]})

    assert (line(index, 0, "Wampa (170)").card, line(index, 0, "Wampa (170)").violations) == (
        "wampa",
        ("Wampa is no longer in the catalogue.",),
    )
    assert line(index, 0, "Boba Fett (120)").card == "boba-fett-daimyo-of-mos-espa"


def test_faults_stand_where_they_are(index: CardIndex):
    units = ("Stormtroopers (76)", " - DLT-20A Trooper (25)", " - HQ Uplink (9)", "Rebel Troopers (41)")

    assert [line(index, place, *units).violations for place in range(-1, 4)] == [
        ("More than one Faction matches. Choose one.",),
        ("Stormtroopers has no free slot for this (comms, heavy weapon).",),
        ("Stormtroopers cannot take DLT-20A Trooper.", "DLT-20A Trooper costs 26 points now, but 25 in the list."),
        ("HQ Uplink costs 10 points now, but 9 in the list.",),
        ("Rebel Troopers costs 40 points now, but 41 in the list.",),
    ]


@pytest.mark.parametrize(("size", "card"), [(600, "advanced-intel-recon"), (800, ""), (1000, "advanced-intel")])
def test_recon_or_standard_is_told_by_the_size(index: CardIndex, size: int, card: str):
    text = f"List\n0/{size} (0 activations)\n\nBattle Deck\nAdvantages:\n - Advanced Intel"

    assert list_text.read(text, index).lines[-1].card == card


def test_a_unit_has_one_counterpart(index: CardIndex):
    text = "A\n1/600 (1 activation)\nIG-11 (105)\nGrogu (17)\nGrogu (17)\nC-3PO (15)\nOmega (10)"

    assert [line.violations for line in list_text.read(text, index).lines if line.kind is LineKind.COUNTERPART] == [
        (),
        ("A unit can have one counterpart. This one is left out.",),
        ("More than one counterpart matches. Choose one.",),
        ("Omega, Mascot of the 99th cannot be added to this unit.",),
    ]


def test_cards_spelled_almost_like_a_name_are_offered_and_none_is_taken(index: CardIndex):
    units = ("Snowtroopers (48)", "Stormtroper (44)", " - DLT-19 Stormtroper (24)", " - DLT-20 Stormtroper (24)")
    found = [line(index, place, *units) for place in range(1, 4)]
    assert [(each.card, each.candidates) for each in found] == [
        ("", ("stormtroopers", "stormtroopers-heavy-response-unit")),
        ("", ("dlt-19-stormtrooper",)),
        ("", ()),
    ]
    assert found[0].violations == ("No unit has this name. Choose one of the similar names.",)


def test_copies_of_a_misspelled_unit_are_looked_up_once(index: CardIndex):
    found = line(index, 24, *["Snowtrooprs (48)"] * 24, "Stormtroper (44)")
    assert found.candidates == ("stormtroopers", "stormtroopers-heavy-response-unit")


def test_a_card_that_an_army_can_have_once_is_no_second_one(index: CardIndex):
    names = ["Flame Projector", "Flame Projector"], ["Flame Projector"]
    units = [
        {"name": name, "upgrades": upgrades}
        for name, upgrades in zip(("Gar Saxon Militant Commando", "Clan Wren Veterans"), names, strict=True)
    ]

    parsed = tts_json.read(json.dumps({"units": units}), index)

    assert [unit.upgrades for unit in army_of(parsed).units] == [
        ("flame-projector-xukj", "flame-projector-xule"), ("flame-projector-xukj",),
    ]  # fmt: skip
