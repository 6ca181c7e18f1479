from lists.formats.cards import CardIndex
from lists.formats.list_text import read_admiral
from lists.formats.parsed import Format, Kind, Line, Parsed


def test_units_in_every_shape(index: CardIndex):
    text = """600/600
5 Activations
Han Solo 100 + 13 = 113 --Tenacity (6), Recon Intel (7)
Wicket 70 + 3 = 73
2x Rebel Troopers 40 x 2 = 80
--HQ Uplink (10), Recon Intel
--HQ Uplink (10)
R2-D2 55 + 0 = 56
C-3PO 15
•Ambush, ••Push, ••••Standing Orders
Payload, Breakthrough
Supply Run
What is this"""

    assert read_admiral(text, index) == Parsed(
        Format.ADMIRAL_TEXT,
        lines=(
            Line(read="", kind=Kind.FACTION, card="rebel", because="its units"),
            Line(
                read="600/600",
                kind=Kind.POINTS,
                number=600,
                violations=("The list counts 600 points; today its cards cost 348.",),
            ),
            Line(read="600/600", kind=Kind.SIZE, number=600),
            Line(
                read="Han Solo 100 + 13 = 113 --Tenacity (6), Recon Intel (7)",
                kind=Kind.UNIT,
                card="han-solo-unorthodox-general",
                because="its points",
            ),
            Line(read="Tenacity (6)", kind=Kind.UPGRADE, card="tenacity", of=3),
            Line(
                read="Recon Intel (7)",
                kind=Kind.UPGRADE,
                card="recon-intel",
                of=3,
                violations=("The list counts 7 points for Recon Intel; today it costs 8.",),
            ),
            Line(
                read="Wicket 70 + 3 = 73",
                kind=Kind.UNIT,
                card="wicket-hero-of-bright-tree",
                violations=("The list counts 70 points for Wicket, Hero of Bright Tree; today it costs 64.",),
            ),
            Line(
                read="2x Rebel Troopers 40 x 2 = 80",
                kind=Kind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot left for this (comms).",),
            ),
            Line(
                read="2x Rebel Troopers 40 x 2 = 80",
                kind=Kind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot left for this (comms).",),
            ),
            Line(
                read="--HQ Uplink (10), Recon Intel",
                kind=Kind.UNKNOWN,
                violations=("These upgrades cannot be read, or stand before any unit.",),
            ),
            Line(read="HQ Uplink (10)", kind=Kind.UPGRADE, card="hq-uplink", of=7),
            Line(read="HQ Uplink (10)", kind=Kind.UPGRADE, card="hq-uplink", of=8),
            Line(
                read="R2-D2 55 + 0 = 56",
                kind=Kind.UNIT,
                card="r2-d2-hero-of-a-thousand-devices",
                because="the Faction",
                violations=("The list adds this up to 56 points; it is 55.",),
            ),
            Line(
                read="C-3PO 15", kind=Kind.COUNTERPART, card="c-3po-human-cyborg-relations", because="its unit", of=12
            ),
            Line(read="Ambush", kind=Kind.COMMAND_CARD, card="ambush"),
            Line(read="Push", kind=Kind.COMMAND_CARD, card="push"),
            Line(read="Standing Orders", kind=Kind.COMMAND_CARD, card="standing-orders"),
            Line(read="Payload", kind=Kind.BATTLE_CARD, card="payload"),
            Line(read="Breakthrough", kind=Kind.BATTLE_CARD, card="breakthrough"),
            Line(read="Supply Run", kind=Kind.BATTLE_CARD, card="supply-run"),
            Line(
                read="What is this",
                kind=Kind.UNKNOWN,
                violations=("This is neither a unit with its points nor a list of cards.",),
            ),
        ),
    )


def test_a_line_that_is_too_long_is_looked_at_no_further(index: CardIndex):
    lines = read_admiral("1/1\n0 Activations\n" + "x" * 601, index).lines

    assert lines[-1] == Line(read="x" * 199 + "…", kind=Kind.UNKNOWN, violations=("This line is too long for a list.",))
