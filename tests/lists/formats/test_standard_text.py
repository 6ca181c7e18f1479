from lists.formats.cards import CardIndex
from lists.formats.list_text import read_minimal, read_standard
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine


def test_a_real_list_of_2019(index: CardIndex):
    text = """800/800 (9 activations)
Commanders:
 – General Grievous (175): Strict Orders (5), Aggressive Tactics (10), Tenacity (4), DT-57 “Annihilator” (12) = 206
Corps:
 – 2× Battle Droids (36): E-60R Trooper (20), Battle Droid (6), HQ Uplink (10) = 144
"""

    assert read_standard(text, index) == Parsed(
        Format.STANDARD_TEXT,
        lines=(
            ParsedLine(read="800/800 (9 activations)", kind=LineKind.POINTS, number=800),
            ParsedLine(read="800/800 (9 activations)", kind=LineKind.SIZE, number=800),
            ParsedLine(read="", kind=LineKind.FACTION, card="separatist", because="its units"),
            ParsedLine(
                read="– General Grievous (175): Strict Orders (5), Aggressive Tactics (10), Tenacity (4), DT-57 “Annihilator” (12) = 206",  # noqa: E501
                kind=LineKind.UNIT,
                candidates=("general-grievous-sinister-cyborg", "general-grievous-wheel-bike-warlord"),
                violations=("More than one unit matches. Choose one.",),
            ),
            ParsedLine(read="Strict Orders (5)", kind=LineKind.UPGRADE, card="strict-orders", of=3),
            ParsedLine(
                read="Aggressive Tactics (10)", kind=LineKind.UPGRADE, of=3, violations=("No upgrade has this name.",)
            ),
            ParsedLine(
                read="Tenacity (4)",
                kind=LineKind.UPGRADE,
                card="tenacity",
                of=3,
                violations=("Tenacity costs 6 points now, but 4 in the list.",),
            ),
            ParsedLine(
                read="DT-57 “Annihilator” (12)", kind=LineKind.UPGRADE, of=3, violations=("No upgrade has this name.",)
            ),
            ParsedLine(
                read="– 2× Battle Droids (36): E-60R Trooper (20), Battle Droid (6), HQ Uplink (10) = 144",
                kind=LineKind.UNIT,
                candidates=("b1-battle-droids", "b2-super-battle-droids"),
                violations=("No unit has this name. Choose one of the similar names.",),
            ),
            ParsedLine(
                read="E-60R Trooper (20)", kind=LineKind.UPGRADE, of=8, violations=("No upgrade has this name.",)
            ),
            ParsedLine(
                read="Battle Droid (6)",
                kind=LineKind.UPGRADE,
                candidates=(
                    "b2-acm-battle-droid",
                    "b2-ha-battle-droid",
                    "e-5c-b1-battle-droid",
                    "e-5s-b1-battle-droid",
                    "e-60r-b1-battle-droid",
                    "radiation-cannon-b1-battle-droid",
                    "b1-battle-droid",
                    "b1-battle-droid-squad",
                ),
                of=8,
                violations=("No upgrade has this name. Choose one of the similar names.",),
            ),
            ParsedLine(read="HQ Uplink (10)", kind=LineKind.UPGRADE, card="hq-uplink", of=8),
            ParsedLine(
                read="– 2× Battle Droids (36): E-60R Trooper (20), Battle Droid (6), HQ Uplink (10) = 144",
                kind=LineKind.UNIT,
                candidates=("b1-battle-droids", "b2-super-battle-droids"),
                violations=("No unit has this name. Choose one of the similar names.",),
            ),
            ParsedLine(
                read="E-60R Trooper (20)", kind=LineKind.UPGRADE, of=12, violations=("No upgrade has this name.",)
            ),
            ParsedLine(
                read="Battle Droid (6)",
                kind=LineKind.UPGRADE,
                candidates=(
                    "b2-acm-battle-droid",
                    "b2-ha-battle-droid",
                    "e-5c-b1-battle-droid",
                    "e-5s-b1-battle-droid",
                    "e-60r-b1-battle-droid",
                    "radiation-cannon-b1-battle-droid",
                    "b1-battle-droid",
                    "b1-battle-droid-squad",
                ),
                of=12,
                violations=("No upgrade has this name. Choose one of the similar names.",),
            ),
            ParsedLine(read="HQ Uplink (10)", kind=LineKind.UPGRADE, card="hq-uplink", of=12),
        ),
        violations=("The list says 9 activations, but 3 units were found.",),
    )


def test_counterparts_are_listed_apart(index: CardIndex):
    text = """My list
230/600 (3 activations)
Operative:
 - R2-D2 = 55
Counterparts:
 - C-3PO = 15
Corps:
 - 2× Rebel Troopers (40): Recon Intel (2) = 85
 - Wampa
Contingencies: • Ambush"""

    assert read_standard(text, index) == Parsed(
        Format.STANDARD_TEXT,
        lines=(
            ParsedLine(read="My list", kind=LineKind.TITLE),
            ParsedLine(
                read="230/600 (3 activations)",
                kind=LineKind.POINTS,
                number=230,
                violations=("The cards cost 166 points now, but 230 in the list.",),
            ),
            ParsedLine(read="230/600 (3 activations)", kind=LineKind.SIZE, number=600),
            ParsedLine(read="", kind=LineKind.FACTION, card="rebel", because="its units"),
            ParsedLine(
                read="- R2-D2 = 55", kind=LineKind.UNIT, card="r2-d2-hero-of-a-thousand-devices", because="the Faction"
            ),
            ParsedLine(
                read="- C-3PO = 15",
                kind=LineKind.COUNTERPART,
                card="c-3po-human-cyborg-relations",
                because="its unit",
                of=4,
            ),
            ParsedLine(
                read="- 2× Rebel Troopers (40): Recon Intel (2) = 85", kind=LineKind.UNIT, card="rebel-troopers"
            ),
            ParsedLine(
                read="Recon Intel (2)",
                kind=LineKind.UPGRADE,
                card="recon-intel",
                of=6,
                violations=("Recon Intel costs 8 points now, but 2 in the list.",),
            ),
            ParsedLine(
                read="- 2× Rebel Troopers (40): Recon Intel (2) = 85",
                kind=LineKind.UNIT,
                card="rebel-troopers",
                violations=("The points of this line add up to 85, but the list says 84.",),
            ),
            ParsedLine(
                read="Recon Intel (2)",
                kind=LineKind.UPGRADE,
                card="recon-intel",
                of=8,
                violations=("Recon Intel costs 8 points now, but 2 in the list.",),
            ),
            ParsedLine(read="- Wampa", kind=LineKind.UNKNOWN, violations=("This line is not a unit with points.",)),
            ParsedLine(read="Ambush", kind=LineKind.CONTINGENCY, card="ambush"),
        ),
    )


def test_minimal_text_with_loadouts(index: CardIndex):
    text = """2/600 (1 activation)
 - Loadout: Recon Intel
Snowtroopers
 - Loadout: HQ Uplink, Recon Intel"""

    assert read_minimal(text, index).lines[3:] == (
        ParsedLine(
            read="- Loadout: Recon Intel",
            kind=LineKind.UNKNOWN,
            violations=("This loadout comes before the first unit.",),
        ),
        ParsedLine(read="Snowtroopers", kind=LineKind.UNIT, card="snowtroopers"),
        ParsedLine(
            read="HQ Uplink",
            kind=LineKind.LOADOUT,
            card="hq-uplink",
            of=4,
            violations=("Loadouts are no longer part of the game.",),
        ),
        ParsedLine(
            read="Recon Intel",
            kind=LineKind.LOADOUT,
            card="recon-intel",
            of=4,
            violations=("Loadouts are no longer part of the game.",),
        ),
    )


def test_minimal_text_has_no_points(index: CardIndex):
    text = """250/600 (4 activations)
2× Rebel Troopers (Tools of the Trade, Jetpack Rockets, HQ Uplink)
R2-D2 (HQ Uplink)
C-3PO
Super Tactical Droid - Kraken
 - Loadout: (none)
Commands: • Ambush, •• Push, •••• Standing Orders"""

    assert read_minimal(text, index) == Parsed(
        Format.MINIMAL_TEXT,
        lines=(
            ParsedLine(read="250/600 (4 activations)", kind=LineKind.POINTS, number=250),
            ParsedLine(read="250/600 (4 activations)", kind=LineKind.SIZE, number=600),
            ParsedLine(
                read="",
                kind=LineKind.FACTION,
                candidates=("rebel", "separatist"),
                violations=("More than one Faction matches. Choose one.",),
            ),
            ParsedLine(
                read="2× Rebel Troopers (Tools of the Trade, Jetpack Rockets, HQ Uplink)",
                kind=LineKind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot for this (comms, grenades).",),
            ),
            ParsedLine(
                read="Tools of the Trade, Jetpack Rockets",
                kind=LineKind.UPGRADE,
                card="tools-of-the-trade-jetpack-rockets",
                of=3,
                violations=("Rebel Troopers cannot take Tools of the Trade, Jetpack Rockets.",),
            ),
            ParsedLine(read="HQ Uplink", kind=LineKind.UPGRADE, card="hq-uplink", of=3),
            ParsedLine(
                read="2× Rebel Troopers (Tools of the Trade, Jetpack Rockets, HQ Uplink)",
                kind=LineKind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot for this (comms, grenades).",),
            ),
            ParsedLine(
                read="Tools of the Trade, Jetpack Rockets",
                kind=LineKind.UPGRADE,
                card="tools-of-the-trade-jetpack-rockets",
                of=6,
                violations=("Rebel Troopers cannot take Tools of the Trade, Jetpack Rockets.",),
            ),
            ParsedLine(read="HQ Uplink", kind=LineKind.UPGRADE, card="hq-uplink", of=6),
            ParsedLine(
                read="R2-D2 (HQ Uplink)",
                kind=LineKind.UNIT,
                candidates=("r2-d2-hero-of-a-thousand-devices", "r2-d2-independent-astromech"),
                violations=("More than one unit matches. Choose one.",),
            ),
            ParsedLine(read="HQ Uplink", kind=LineKind.UPGRADE, card="hq-uplink", of=9),
            ParsedLine(
                read="C-3PO",
                kind=LineKind.COUNTERPART,
                candidates=("c-3po-human-cyborg-relations", "c-3po-made-to-suffer"),
                of=9,
                violations=("More than one counterpart matches. Choose one.",),
            ),
            ParsedLine(read="Super Tactical Droid - Kraken", kind=LineKind.UNIT, card="kraken-super-tactical-droid"),
            ParsedLine(read="- Loadout: (none)", kind=LineKind.NOTE, of=12),
            ParsedLine(read="Ambush", kind=LineKind.COMMAND_CARD, card="ambush"),
            ParsedLine(read="Push", kind=LineKind.COMMAND_CARD, card="push"),
            ParsedLine(read="Standing Orders", kind=LineKind.COMMAND_CARD, card="standing-orders"),
        ),
    )
