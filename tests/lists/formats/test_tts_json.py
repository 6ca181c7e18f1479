import json

from lists.formats.cards import CardIndex
from lists.formats.parsed import Format, Kind, Line, Parsed, Reason
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
            Line(read="Melee Leaning Army", kind=Kind.TITLE),
            Line(read="606", kind=Kind.POINTS, number=606),
            Line(read="empire", kind=Kind.FACTION, card="empire"),
            Line(read="author: Tabletop Admiral", kind=Kind.NOTE),
            Line(read="Darth Vader Dark Lord of the Sith", kind=Kind.UNIT, card="darth-vader-dark-lord-of-the-sith"),
            Line(read="Force Push", kind=Kind.UPGRADE, card="force-push", of=4),
            Line(read="Force Reflexes", kind=Kind.UPGRADE, card="force-reflexes", of=4),
            Line(read="Saber Throw", kind=Kind.UPGRADE, card="saber-throw", of=4),
            Line(
                read="Darth Vader",
                kind=Kind.UNIT,
                candidates=("darth-vader-dark-lord-of-the-sith", "darth-vader-the-emperors-apprentice"),
                violations=("More than one unit fits; choose which is meant.",),
            ),
            Line(read="Force Reflexes", kind=Kind.UPGRADE, card="force-reflexes", of=8),
            Line(read="Standing Orders", kind=Kind.COMMAND_CARD, card="standing-orders"),
            Line(read="Implacable", kind=Kind.COMMAND_CARD, card="implacable"),
            Line(read="standard", kind=Kind.SCENARIO),
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
            Line(read="501st 600pts", kind=Kind.TITLE),
            Line(
                read="594",
                kind=Kind.POINTS,
                number=594,
                violations=("The list counts 594 points; today its cards cost 221.",),
            ),
            Line(read="republic", kind=Kind.FACTION, card="republic"),
            Line(read="author: Tabletop Admiral", kind=Kind.NOTE),
            Line(read="colour: blue", kind=Kind.UNKNOWN, violations=("This is no part of the format.",)),
            Line(read="Clone Trooper Infantry", kind=Kind.UNIT, card="clone-trooper-infantry"),
            Line(read="Z-6 Clone Trooper", kind=Kind.UPGRADE, card="z-6-clone-trooper", of=5),
            Line(read="Clone Trooper Infantry", kind=Kind.UPGRADE, card="clone-trooper-infantry", of=5),
            Line(read="R2-D2 Independent Astromech", kind=Kind.UNIT, card="r2-d2-independent-astromech"),
            Line(read="C-3PO Made to Suffer", kind=Kind.COUNTERPART, card="c-3po-made-to-suffer", of=8),
            Line(
                read="HQ Uplink",
                kind=Kind.LOADOUT,
                card="hq-uplink",
                of=8,
                violations=("Loadouts are no longer played.",),
            ),
            Line(read="AT-RT", kind=Kind.UNIT, card="at-rt-republic", because="the Faction"),
            Line(read="3", kind=Kind.UNKNOWN, of=11, violations=("Expected a name (upgrade).",)),
            Line(read="Yoda", kind=Kind.UNKNOWN, violations=("Expected a unit with its name.",)),
            Line(read="Standing Orders", kind=Kind.COMMAND_CARD, card="standing-orders"),
            Line(read="Ambush", kind=Kind.CONTINGENCY, card="ambush"),
            Line(read="standard", kind=Kind.SCENARIO),
            Line(read="Payload", kind=Kind.BATTLE_CARD, card="payload"),
            Line(read="Advanced Intel", kind=Kind.BATTLE_CARD, card="advanced-intel", because="recon or standard"),
            Line(read="fog: 1", kind=Kind.UNKNOWN, violations=("This is no part of the format.",)),
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
            Line(read="many", kind=Kind.POINTS, violations=("Expected a whole number.",)),
            Line(read="imperial", kind=Kind.FACTION, card="empire"),
            Line(read="7", kind=Kind.UNKNOWN, violations=("Expected a name (battle force).",)),
            Line(read="author: LegionApp", kind=Kind.NOTE),
            Line(read="numActivations: 5", kind=Kind.NOTE),
            Line(read="iden versio, inferno squad leader", kind=Kind.UNIT, card="iden-versio-inferno-squad-leader"),
            Line(read="Iden's ID10 Seeker Droid", kind=Kind.COUNTERPART, card="idens-id10-seeker-droid", of=5),
            Line(read="Tenacity", kind=Kind.UPGRADE, card="tenacity", of=5),
            Line(read="HQ Uplink", kind=Kind.UPGRADE, card="hq-uplink", of=6),
            Line(read="Wampa", kind=Kind.UNIT, violations=("No unit is known by this name.",)),
            Line(read="colour: 1", kind=Kind.UNKNOWN, of=9, violations=("This is no part of the format.",)),
            Line(read="[]", kind=Kind.UNKNOWN, violations=("Expected the battle deck by kinds of cards.",)),
        ),
        violations=("The list claims 5 activations; 2 units were read.",),
    )


def test_no_faction_is_that_of_the_battle_force(index: CardIndex):
    text = """{"armyFaction":"","battleForce":"Shadow Collective","units":[{"name":"A-A5 Speeder Truck"}],
"battlefieldDeck":null}"""

    assert read(text, index) == Parsed(
        Format.TTS_JSON,
        lines=(
            Line(read="", kind=Kind.FACTION, card="mercenary", because="the battle force"),
            Line(read="Shadow Collective", kind=Kind.BATTLE_FORCE, card="shadow-collective"),
            Line(read="A-A5 Speeder Truck", kind=Kind.UNIT, card="a-a5-speeder-truck-mercenary", because="the Faction"),
        ),
    )


def test_an_unknown_faction(index: CardIndex):
    text = '{"armyFaction":"Hutts","units":[]}'

    assert read(text, index) == Parsed(
        Format.TTS_JSON,
        lines=(Line(read="Hutts", kind=Kind.FACTION, violations=("No Faction is known by this name.",)),),
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
