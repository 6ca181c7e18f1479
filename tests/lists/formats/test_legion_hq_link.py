import pytest

from lists.formats.cards import CardIndex
from lists.formats.legion_hq_link import read, write
from lists.formats.parsed import Format, LineKind, Parsed, ParsedLine, Reason, RefusedText
from lists.formats.plain_army import PlainArmy, PlainUnit


def test_a_real_link_of_2021(index: CardIndex):
    text = "/list/rebels/1abcxnz0,2ahiu000,2ah0000,1ah0eu00,2ajeejbdfda0,2hedf0,cr,cv,cl,cp,ch,bj,Of,Od"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            ParsedLine(read="rebels", kind=LineKind.FACTION, card="rebel"),
            ParsedLine(read="ab", kind=LineKind.UNIT, card="leia-organa-fearless-and-inventive"),
            ParsedLine(read="cx", kind=LineKind.UPGRADE, of=1, violations=("“cx” is no longer a card code.",)),
            ParsedLine(read="nz", kind=LineKind.UPGRADE, card="vigilance", of=1),
            ParsedLine(read="ah", kind=LineKind.UNIT, card="rebel-troopers"),
            ParsedLine(read="iu", kind=LineKind.UPGRADE, card="dlt-20a-trooper", of=4),
            ParsedLine(read="ah", kind=LineKind.UNIT, card="rebel-troopers"),
            ParsedLine(read="iu", kind=LineKind.UPGRADE, card="dlt-20a-trooper", of=6),
            ParsedLine(read="ah", kind=LineKind.UNIT, card="rebel-troopers"),
            ParsedLine(read="ah", kind=LineKind.UNIT, card="rebel-troopers"),
            ParsedLine(read="ah", kind=LineKind.UNIT, card="rebel-troopers"),
            ParsedLine(read="eu", kind=LineKind.UPGRADE, card="2-1b-medical-droid", of=10),
            ParsedLine(read="aj", kind=LineKind.UNIT, card="wookiee-warriors-freedom-fighters"),
            ParsedLine(read="ee", kind=LineKind.UPGRADE, card="bowcaster-wookiee", of=12),
            ParsedLine(read="jb", kind=LineKind.UPGRADE, card="offensive-push", of=12),
            ParsedLine(read="df", kind=LineKind.UPGRADE, card="tenacity", of=12),
            ParsedLine(read="da", kind=LineKind.UPGRADE, card="recon-intel", of=12),
            ParsedLine(read="aj", kind=LineKind.UNIT, card="wookiee-warriors-freedom-fighters"),
            ParsedLine(read="ee", kind=LineKind.UPGRADE, card="bowcaster-wookiee", of=17),
            ParsedLine(read="jb", kind=LineKind.UPGRADE, card="offensive-push", of=17),
            ParsedLine(read="df", kind=LineKind.UPGRADE, card="tenacity", of=17),
            ParsedLine(read="da", kind=LineKind.UPGRADE, card="recon-intel", of=17),
            ParsedLine(read="he", kind=LineKind.UNIT, card="tauntaun-riders"),
            ParsedLine(read="df", kind=LineKind.UPGRADE, card="tenacity", of=22),
            ParsedLine(read="he", kind=LineKind.UNIT, card="tauntaun-riders"),
            ParsedLine(read="df", kind=LineKind.UPGRADE, card="tenacity", of=24),
            ParsedLine(read="cr", kind=LineKind.COMMAND_CARD, card="coordinated-bombardment"),
            ParsedLine(read="cv", kind=LineKind.COMMAND_CARD, card="sabotaged-communications"),
            ParsedLine(read="cl", kind=LineKind.COMMAND_CARD, card="no-time-for-sorrows"),
            ParsedLine(read="cp", kind=LineKind.COMMAND_CARD, card="turning-the-tide"),
            ParsedLine(read="ch", kind=LineKind.COMMAND_CARD, card="covering-fire"),
            ParsedLine(read="bj", kind=LineKind.COMMAND_CARD, card="assault"),
            ParsedLine(read="Of", kind=LineKind.UNKNOWN, violations=("“Of” is no longer a card code.",)),
            ParsedLine(read="Od", kind=LineKind.UNKNOWN, violations=("“Od” is no longer a card code.",)),
        ),
    )


def test_a_real_link_with_empty_items_and_units_that_are_gone(index: CardIndex):
    text = "/list/empire/1asdx00ik,2hgfu0000,2ft0,2bbem0000,1bceljb0de0,1ayej000,1ay0ez00,,,,,,"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            ParsedLine(read="empire", kind=LineKind.FACTION, card="empire"),
            ParsedLine(read="as", kind=LineKind.UNIT, violations=("“as” is no longer a card code.",)),
            ParsedLine(read="dx", kind=LineKind.UPGRADE, card="anger", of=1),
            ParsedLine(read="ik", kind=LineKind.UPGRADE, of=1, violations=("“ik” is no longer a card code.",)),
            ParsedLine(read="hg", kind=LineKind.UNIT, card="shoretroopers"),
            ParsedLine(read="fu", kind=LineKind.UPGRADE, card="t-21b-shoretrooper", of=4),
            ParsedLine(read="hg", kind=LineKind.UNIT, card="shoretroopers"),
            ParsedLine(read="fu", kind=LineKind.UPGRADE, card="t-21b-shoretrooper", of=6),
            ParsedLine(read="ft", kind=LineKind.UNIT, card="df-90-mortar-trooper"),
            ParsedLine(read="ft", kind=LineKind.UNIT, card="df-90-mortar-trooper"),
            ParsedLine(read="bb", kind=LineKind.UNIT, card="scout-troopers-strike-team"),
            ParsedLine(read="em", kind=LineKind.UPGRADE, card="dlt-19x-sniper", of=10),
            ParsedLine(read="bb", kind=LineKind.UNIT, card="scout-troopers-strike-team"),
            ParsedLine(read="em", kind=LineKind.UPGRADE, card="dlt-19x-sniper", of=12),
            ParsedLine(read="bc", kind=LineKind.UNIT, violations=("“bc” is no longer a card code.",)),
            ParsedLine(read="el", kind=LineKind.UPGRADE, of=14, violations=("“el” is no longer a card code.",)),
            ParsedLine(read="jb", kind=LineKind.UPGRADE, card="offensive-push", of=14),
            ParsedLine(read="de", kind=LineKind.UPGRADE, card="environmental-gear", of=14),
            ParsedLine(read="ay", kind=LineKind.UNIT, card="stormtroopers"),
            ParsedLine(read="ej", kind=LineKind.UPGRADE, card="dlt-19-stormtrooper", of=18),
            ParsedLine(read="ay", kind=LineKind.UNIT, card="stormtroopers"),
            ParsedLine(read="ez", kind=LineKind.UPGRADE, card="fx-9-medical-droid", of=20),
        ),
    )


def test_a_real_fragment(index: CardIndex):
    text = "https://legionhq2.com/list/empire/1at0pqdydv"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            ParsedLine(read="empire", kind=LineKind.FACTION, card="empire"),
            ParsedLine(read="at", kind=LineKind.UNIT, card="darth-vader-dark-lord-of-the-sith"),
            ParsedLine(read="pq", kind=LineKind.UPGRADE, card="burst-of-speed", of=1),
            ParsedLine(read="dy", kind=LineKind.UPGRADE, card="force-choke", of=1),
            ParsedLine(read="dv", kind=LineKind.UPGRADE, card="saber-throw", of=1),
        ),
    )


def test_a_recon_army_of_a_battle_force(index: CardIndex):
    text = "https://legionhq2.com/list/empire/600:bf:1Cb0000000,2az0000,1bf0"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            ParsedLine(read="empire", kind=LineKind.FACTION, card="empire"),
            ParsedLine(read="600", kind=LineKind.SIZE, number=600),
            ParsedLine(read="bf", kind=LineKind.BATTLE_FORCE, card="blizzard-force"),
            ParsedLine(read="Cb", kind=LineKind.UNIT, card="imperial-officer-ruthless-efficiency"),
            ParsedLine(read="az", kind=LineKind.UNIT, card="snowtroopers"),
            ParsedLine(read="az", kind=LineKind.UNIT, card="snowtroopers"),
            ParsedLine(read="bf", kind=LineKind.UNIT, card="74-z-speeder-bikes"),
        ),
    )


def test_mercenaries_without_a_battle_force_are_the_shadow_collective(index: CardIndex):
    text = "https://legionhq.thefifthtrooper.com/list/mercenary/1rd0"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            ParsedLine(read="mercenary", kind=LineKind.FACTION, card="mercenary"),
            ParsedLine(read="", kind=LineKind.BATTLE_FORCE, card="shadow-collective", because="the Faction"),
            ParsedLine(read="rd", kind=LineKind.UNIT, card="gar-saxon-militant-commando"),
        ),
    )


def test_what_does_not_belong_into_a_link_is_kept(index: CardIndex):
    text = "https://legionhq2.com/list/separatists/700:zz:at0,1axQ_+1lw0,1lw,1ji,Ag,at,bl,aa"

    assert read(text, index) == Parsed(
        Format.LEGION_HQ_LINK,
        lines=(
            ParsedLine(read="separatists", kind=LineKind.FACTION, card="separatist"),
            ParsedLine(read="700", kind=LineKind.SIZE, number=700),
            ParsedLine(read="zz", kind=LineKind.BATTLE_FORCE, violations=("No battle force has this name.",)),
            ParsedLine(
                read="at",
                kind=LineKind.UNIT,
                card="darth-vader-dark-lord-of-the-sith",
                violations=(
                    "The link does not say how many of this unit. One was assumed.",
                    "Darth Vader, Dark Lord of the Sith cannot be part of a Separatist army.",
                ),
            ),
            ParsedLine(read="ax", kind=LineKind.UNIT, card="bossk-trandoshan-terror"),
            ParsedLine(read="Q", kind=LineKind.UNKNOWN, of=4, violations=("Unknown character in the link.",)),
            ParsedLine(read="_", kind=LineKind.UNKNOWN, of=4, violations=("Unknown character in the link.",)),
            ParsedLine(
                read="lw",
                kind=LineKind.COUNTERPART,
                card="idens-id10-seeker-droid",
                of=4,
                violations=("Iden's ID10 Seeker Droid cannot be added to this unit.",),
            ),
            ParsedLine(
                read="lw",
                kind=LineKind.COUNTERPART,
                card="idens-id10-seeker-droid",
                of=4,
                violations=("Iden's ID10 Seeker Droid cannot be added to this unit.",),
            ),
            ParsedLine(
                read="ji",
                kind=LineKind.COUNTERPART,
                card="c-3po-human-cyborg-relations",
                of=4,
                violations=("C-3PO, Human-Cyborg Relations cannot be added to this unit.",),
            ),
            ParsedLine(read="Ag", kind=LineKind.BATTLE_CARD, card="breakthrough"),
            ParsedLine(
                read="at",
                kind=LineKind.UNKNOWN,
                violations=(
                    "“at” is now the code of Darth Vader, Dark Lord of the Sith, which is not a command card or battle card. It had another meaning when the link was made.",  # noqa: E501
                ),
            ),
            ParsedLine(read="bl", kind=LineKind.COMMAND_CARD, card="ambush"),
            ParsedLine(read="aa", kind=LineKind.COMMAND_CARD, card="standing-orders"),
        ),
    )


def test_a_link_to_the_server_of_legion_hq_cannot_be_decoded(index: CardIndex):
    refused = read("https://legionhq2.com/list/12345", index).refused

    assert refused
    assert refused.reason is Reason.NOT_DECODABLE


def test_what_is_no_link_is_refused(index: CardIndex):
    reasons = [(read(text, index).refused or RefusedText(None, "")).reason for text in ("", "hello", "/list/")]

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
