from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, Kind, Line, Parsed
from lists.formats.plain_army import PlainArmy, PlainUnit, army_of, army_points

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
            Line(read="Old friends", kind=Kind.TITLE),
            Line(read="600", kind=Kind.SIZE, number=600),
            Line(read="rebel", kind=Kind.FACTION, card="rebel"),
            Line(read="R2-D2", kind=Kind.UNIT, card="r2-d2-hero-of-a-thousand-devices"),
            Line(read="HQ Uplink", kind=Kind.UPGRADE, card="hq-uplink", of=3),
            Line(read="Jedi Training", kind=Kind.UPGRADE, candidates=("a", "b"), of=3),
            Line(read="C-3PO", kind=Kind.COUNTERPART, card="c-3po-human-cyborg-relations", of=3),
            Line(read="Luke", kind=Kind.UNIT, candidates=("a", "b")),
            Line(read="Tenacity", kind=Kind.UPGRADE, card="tenacity", of=7),
            Line(read="Rebel Troopers", kind=Kind.UNIT, card="rebel-troopers"),
            Line(read="Ambush", kind=Kind.COMMAND_CARD, card="ambush"),
            Line(read="Push", kind=Kind.CONTINGENCY, card="push"),
            Line(read="Standing Orders", kind=Kind.COMMAND_CARD, card="standing-orders"),
            Line(read="Payload", kind=Kind.BATTLE_CARD, card="payload"),
        ),
    )

    assert army_of(parsed) == ARMY


def test_nothing_is_an_army_of_nothing():
    assert army_of(Parsed(Format.UNKNOWN)) == PlainArmy()
