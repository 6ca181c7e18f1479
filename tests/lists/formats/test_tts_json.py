import json

from lists.formats.cards import CardIndex
from lists.formats.plain_army import army_of
from lists.formats.tts_json import read, write
from rules.battle.plain_army import PlainArmy, PlainUnit


def test_a_loadout_is_written_apart_and_read_back(index: CardIndex):
    army = PlainArmy(faction="empire", units=(PlainUnit("stormtroopers", loadout=("hq-uplink",)),))

    assert json.loads(write(army, index))["units"] == [
        {"name": "Stormtroopers", "upgrades": [], "loadout": ["HQ Uplink"]}
    ]
    assert army_of(read(write(army, index), index)) == army


def test_json_without_a_list_of_units_is_refused(index: CardIndex):
    assert read('{"units": {}}', index).refused == "This JSON does not contain units."


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
