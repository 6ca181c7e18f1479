"""What the sheets and cards of a Register say."""

from __future__ import annotations

from registers.print import dossiers as print_dossiers
from registers.print.typesetting import Boxes, Caption, Columns, Pair, Text, Title, ToWrite
from rules.register.state import Trait
from tests.registers.print.crowds import BOOK
from tests.rules.build import OTHERS, PARAGON, TROOPERS, change, state

TERM = {"name": "Resilient", "text": "May reroll 1 die."}


def test_terms_are_told_once_with_how_often():
    assert print_dossiers.told("Keywords", [TERM, {"name": "Aim 1", "text": ""}, TERM]) == [
        Caption("Keywords"),
        Text("May reroll 1 die.", "Resilient ×2."),
        Text("", "Aim 1"),
    ]
    assert print_dossiers.told("Keywords", []) == []


def test_an_agenda_has_a_circle_for_each_progression():
    agenda = BOOK.agendas["keep-them-in-line"]
    register = state(agendas={agenda.slug: 2})
    circles = Boxes(agenda.name, 2, 3, "2 of 3 progressions", is_round=True)
    assert print_dossiers.agenda_state(register, agenda) == [circles]
    assert print_dossiers.agenda_state(state(agendas={agenda.slug: 9}), agenda)[0].done == 3


def test_the_fields_of_a_dossier_in_the_order_of_the_printed_form():
    register = change(
        state(trait=Trait("unsure", 1)),
        PARAGON,
        upgrades=("recon-intel",),
        setbacks=("battle-shaken",),
        commendations=("resilient",),
        keywords=("Aim 1",),
        experience=14,
        veteran_rank=2,
    )
    form = print_dossiers.dossier_form(BOOK, register, register.dossiers[PARAGON])
    unit, card = BOOK.units[register.dossiers[PARAGON].card], BOOK.upgrades["recon-intel"]
    name, setbacks = "Captain Sorne", (Text("Battle-Shaken"), Text("Unsure (1 game left)"))
    assert form.head == (
        Columns("halves", ((Caption("Dossier Name"), Text("", name)), (Caption("Unit Name"), Text(unit.full_name)))),
    )  # fmt: skip
    assert form.body == (
        Columns(
            "ranks",
            (
                (Caption("Setbacks"), *setbacks),
                (Caption("Veteran Rank"), Boxes("", 2, 5, "2 of 5")),
                (Caption("Experience"), Text("14")),
            ),
        ),
        Columns(
            "halves",
            (
                (Caption("Upgrades"), Pair(card.full_name, str(card.points))),
                (Caption("Commendations"), Text("Resilient"), Text("Aim 1")),
            ),
        ),
    )
    assert form.foot == (Pair("Points Spent", str(unit.points + card.points), bold=True),)
    assert form.corner == "Paragon"


def test_a_card_of_a_unit_without_a_name_has_its_unit_on_top():
    register = change(state(), TROOPERS, name="")
    card = print_dossiers.dossier_card(BOOK, register, register.dossiers[TROOPERS], "Ashen Patrol")
    assert card.head == (Title("Stormtroopers"),)
    assert (card.corner, card.foot[0].text) == ("", "Ashen Patrol")


def test_two_that_are_alike_and_have_no_names_are_told_apart_by_their_number():
    register = change(change(state(), TROOPERS, name=""), OTHERS, name="")
    dossiers = [register.dossiers[key] for key in (TROOPERS, OTHERS)]
    cards = [print_dossiers.dossier_card(BOOK, register, dossier, "Ashen Patrol") for dossier in dossiers]
    assert [card.head for card in cards] == [
        (Title("Stormtroopers (no. 2)"),), (Title("Stormtroopers (no. 3)"),),
    ]  # fmt: skip
    forms = [print_dossiers.dossier_form(BOOK, register, dossier).head[0].columns for dossier in dossiers]
    name = (Caption("Dossier Name"), Text("", ""))
    assert forms == [
        (name, (Caption("Unit Name"), Text("Stormtroopers (no. 2)"))),
        (name, (Caption("Unit Name"), Text("Stormtroopers (no. 3)"))),
    ]


def test_blank_forms_have_every_field():
    blank = (print_dossiers.blank_register(), print_dossiers.blank_dossier(), print_dossiers.blank_card(2, 2))
    filled = print_dossiers.register_form(BOOK, state(), "Ashen Patrol")
    assert [len(card.body) for card in blank[:1]] == [len(filled.body)]
    assert ToWrite("Combat Potential Spent") in blank[0].body[0].columns[1][1].columns[1]
