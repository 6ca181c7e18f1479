from lists.formats.cards import CardIndex
from lists.formats.list_text import read_minimal, read_standard
from lists.formats.parsed import Format, Kind, Line, Parsed


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
            Line(read="800/800 (9 activations)", kind=Kind.POINTS, number=800),
            Line(read="800/800 (9 activations)", kind=Kind.SIZE, number=800),
            Line(read="", kind=Kind.FACTION, card="separatist", because="its units"),
            Line(
                read="– General Grievous (175): Strict Orders (5), Aggressive Tactics (10), Tenacity (4), DT-57 “Annihilator” (12) = 206",  # noqa: E501
                kind=Kind.UNIT,
                candidates=("general-grievous-sinister-cyborg", "general-grievous-wheel-bike-warlord"),
                violations=("More than one unit fits; choose which is meant.",),
            ),
            Line(read="Strict Orders (5)", kind=Kind.UPGRADE, card="strict-orders", of=3),
            Line(
                read="Aggressive Tactics (10)",
                kind=Kind.UPGRADE,
                of=3,
                violations=("No upgrade is known by this name.",),
            ),
            Line(
                read="Tenacity (4)",
                kind=Kind.UPGRADE,
                card="tenacity",
                of=3,
                violations=("The list counts 4 points for Tenacity; today it costs 6.",),
            ),
            Line(
                read="DT-57 “Annihilator” (12)",
                kind=Kind.UPGRADE,
                of=3,
                violations=("No upgrade is known by this name.",),
            ),
            Line(
                read="– 2× Battle Droids (36): E-60R Trooper (20), Battle Droid (6), HQ Uplink (10) = 144",
                kind=Kind.UNIT,
                candidates=("b1-battle-droids", "b2-super-battle-droids"),
                violations=("No unit has this name; some are like it.",),
            ),
            Line(read="E-60R Trooper (20)", kind=Kind.UPGRADE, of=8, violations=("No upgrade is known by this name.",)),
            Line(
                read="Battle Droid (6)",
                kind=Kind.UPGRADE,
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
                violations=("No upgrade has this name; some are like it.",),
            ),
            Line(read="HQ Uplink (10)", kind=Kind.UPGRADE, card="hq-uplink", of=8),
            Line(
                read="– 2× Battle Droids (36): E-60R Trooper (20), Battle Droid (6), HQ Uplink (10) = 144",
                kind=Kind.UNIT,
                candidates=("b1-battle-droids", "b2-super-battle-droids"),
                violations=("No unit has this name; some are like it.",),
            ),
            Line(
                read="E-60R Trooper (20)", kind=Kind.UPGRADE, of=12, violations=("No upgrade is known by this name.",)
            ),
            Line(
                read="Battle Droid (6)",
                kind=Kind.UPGRADE,
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
                violations=("No upgrade has this name; some are like it.",),
            ),
            Line(read="HQ Uplink (10)", kind=Kind.UPGRADE, card="hq-uplink", of=12),
        ),
        violations=("The list claims 9 activations; 3 units were read.",),
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
            Line(read="My list", kind=Kind.TITLE),
            Line(
                read="230/600 (3 activations)",
                kind=Kind.POINTS,
                number=230,
                violations=("The list counts 230 points; today its cards cost 166.",),
            ),
            Line(read="230/600 (3 activations)", kind=Kind.SIZE, number=600),
            Line(read="", kind=Kind.FACTION, card="rebel", because="its units"),
            Line(read="- R2-D2 = 55", kind=Kind.UNIT, card="r2-d2-hero-of-a-thousand-devices", because="the Faction"),
            Line(
                read="- C-3PO = 15",
                kind=Kind.COUNTERPART,
                card="c-3po-human-cyborg-relations",
                because="its unit",
                of=4,
            ),
            Line(read="- 2× Rebel Troopers (40): Recon Intel (2) = 85", kind=Kind.UNIT, card="rebel-troopers"),
            Line(
                read="Recon Intel (2)",
                kind=Kind.UPGRADE,
                card="recon-intel",
                of=6,
                violations=("The list counts 2 points for Recon Intel; today it costs 8.",),
            ),
            Line(
                read="- 2× Rebel Troopers (40): Recon Intel (2) = 85",
                kind=Kind.UNIT,
                card="rebel-troopers",
                violations=("The list adds this up to 85 points; it is 84.",),
            ),
            Line(
                read="Recon Intel (2)",
                kind=Kind.UPGRADE,
                card="recon-intel",
                of=8,
                violations=("The list counts 2 points for Recon Intel; today it costs 8.",),
            ),
            Line(read="- Wampa", kind=Kind.UNKNOWN, violations=("This is no unit with its points.",)),
            Line(read="Ambush", kind=Kind.CONTINGENCY, card="ambush"),
        ),
    )


def test_minimal_text_with_loadouts(index: CardIndex):
    text = """2/600 (1 activation)
 - Loadout: Recon Intel
Snowtroopers
 - Loadout: HQ Uplink, Recon Intel"""

    assert read_minimal(text, index).lines[3:] == (
        Line(read="- Loadout: Recon Intel", kind=Kind.UNKNOWN, violations=("This loadout stands before any unit.",)),
        Line(read="Snowtroopers", kind=Kind.UNIT, card="snowtroopers"),
        Line(
            read="HQ Uplink", kind=Kind.LOADOUT, card="hq-uplink", of=4, violations=("Loadouts are no longer played.",)
        ),
        Line(
            read="Recon Intel",
            kind=Kind.LOADOUT,
            card="recon-intel",
            of=4,
            violations=("Loadouts are no longer played.",),
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
            Line(read="250/600 (4 activations)", kind=Kind.POINTS, number=250),
            Line(read="250/600 (4 activations)", kind=Kind.SIZE, number=600),
            Line(
                read="",
                kind=Kind.FACTION,
                candidates=("rebel", "separatist"),
                violations=("More than one Faction fits; choose which is meant.",),
            ),
            Line(
                read="2× Rebel Troopers (Tools of the Trade, Jetpack Rockets, HQ Uplink)",
                kind=Kind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot left for this (comms, grenades).",),
            ),
            Line(
                read="Tools of the Trade, Jetpack Rockets",
                kind=Kind.UPGRADE,
                card="tools-of-the-trade-jetpack-rockets",
                of=3,
                violations=("Tools of the Trade, Jetpack Rockets is not for Rebel Troopers.",),
            ),
            Line(read="HQ Uplink", kind=Kind.UPGRADE, card="hq-uplink", of=3),
            Line(
                read="2× Rebel Troopers (Tools of the Trade, Jetpack Rockets, HQ Uplink)",
                kind=Kind.UNIT,
                card="rebel-troopers",
                violations=("Rebel Troopers has no free slot left for this (comms, grenades).",),
            ),
            Line(
                read="Tools of the Trade, Jetpack Rockets",
                kind=Kind.UPGRADE,
                card="tools-of-the-trade-jetpack-rockets",
                of=6,
                violations=("Tools of the Trade, Jetpack Rockets is not for Rebel Troopers.",),
            ),
            Line(read="HQ Uplink", kind=Kind.UPGRADE, card="hq-uplink", of=6),
            Line(
                read="R2-D2 (HQ Uplink)",
                kind=Kind.UNIT,
                candidates=("r2-d2-hero-of-a-thousand-devices", "r2-d2-independent-astromech"),
                violations=("More than one unit fits; choose which is meant.",),
            ),
            Line(read="HQ Uplink", kind=Kind.UPGRADE, card="hq-uplink", of=9),
            Line(
                read="C-3PO",
                kind=Kind.COUNTERPART,
                candidates=("c-3po-human-cyborg-relations", "c-3po-made-to-suffer"),
                of=9,
                violations=("More than one counterpart fits; choose which is meant.",),
            ),
            Line(read="Super Tactical Droid - Kraken", kind=Kind.UNIT, card="kraken-super-tactical-droid"),
            Line(read="- Loadout: (none)", kind=Kind.NOTE, of=12),
            Line(read="Ambush", kind=Kind.COMMAND_CARD, card="ambush"),
            Line(read="Push", kind=Kind.COMMAND_CARD, card="push"),
            Line(read="Standing Orders", kind=Kind.COMMAND_CARD, card="standing-orders"),
        ),
    )
