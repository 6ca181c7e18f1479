from lists.formats.cards import CardIndex
from lists.formats.list_text import read_admiral
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine


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
            ParsedLine(read="", kind=LineKind.FACTION, card="rebel", because="its units"),
            ParsedLine(
                read="600/600",
                kind=LineKind.POINTS,
                number=600,
                violations=("The cards cost 348 points now, but 600 in the list.",),
            ),
            ParsedLine(read="600/600", kind=LineKind.SIZE, number=600),
            ParsedLine(
                read="Han Solo 100 + 13 = 113 --Tenacity (6), Recon Intel (7)",
                kind=LineKind.UNIT,
                card="han-solo-unorthodox-general",
                because="its points",
            ),
            ParsedLine(read="Tenacity (6)", kind=LineKind.UPGRADE, card="tenacity", of=3),
            ParsedLine(
                read="Recon Intel (7)",
                kind=LineKind.UPGRADE,
                card="recon-intel",
                of=3,
                violations=("Recon Intel costs 8 points now, but 7 in the list.",),
            ),
            ParsedLine(
                read="Wicket 70 + 3 = 73",
                kind=LineKind.UNIT,
                card="wicket-hero-of-bright-tree",
                violations=("Wicket, Hero of Bright Tree costs 64 points now, but 70 in the list.",),
            ),
            ParsedLine(
                read="2x Rebel Troopers 40 x 2 = 80",
                kind=LineKind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot for this (comms).",),
            ),
            ParsedLine(
                read="2x Rebel Troopers 40 x 2 = 80",
                kind=LineKind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot for this (comms).",),
            ),
            ParsedLine(
                read="--HQ Uplink (10), Recon Intel",
                kind=LineKind.UNKNOWN,
                violations=("These upgrades cannot be read, or come before the first unit.",),
            ),
            ParsedLine(read="HQ Uplink (10)", kind=LineKind.UPGRADE, card="hq-uplink", of=7),
            ParsedLine(read="HQ Uplink (10)", kind=LineKind.UPGRADE, card="hq-uplink", of=8),
            ParsedLine(
                read="R2-D2 55 + 0 = 56",
                kind=LineKind.UNIT,
                card="r2-d2-hero-of-a-thousand-devices",
                because="the Faction",
                violations=("The points of this line add up to 56, but the list says 55.",),
            ),
            ParsedLine(
                read="C-3PO 15",
                kind=LineKind.COUNTERPART,
                card="c-3po-human-cyborg-relations",
                because="its unit",
                of=12,
            ),
            ParsedLine(read="Ambush", kind=LineKind.COMMAND_CARD, card="ambush"),
            ParsedLine(read="Push", kind=LineKind.COMMAND_CARD, card="push"),
            ParsedLine(read="Standing Orders", kind=LineKind.COMMAND_CARD, card="standing-orders"),
            ParsedLine(read="Payload", kind=LineKind.BATTLE_CARD, card="payload"),
            ParsedLine(read="Breakthrough", kind=LineKind.BATTLE_CARD, card="breakthrough"),
            ParsedLine(read="Supply Run", kind=LineKind.BATTLE_CARD, card="supply-run"),
            ParsedLine(
                read="What is this",
                kind=LineKind.UNKNOWN,
                violations=("This line is neither a unit with points nor a list of cards.",),
            ),
        ),
    )


def test_a_line_that_is_too_long_is_looked_at_no_further(index: CardIndex):
    lines = read_admiral("1/1\n0 Activations\n" + "x" * 601, index).lines

    assert lines[-1] == ParsedLine(
        read="x" * 199 + "…", kind=LineKind.UNKNOWN, violations=("This line is too long for a list.",)
    )
