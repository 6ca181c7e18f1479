import pytest

from lists.formats.cards import CardIndex
from lists.formats.legion_hq_link import read, write
from rules.battle.plain_army import PlainArmy, PlainUnit


def test_a_link_to_the_server_of_legion_hq_cannot_be_decoded(index: CardIndex):
    refused = read("https://legionhq2.com/list/12345", index).refused

    assert refused.startswith("This short link does not contain the list.")


def test_what_is_no_link_is_refused(index: CardIndex):
    refused = {read(text, index).refused for text in ("", "hello", "/list/")}

    assert refused == {"This is not a link to a Legion HQ list."}


def test_copies_are_written_once_with_their_number(index: CardIndex):
    army = PlainArmy(
        faction="empire",
        battle_force="blizzard-force",
        size=600,
        units=(PlainUnit("imperial-officer-ruthless-efficiency", ("vigilance",)), *[PlainUnit("snowtroopers")] * 11),
        command_cards=("ambush",),
        battle_cards=("bunker-assault-recon",),
    )

    assert write(army, index) == ("https://legionhq2.com/list/empire/600:bf:1Cb0nz00000,9az0000,2az0000,bl,,,,,,An")


def test_a_counterpart_is_written_with_its_unit(index: CardIndex):
    army = PlainArmy(
        faction="empire",
        units=(PlainUnit("iden-versio-inferno-squad-leader", (), "idens-id10-seeker-droid", ("hq-uplink",)),),
    )

    assert write(army, index) == "https://legionhq2.com/list/empire/1kg0000+1lwdm,,,,,,"


def test_legion_hq_knows_no_other_faction(index: CardIndex):
    with pytest.raises(KeyError):
        write(PlainArmy(faction="hutts"), index)
