from lists.formats.cards import CardIndex
from lists.formats.list_text import read_tournament, write_tournament
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine
from lists.formats.plain_army import PlainArmy, PlainUnit


def test_the_title_of_a_card_is_told_by_its_points(index: CardIndex):
    text = """My Tour
180/600 (1 activation)
Darth Vader (180)
 - Saber Throw (10)

Commands:
•Implacable
••Push
••••Standing Orders
"""

    assert read_tournament(text, index) == Parsed(
        Format.TOURNAMENT_TEXT,
        lines=(
            ParsedLine(read="My Tour", kind=LineKind.TITLE),
            ParsedLine(read="180/600 (1 activation)", kind=LineKind.POINTS, number=180),
            ParsedLine(read="180/600 (1 activation)", kind=LineKind.SIZE, number=600),
            ParsedLine(read="", kind=LineKind.FACTION, card="empire", because="its units"),
            ParsedLine(
                read="Darth Vader (180)",
                kind=LineKind.UNIT,
                card="darth-vader-dark-lord-of-the-sith",
                because="its points",
            ),
            ParsedLine(read="- Saber Throw (10)", kind=LineKind.UPGRADE, card="saber-throw", of=4),
            ParsedLine(read="Implacable", kind=LineKind.COMMAND_CARD, card="implacable"),
            ParsedLine(read="Push", kind=LineKind.COMMAND_CARD, card="push"),
            ParsedLine(read="Standing Orders", kind=LineKind.COMMAND_CARD, card="standing-orders"),
        ),
    )


def test_what_points_and_faction_cannot_tell_stays_open(index: CardIndex):
    text = """Both kinds
330/800 (3 activations)
Super Tactical Droid - Kraken (100)
 - Tenacity (6) - HQ Uplink (10)
 - Frobnicator (3)
Stormtroopers (42)
R2-D2 (70)
C-3PO (15)
Jedi Knight (101)
 - Jedi Training (8)

Commands:
•Ambush
Contingencies:
••Push

Battle Deck
Objectives:
 - Payload
 - Breakthrough
Advantages:
 - Advanced Intel
"""

    assert read_tournament(text, index) == Parsed(
        Format.TOURNAMENT_TEXT,
        lines=(
            ParsedLine(read="Both kinds", kind=LineKind.TITLE),
            ParsedLine(read="330/800 (3 activations)", kind=LineKind.POINTS, number=330),
            ParsedLine(read="330/800 (3 activations)", kind=LineKind.SIZE, number=800),
            ParsedLine(
                read="",
                kind=LineKind.FACTION,
                candidates=("empire", "republic", "separatist"),
                violations=("More than one Faction matches. Choose one.",),
            ),
            ParsedLine(
                read="Super Tactical Droid - Kraken (100)",
                kind=LineKind.UNIT,
                card="kraken-super-tactical-droid",
                violations=("Kraken, Super Tactical Droid costs 80 points now, but 81 in the list.",),
            ),
            ParsedLine(read="- Tenacity (6) - HQ Uplink (10)", kind=LineKind.UPGRADE, card="tenacity", of=4),
            ParsedLine(read="- Tenacity (6) - HQ Uplink (10)", kind=LineKind.UPGRADE, card="hq-uplink", of=4),
            ParsedLine(
                read="- Frobnicator (3)", kind=LineKind.UPGRADE, of=4, violations=("No upgrade has this name.",)
            ),
            ParsedLine(read="Stormtroopers (42)", kind=LineKind.UNIT, card="stormtroopers", because="its points"),
            ParsedLine(
                read="R2-D2 (70)",
                kind=LineKind.UNIT,
                candidates=("r2-d2-hero-of-a-thousand-devices", "r2-d2-independent-astromech"),
                violations=("More than one unit matches. Choose one.",),
            ),
            ParsedLine(
                read="C-3PO (15)",
                kind=LineKind.COUNTERPART,
                candidates=("c-3po-human-cyborg-relations", "c-3po-made-to-suffer"),
                of=9,
                violations=("More than one counterpart matches. Choose one.",),
            ),
            ParsedLine(
                read="Jedi Knight (101)",
                kind=LineKind.UNIT,
                candidates=("jedi-knight-mounted-jedi-general", "jedi-knight-keeper-of-the-peace"),
                violations=("More than one unit matches. Choose one.",),
            ),
            ParsedLine(
                read="- Jedi Training (8)",
                kind=LineKind.UPGRADE,
                candidates=(
                    "jedi-training-master-duelist",
                    "jedi-training-peacekeeping-mission",
                    "jedi-training-tactical-acumen",
                ),
                of=11,
                violations=("More than one upgrade matches. Choose one.",),
            ),
            ParsedLine(read="Ambush", kind=LineKind.COMMAND_CARD, card="ambush"),
            ParsedLine(read="Push", kind=LineKind.CONTINGENCY, card="push"),
            ParsedLine(read="- Payload", kind=LineKind.BATTLE_CARD, card="payload"),
            ParsedLine(read="- Breakthrough", kind=LineKind.BATTLE_CARD, card="breakthrough"),
            ParsedLine(
                read="- Advanced Intel", kind=LineKind.BATTLE_CARD, card="advanced-intel", because="recon or standard"
            ),
        ),
        violations=("The list says 3 activations, but 4 units were found.",),
    )


def test_lines_that_are_no_units(index: CardIndex):
    text = """Odd
0/600 (0 activations)
 - Tenacity (6)
Wampa
Wampa (3) Rancor (4)
C-3PO (15)"""

    assert read_tournament(text, index) == Parsed(
        Format.TOURNAMENT_TEXT,
        lines=(
            ParsedLine(read="Odd", kind=LineKind.TITLE),
            ParsedLine(read="0/600 (0 activations)", kind=LineKind.POINTS, number=0),
            ParsedLine(read="0/600 (0 activations)", kind=LineKind.SIZE, number=600),
            ParsedLine(read="", kind=LineKind.FACTION, violations=("The list does not say its Faction.",)),
            ParsedLine(
                read="- Tenacity (6)", kind=LineKind.UNKNOWN, violations=("This upgrade comes before the first unit.",)
            ),
            ParsedLine(
                read="Wampa",
                kind=LineKind.UNKNOWN,
                violations=("This line is neither a unit nor an upgrade with points.",),
            ),
            ParsedLine(read="Wampa (3) Rancor (4)", kind=LineKind.UNKNOWN, violations=("This line has two units.",)),
            ParsedLine(
                read="C-3PO (15)",
                kind=LineKind.COUNTERPART,
                candidates=("c-3po-human-cyborg-relations", "c-3po-made-to-suffer"),
                violations=("More than one counterpart matches. Choose one.",),
            ),
        ),
    )


def test_an_army_in_full(index: CardIndex):
    army = PlainArmy(
        faction="rebel",
        size=1000,
        title="Old friends",
        units=(
            PlainUnit("r2-d2-hero-of-a-thousand-devices", ("hq-uplink",), "c-3po-human-cyborg-relations"),
            PlainUnit("rebel-troopers"),
        ),
        command_cards=("ambush",),
        battle_cards=("advanced-intel", "payload"),
    )

    assert (
        write_tournament(army, index)
        == """Old friends
120/1000 (2 activations)
R2-D2 (65)
 - HQ Uplink (10)
C-3PO (15)
Rebel Troopers (40)

Commands:
•Ambush
••••Standing Orders

Battle Deck
Objectives:
 - Payload
Advantages:
 - Advanced Intel
"""
    )


def test_an_army_without_a_title(index: CardIndex):
    assert write_tournament(PlainArmy(faction="rebel", size=600), index) == "Untitled\n0/600 (0 activations)\n"
