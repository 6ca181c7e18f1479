from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine
from lists.formats.plain_army import army_of, army_points
from rules.battle.plain_army import PlainArmy, PlainUnit

ARMY = PlainArmy(
    faction="rebel",
    size=600,
    title="Old friends",
    units=(
        PlainUnit("r2-d2-hero-of-a-thousand-devices", ("hq-uplink",), "c-3po-human-cyborg-relations"),
        PlainUnit("rebel-troopers"),
    ),
    command_cards=("ambush",),
    battle_cards=("payload",),
)


def test_points_of_all_cards(index: CardIndex):
    assert army_points(ARMY, index) == 55 + 10 + 15 + 40


def test_what_is_understood_is_the_army_and_what_is_open_is_not():
    parsed = Parsed(
        Format.TOURNAMENT_TEXT,
        lines=(
            ParsedLine(read="Old friends", kind=LineKind.TITLE),
            ParsedLine(read="600", kind=LineKind.SIZE, number=600),
            ParsedLine(read="rebel", kind=LineKind.FACTION, card="rebel"),
            ParsedLine(read="R2-D2", kind=LineKind.UNIT, card="r2-d2-hero-of-a-thousand-devices"),
            ParsedLine(read="HQ Uplink", kind=LineKind.UPGRADE, card="hq-uplink", of=3),
            ParsedLine(read="Jedi Training", kind=LineKind.UPGRADE, candidates=("a", "b"), of=3),
            ParsedLine(read="C-3PO", kind=LineKind.COUNTERPART, card="c-3po-human-cyborg-relations", of=3),
            ParsedLine(read="Luke", kind=LineKind.UNIT, candidates=("a", "b")),
            ParsedLine(read="Tenacity", kind=LineKind.UPGRADE, card="tenacity", of=7),
            ParsedLine(read="Rebel Troopers", kind=LineKind.UNIT, card="rebel-troopers"),
            ParsedLine(read="Ambush", kind=LineKind.COMMAND_CARD, card="ambush"),
            ParsedLine(read="Push", kind=LineKind.CONTINGENCY, card="push"),
            ParsedLine(read="Standing Orders", kind=LineKind.COMMAND_CARD, card="standing-orders"),
            ParsedLine(read="Payload", kind=LineKind.BATTLE_CARD, card="payload"),
        ),
    )

    assert army_of(parsed) == ARMY


def test_nothing_is_an_army_of_nothing():
    assert army_of(Parsed(Format.UNKNOWN)) == PlainArmy()
