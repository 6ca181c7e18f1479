import json

from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine, Reason
from lists.formats.plain_army import PlainArmy, PlainUnit, army_of
from lists.formats.tts_json import read, write


def test_real_excerpts_of_tabletop_admiral(index: CardIndex):
    text = """{"listname":"Melee Leaning Army","points":606,"author":"Tabletop Admiral","armyFaction":"empire",
"commandCards":["Standing Orders","Implacable"],"contingencies":[],
"units":[{"name":"Darth Vader Dark Lord of the Sith","upgrades":["Force Push","Force Reflexes",
"Saber Throw"],"loadout":[]},{"name":"Darth Vader","upgrades":["Force Reflexes"],"loadout":[]}],
"battlefieldDeck":{"scenario":"standard","conditions":[],"deployment":[],"objective":[]}}"""

    assert read(text, index) == Parsed(
        Format.ADMIRAL_JSON,
        lines=(
            ParsedLine(read="Melee Leaning Army", kind=LineKind.TITLE),
            ParsedLine(read="606", kind=LineKind.POINTS, number=606),
            ParsedLine(read="empire", kind=LineKind.FACTION, card="empire"),
            ParsedLine(read="author: Tabletop Admiral", kind=LineKind.NOTE),
            ParsedLine(
                read="Darth Vader Dark Lord of the Sith", kind=LineKind.UNIT, card="darth-vader-dark-lord-of-the-sith"
            ),
            ParsedLine(read="Force Push", kind=LineKind.UPGRADE, card="force-push", of=4),
            ParsedLine(read="Force Reflexes", kind=LineKind.UPGRADE, card="force-reflexes", of=4),
            ParsedLine(read="Saber Throw", kind=LineKind.UPGRADE, card="saber-throw", of=4),
            ParsedLine(
                read="Darth Vader",
                kind=LineKind.UNIT,
                candidates=("darth-vader-dark-lord-of-the-sith", "darth-vader-the-emperors-apprentice"),
                violations=("More than one unit matches. Choose one.",),
            ),
            ParsedLine(read="Force Reflexes", kind=LineKind.UPGRADE, card="force-reflexes", of=8),
            ParsedLine(read="Standing Orders", kind=LineKind.COMMAND_CARD, card="standing-orders"),
            ParsedLine(read="Implacable", kind=LineKind.COMMAND_CARD, card="implacable"),
            ParsedLine(read="standard", kind=LineKind.SCENARIO),
        ),
    )


def test_names_with_other_things_among_them(index: CardIndex):
    text = """{"listname":"501st 600pts","points":594,"author":"Tabletop Admiral","armyFaction":"republic",
"battleForce":null,"commandCards":["Standing Orders"],"contingencies":["Ambush"],
"units":[{"name":"Clone Trooper Infantry","upgrades":["Z-6 Clone Trooper","Clone Trooper Infantry"],
"loadout":[]},{"name":"R2-D2 Independent Astromech","upgrades":["C-3PO Made to Suffer"],
"loadout":["HQ Uplink"]},{"name":"AT-RT","upgrades":[3]},"Yoda"],
"battlefieldDeck":{"scenario":"standard","conditions":["Payload"],"deployment":["Advanced Intel"],
"objective":[],"fog":1},"colour":"blue"}"""

    assert read(text, index) == Parsed(
        Format.ADMIRAL_JSON,
        lines=(
            ParsedLine(read="501st 600pts", kind=LineKind.TITLE),
            ParsedLine(
                read="594",
                kind=LineKind.POINTS,
                number=594,
                violations=("The cards cost 221 points now, but 594 in the list.",),
            ),
            ParsedLine(read="republic", kind=LineKind.FACTION, card="republic"),
            ParsedLine(read="author: Tabletop Admiral", kind=LineKind.NOTE),
            ParsedLine(read="colour: blue", kind=LineKind.UNKNOWN, violations=("This key is unknown in this format.",)),
            ParsedLine(read="Clone Trooper Infantry", kind=LineKind.UNIT, card="clone-trooper-infantry"),
            ParsedLine(read="Z-6 Clone Trooper", kind=LineKind.UPGRADE, card="z-6-clone-trooper", of=5),
            ParsedLine(read="Clone Trooper Infantry", kind=LineKind.UPGRADE, card="clone-trooper-infantry", of=5),
            ParsedLine(read="R2-D2 Independent Astromech", kind=LineKind.UNIT, card="r2-d2-independent-astromech"),
            ParsedLine(read="C-3PO Made to Suffer", kind=LineKind.COUNTERPART, card="c-3po-made-to-suffer", of=8),
            ParsedLine(
                read="HQ Uplink",
                kind=LineKind.LOADOUT,
                card="hq-uplink",
                of=8,
                violations=("Loadouts are no longer part of the game.",),
            ),
            ParsedLine(read="AT-RT", kind=LineKind.UNIT, card="at-rt-republic", because="the Faction"),
            ParsedLine(read="3", kind=LineKind.UNKNOWN, of=11, violations=("The name is missing (upgrade).",)),
            ParsedLine(read="Yoda", kind=LineKind.UNKNOWN, violations=("This is not a unit with a name.",)),
            ParsedLine(read="Standing Orders", kind=LineKind.COMMAND_CARD, card="standing-orders"),
            ParsedLine(read="Ambush", kind=LineKind.CONTINGENCY, card="ambush"),
            ParsedLine(read="standard", kind=LineKind.SCENARIO),
            ParsedLine(read="Payload", kind=LineKind.BATTLE_CARD, card="payload"),
            ParsedLine(
                read="Advanced Intel", kind=LineKind.BATTLE_CARD, card="advanced-intel", because="recon or standard"
            ),
            ParsedLine(read="fog: 1", kind=LineKind.UNKNOWN, violations=("This key is unknown in this format.",)),
        ),
    )


def test_a_loadout_is_written_apart_and_read_back(index: CardIndex):
    army = PlainArmy(faction="empire", units=(PlainUnit("stormtroopers", loadout=("hq-uplink",)),))

    assert json.loads(write(army, index))["units"] == [
        {"name": "Stormtroopers", "upgrades": [], "loadout": ["HQ Uplink"]}
    ]
    assert army_of(read(write(army, index), index)) == army


def test_a_counterpart_and_its_upgrade_stand_among_those_of_its_unit(index: CardIndex):
    text = """{"author":"LegionApp","armyFaction":"imperial","units":[{"name":"iden versio, inferno squad leader",
"upgrades":["Tenacity","Iden's ID10 Seeker Droid","HQ Uplink"]},{"name":"Wampa","colour":1}],
"battleForce":7,"points":"many","numActivations":5,"battlefieldDeck":[]}"""

    assert read(text, index) == Parsed(
        Format.TTS_JSON,
        lines=(
            ParsedLine(read="many", kind=LineKind.POINTS, violations=("This must be a whole number.",)),
            ParsedLine(read="imperial", kind=LineKind.FACTION, card="empire"),
            ParsedLine(read="7", kind=LineKind.UNKNOWN, violations=("The name is missing (battle force).",)),
            ParsedLine(read="author: LegionApp", kind=LineKind.NOTE),
            ParsedLine(read="numActivations: 5", kind=LineKind.NOTE),
            ParsedLine(
                read="iden versio, inferno squad leader", kind=LineKind.UNIT, card="iden-versio-inferno-squad-leader"
            ),
            ParsedLine(
                read="Iden's ID10 Seeker Droid", kind=LineKind.COUNTERPART, card="idens-id10-seeker-droid", of=5
            ),
            ParsedLine(read="Tenacity", kind=LineKind.UPGRADE, card="tenacity", of=5),
            ParsedLine(read="HQ Uplink", kind=LineKind.UPGRADE, card="hq-uplink", of=6),
            ParsedLine(read="Wampa", kind=LineKind.UNIT, violations=("No unit has this name.",)),
            ParsedLine(
                read="colour: 1", kind=LineKind.UNKNOWN, of=9, violations=("This key is unknown in this format.",)
            ),
            ParsedLine(read="[]", kind=LineKind.UNKNOWN, violations=("The battle deck must list cards by type.",)),
        ),
        violations=("The list says 5 activations, but 2 units were found.",),
    )


def test_no_faction_is_that_of_the_battle_force(index: CardIndex):
    text = """{"armyFaction":"","battleForce":"Shadow Collective","units":[{"name":"A-A5 Speeder Truck"}],
"battlefieldDeck":null}"""

    assert read(text, index) == Parsed(
        Format.TTS_JSON,
        lines=(
            ParsedLine(read="", kind=LineKind.FACTION, card="mercenary", because="the battle force"),
            ParsedLine(read="Shadow Collective", kind=LineKind.BATTLE_FORCE, card="shadow-collective"),
            ParsedLine(
                read="A-A5 Speeder Truck",
                kind=LineKind.UNIT,
                card="a-a5-speeder-truck-mercenary",
                because="the Faction",
            ),
        ),
    )


def test_an_unknown_faction(index: CardIndex):
    text = '{"armyFaction":"Hutts","units":[]}'

    assert read(text, index) == Parsed(
        Format.TTS_JSON,
        lines=(ParsedLine(read="Hutts", kind=LineKind.FACTION, violations=("No Faction has this name.",)),),
    )


def test_json_without_a_list_of_units_is_refused(index: CardIndex):
    refused = read('{"units": {}}', index).refused

    assert refused
    assert refused.reason is Reason.WRONG_SHAPE


def test_an_army_in_full(index: CardIndex):
    army = PlainArmy(
        faction="empire",
        battle_force="blizzard-force",
        size=600,
        title="Cold",
        units=(
            PlainUnit("iden-versio-inferno-squad-leader", ("tenacity",), "idens-id10-seeker-droid", ("hq-uplink",)),
        ),
        command_cards=("ambush",),
        battle_cards=("bunker-assault-recon", "recon-mission-recon", "advanced-intel-recon"),
    )

    assert json.loads(write(army, index)) == {
        "author": "Musterbook",
        "listname": "Cold",
        "points": 131,
        "numActivations": 1,
        "armyFaction": "empire",
        "battleForce": "Blizzard Force",
        "commandCards": ["Ambush", "Standing Orders"],
        "contingencies": [],
        "units": [
            {
                "name": "Iden Versio Inferno Squad Leader",
                "upgrades": ["Tenacity", "Iden's ID10 Seeker Droid", "HQ Uplink"],
                "loadout": [],
            }
        ],
        "battlefieldDeck": {
            "conditions": ["Advanced Intel"],
            "deployment": ["Bunker Assault"],
            "objective": ["Recon Mission"],
            "scenario": "recon",
        },
        "listlink": "https://legionhq2.com/list/empire/600:bf:1kg0df00+1lwdm,bl,,,,,,An,Ar,At",
    }
