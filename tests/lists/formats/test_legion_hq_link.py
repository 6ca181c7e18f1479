import pytest

from lists.formats.cards import CardIndex
from lists.formats.legion_hq_link import read, write
from lists.formats.parsed import Format, Kind, Line, Parsed, Reason, Refused
from lists.formats.plain_army import PlainArmy, PlainUnit


def test_a_real_link_of_2021(index: CardIndex):
    text = "/list/rebels/1abcxnz0,2ahiu000,2ah0000,1ah0eu00,2ajeejbdfda0,2hedf0,cr,cv,cl,cp,ch,bj,Of,Od"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            Line(read="rebels", kind=Kind.FACTION, card="rebel"),
            Line(read="ab", kind=Kind.UNIT, card="leia-organa-fearless-and-inventive"),
            Line(read="cx", kind=Kind.UPGRADE, of=1, violations=("No card has the letters cx any more.",)),
            Line(read="nz", kind=Kind.UPGRADE, card="vigilance", of=1),
            Line(read="ah", kind=Kind.UNIT, card="rebel-troopers"),
            Line(read="iu", kind=Kind.UPGRADE, card="dlt-20a-trooper", of=4),
            Line(read="ah", kind=Kind.UNIT, card="rebel-troopers"),
            Line(read="iu", kind=Kind.UPGRADE, card="dlt-20a-trooper", of=6),
            Line(read="ah", kind=Kind.UNIT, card="rebel-troopers"),
            Line(read="ah", kind=Kind.UNIT, card="rebel-troopers"),
            Line(read="ah", kind=Kind.UNIT, card="rebel-troopers"),
            Line(read="eu", kind=Kind.UPGRADE, card="2-1b-medical-droid", of=10),
            Line(read="aj", kind=Kind.UNIT, card="wookiee-warriors-freedom-fighters"),
            Line(read="ee", kind=Kind.UPGRADE, card="bowcaster-wookiee", of=12),
            Line(read="jb", kind=Kind.UPGRADE, card="offensive-push", of=12),
            Line(read="df", kind=Kind.UPGRADE, card="tenacity", of=12),
            Line(read="da", kind=Kind.UPGRADE, card="recon-intel", of=12),
            Line(read="aj", kind=Kind.UNIT, card="wookiee-warriors-freedom-fighters"),
            Line(read="ee", kind=Kind.UPGRADE, card="bowcaster-wookiee", of=17),
            Line(read="jb", kind=Kind.UPGRADE, card="offensive-push", of=17),
            Line(read="df", kind=Kind.UPGRADE, card="tenacity", of=17),
            Line(read="da", kind=Kind.UPGRADE, card="recon-intel", of=17),
            Line(read="he", kind=Kind.UNIT, card="tauntaun-riders"),
            Line(read="df", kind=Kind.UPGRADE, card="tenacity", of=22),
            Line(read="he", kind=Kind.UNIT, card="tauntaun-riders"),
            Line(read="df", kind=Kind.UPGRADE, card="tenacity", of=24),
            Line(read="cr", kind=Kind.COMMAND_CARD, card="coordinated-bombardment"),
            Line(read="cv", kind=Kind.COMMAND_CARD, card="sabotaged-communications"),
            Line(read="cl", kind=Kind.COMMAND_CARD, card="no-time-for-sorrows"),
            Line(read="cp", kind=Kind.COMMAND_CARD, card="turning-the-tide"),
            Line(read="ch", kind=Kind.COMMAND_CARD, card="covering-fire"),
            Line(read="bj", kind=Kind.COMMAND_CARD, card="assault"),
            Line(read="Of", kind=Kind.UNKNOWN, violations=("No card has the letters Of any more.",)),
            Line(read="Od", kind=Kind.UNKNOWN, violations=("No card has the letters Od any more.",)),
        ),
    )


def test_a_real_link_with_empty_items_and_units_that_are_gone(index: CardIndex):
    text = "/list/empire/1asdx00ik,2hgfu0000,2ft0,2bbem0000,1bceljb0de0,1ayej000,1ay0ez00,,,,,,"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            Line(read="empire", kind=Kind.FACTION, card="empire"),
            Line(read="as", kind=Kind.UNIT, violations=("No card has the letters as any more.",)),
            Line(read="dx", kind=Kind.UPGRADE, card="anger", of=1),
            Line(read="ik", kind=Kind.UPGRADE, of=1, violations=("No card has the letters ik any more.",)),
            Line(read="hg", kind=Kind.UNIT, card="shoretroopers"),
            Line(read="fu", kind=Kind.UPGRADE, card="t-21b-shoretrooper", of=4),
            Line(read="hg", kind=Kind.UNIT, card="shoretroopers"),
            Line(read="fu", kind=Kind.UPGRADE, card="t-21b-shoretrooper", of=6),
            Line(read="ft", kind=Kind.UNIT, card="df-90-mortar-trooper"),
            Line(read="ft", kind=Kind.UNIT, card="df-90-mortar-trooper"),
            Line(read="bb", kind=Kind.UNIT, card="scout-troopers-strike-team"),
            Line(read="em", kind=Kind.UPGRADE, card="dlt-19x-sniper", of=10),
            Line(read="bb", kind=Kind.UNIT, card="scout-troopers-strike-team"),
            Line(read="em", kind=Kind.UPGRADE, card="dlt-19x-sniper", of=12),
            Line(read="bc", kind=Kind.UNIT, violations=("No card has the letters bc any more.",)),
            Line(read="el", kind=Kind.UPGRADE, of=14, violations=("No card has the letters el any more.",)),
            Line(read="jb", kind=Kind.UPGRADE, card="offensive-push", of=14),
            Line(read="de", kind=Kind.UPGRADE, card="environmental-gear", of=14),
            Line(read="ay", kind=Kind.UNIT, card="stormtroopers"),
            Line(read="ej", kind=Kind.UPGRADE, card="dlt-19-stormtrooper", of=18),
            Line(read="ay", kind=Kind.UNIT, card="stormtroopers"),
            Line(read="ez", kind=Kind.UPGRADE, card="fx-9-medical-droid", of=20),
        ),
    )


def test_a_real_fragment(index: CardIndex):
    text = "https://legionhq2.com/list/empire/1at0pqdydv"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            Line(read="empire", kind=Kind.FACTION, card="empire"),
            Line(read="at", kind=Kind.UNIT, card="darth-vader-dark-lord-of-the-sith"),
            Line(read="pq", kind=Kind.UPGRADE, card="burst-of-speed", of=1),
            Line(read="dy", kind=Kind.UPGRADE, card="force-choke", of=1),
            Line(read="dv", kind=Kind.UPGRADE, card="saber-throw", of=1),
        ),
    )


def test_a_recon_army_of_a_battle_force(index: CardIndex):
    text = "https://legionhq2.com/list/empire/600:bf:1Cb0000000,2az0000,1bf0"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            Line(read="empire", kind=Kind.FACTION, card="empire"),
            Line(read="600", kind=Kind.SIZE, number=600),
            Line(read="bf", kind=Kind.BATTLE_FORCE, card="blizzard-force"),
            Line(read="Cb", kind=Kind.UNIT, card="imperial-officer-ruthless-efficiency"),
            Line(read="az", kind=Kind.UNIT, card="snowtroopers"),
            Line(read="az", kind=Kind.UNIT, card="snowtroopers"),
            Line(read="bf", kind=Kind.UNIT, card="74-z-speeder-bikes"),
        ),
    )


def test_mercenaries_without_a_battle_force_are_the_shadow_collective(index: CardIndex):
    text = "https://legionhq.thefifthtrooper.com/list/mercenary/1rd0"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            Line(read="mercenary", kind=Kind.FACTION, card="mercenary"),
            Line(read="", kind=Kind.BATTLE_FORCE, card="shadow-collective", because="the Faction"),
            Line(read="rd", kind=Kind.UNIT, card="gar-saxon-militant-commando"),
        ),
    )


def test_what_does_not_belong_into_a_link_is_kept(index: CardIndex):
    text = "https://legionhq2.com/list/separatists/700:zz:at0,1axQ_+1lw0,1lw,1ji,Ag,at,bl,aa"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            Line(read="separatists", kind=Kind.FACTION, card="separatist"),
            Line(read="700", kind=Kind.SIZE, number=700),
            Line(read="zz", kind=Kind.BATTLE_FORCE, violations=("No battle force is known by this name.",)),
            Line(
                read="at",
                kind=Kind.UNIT,
                card="darth-vader-dark-lord-of-the-sith",
                violations=(
                    "How many of this unit? The link should say; taken as one.",
                    "Darth Vader, Dark Lord of the Sith does not serve in an army of the Separatist Faction.",
                ),
            ),
            Line(read="ax", kind=Kind.UNIT, card="bossk-trandoshan-terror"),
            Line(read="Q", kind=Kind.UNKNOWN, of=4, violations=("This sign means nothing in a link.",)),
            Line(read="_", kind=Kind.UNKNOWN, of=4, violations=("This sign means nothing in a link.",)),
            Line(
                read="lw",
                kind=Kind.COUNTERPART,
                card="idens-id10-seeker-droid",
                of=4,
                violations=("Iden's ID10 Seeker Droid does not come with this unit.",),
            ),
            Line(
                read="lw",
                kind=Kind.COUNTERPART,
                card="idens-id10-seeker-droid",
                of=4,
                violations=("Iden's ID10 Seeker Droid does not come with this unit.",),
            ),
            Line(
                read="ji",
                kind=Kind.COUNTERPART,
                card="c-3po-human-cyborg-relations",
                of=4,
                violations=("C-3PO, Human-Cyborg Relations does not come with this unit.",),
            ),
            Line(read="Ag", kind=Kind.BATTLE_CARD, card="breakthrough"),
            Line(
                read="at",
                kind=Kind.UNKNOWN,
                violations=(
                    "The letters at stand for Darth Vader, Dark Lord of the Sith today, which is no command card or battle card; they had another meaning.",  # noqa: E501
                ),
            ),
            Line(read="bl", kind=Kind.COMMAND_CARD, card="ambush"),
            Line(read="aa", kind=Kind.COMMAND_CARD, card="standing-orders"),
        ),
    )


def test_a_link_to_the_server_of_legion_hq_cannot_be_decoded(index: CardIndex):
    refused = read("https://legionhq2.com/list/12345", index).refused

    assert refused
    assert refused.reason is Reason.NOT_DECODABLE


def test_what_is_no_link_is_refused(index: CardIndex):
    reasons = [(read(text, index).refused or Refused(None, "")).reason for text in ("", "hello", "/list/")]

    assert reasons == [Reason.WRONG_SHAPE] * 3


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
