from lists.formats.cards import CardIndex
from lists.formats.list_text import write_tournament
from rules.battle.plain_army import PlainArmy, PlainUnit


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
Rebel
R2-D2, Hero of a Thousand Devices (65)
 - HQ Uplink (10)
C-3PO, Human-Cyborg Relations (15)
Rebel Troopers (40)

Commands:
•Ambush
••••Standing Orders

Standard Battle Deck
Objectives:
 - Payload
Advantages:
 - Advanced Intel
"""
    )


def test_an_army_without_a_title(index: CardIndex):
    assert write_tournament(PlainArmy(faction="rebel", size=600), index) == "Untitled\n0/600 (0 activations)\nRebel\n"
