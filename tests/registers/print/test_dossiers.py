"""What the sheets and cards of a Register say."""

from dataclasses import replace

from registers.print import dossiers as print_dossiers
from registers.print.typesetting import Boxes, Caption, Card, Columns, Pair, Picture, Plate, Text, ToWrite, Track
from rules.register.state import Trait
from tests.registers.print.crowds import BOOK
from tests.rules.build import OTHERS, PARAGON, TROOPERS, change, state

TERM = {"name": "Resilient", "text": "May reroll 1 die."}


def test_terms_are_listed_once_with_how_often():
    assert print_dossiers.named_effects("Keywords", [TERM, {"name": "Aim 1", "text": ""}, TERM]) == [
        Caption("Keywords"),
        Text("May reroll 1 die.", "Resilient ×2."),
        Text("", "Aim 1"),
    ]
    assert print_dossiers.named_effects("Keywords", []) == []


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
        owed=1,
    )
    photo = Picture("/photos/1/", "The captain")
    form = print_dossiers.dossier_form(BOOK, register, register.dossiers[PARAGON], picture=photo)
    unit, card = BOOK.units[register.dossiers[PARAGON].card], BOOK.upgrades["recon-intel"]
    line = ToWrite(lines=0, fills=True)
    assert replace(form, tight=()) == Card(
        head=(
            Plate(
                title="Captain Sorne",
                lines=(unit.full_name, "Commander · Paragon"),
                icon="commander",
                marks=("paragon",),
                picture=photo,
                large_picture=True,
            ),
        ),
        body=(
            Caption("14 Experience · Veteran Rank 2"),
            Track(14, 2, (5, 13, 25, 40, 50), "2 of 5"),
            Columns(
                "halves",
                (
                    (
                        Caption("Setbacks"), Text("Battle-Shaken"), Text("Unsure (1 game left)"), ToWrite(),
                        Caption("Upgrades"), Pair("Unit", str(unit.points)),
                        Pair(card.full_name, str(card.points)), line,
                    ),
                    (
                        Caption("Commendations"), Text("Resilient"), Text("Aim 1"),
                        ToWrite("Commendations to choose", 2), line,
                    ),
                ),
            ),
        ),
        foot=(Pair("Points Spent", str(unit.points + card.points), bold=True),),
    )  # fmt: skip


def test_a_track_ends_at_the_maximum_of_the_unit():
    register = state()
    tracks = [print_dossiers.experience_track(BOOK, register.dossiers[key]).thresholds for key in (PARAGON, TROOPERS)]
    assert tracks == [(5, 13, 25, 40, 50), (5, 13, 25)]
    trained = change(register, TROOPERS, training=1).dossiers[TROOPERS]
    assert print_dossiers.experience_track(BOOK, trained).thresholds == (5, 13, 25, 40)


def test_many_names_are_in_two_columns():
    slugs = sorted(BOOK.setbacks)[:5]
    register = change(state(), TROOPERS, setbacks=tuple(slugs))
    form = print_dossiers.dossier_form(BOOK, register, register.dossiers[TROOPERS])
    names = [Text(BOOK.setbacks[slug].name) for slug in slugs]
    assert form.body[-1].columns[0][1:3] == (Columns("halves", (tuple(names[:3]), tuple(names[3:]))), ToWrite())


def test_a_form_has_two_lines_for_setbacks():
    register = state()
    form = print_dossiers.dossier_form(BOOK, register, register.dossiers[TROOPERS])
    assert form.body[-1].columns[0][:2] == (Caption("Setbacks"), ToWrite(lines=2))


def test_a_card_of_a_unit_without_a_name_has_its_unit_on_top():
    register = change(state(), TROOPERS, name="")
    card = print_dossiers.dossier_card(BOOK, register, register.dossiers[TROOPERS], "Ashen Patrol")
    unit = BOOK.units["stormtroopers"]
    assert card.head == (Plate(title="Stormtroopers", lines=("Corps",), icon="corps", marks=("faction-empire",)),)
    assert card.body == (
        Text("4 minis · 1 wound each · courage 1 · speed 2 · red defense"),
        Boxes("0 Experience", 0, 3, "0 of 3"),
        Track(0, 0, (5, 13, 25), "0 of 3", is_short=True),
        Caption("Upgrades"),
        Pair("Unit", str(unit.points)),
        Caption("Keywords"),
        Text(", ".join(unit.keywords)),
        ToWrite(lines=0, fills=True),
    )
    assert card.foot[0].text == "Ashen Patrol"


def test_two_that_are_alike_and_have_no_names_are_told_apart_by_a_small_number():
    register = change(change(state(), TROOPERS, name=""), OTHERS, name="")
    dossiers = [register.dossiers[key] for key in (TROOPERS, OTHERS)]
    cards = [print_dossiers.dossier_card(BOOK, register, dossier, "Ashen Patrol") for dossier in dossiers]
    forms = [print_dossiers.dossier_form(BOOK, register, dossier) for dossier in dossiers]
    plates = [(each.head[0].title, each.head[0].lines, each.head[0].to_write) for each in (*cards, *forms)]
    assert plates == [
        ("Stormtroopers", ("Corps · #2",), ""),
        ("Stormtroopers", ("Corps · #3",), ""),
        ("Stormtroopers", ("Corps · #2",), "Dossier Name"),
        ("Stormtroopers", ("Corps · #3",), "Dossier Name"),
    ]


def test_a_register_has_its_arc_its_player_and_its_campaign_on_its_plate():
    register = state()
    form = print_dossiers.register_form(BOOK, register, "Ashen Patrol", player="ada", campaign="Outer Rim Winter")
    arc = BOOK.story_arcs[register.story_arc]
    assert form.head == (
        Plate(
            title="Ashen Patrol",
            lines=(arc.name, "Player: ada · Outer Rim Winter"),
            icon=f"arc-{arc.slug}",
            marks=("faction-empire",),
        ),
    )


def labels_of(blocks) -> list[str]:
    inner = [label for block in blocks for column in getattr(block, "columns", ()) for label in labels_of(column)]
    own = [getattr(block, "label", "") or getattr(block, "text", "") for block in blocks]
    return [label for label in (*own, *inner) if label]


def test_blank_forms_have_every_field():
    register, card = print_dossiers.blank_register(), print_dossiers.blank_register_card()
    assert set(labels_of(register.body)) == {
        "Reputation", "Supply Points", "Combat Potential", "Combat Potential Spent", "Story Arc", "Player",
        "Strategic Assets", "Paragon Command Cards", "Agendas", "Notes",
    }  # fmt: skip
    assert set(labels_of(card.body)) == {
        "Reputation", "Supply Points", "Combat Potential", "Agendas", "Strategic Assets", "Command Cards",
    }  # fmt: skip
    assert set(labels_of(print_dossiers.blank_dossier().body)) == {
        "Unit Name", "Experience and Veteran Rank", "Setbacks", "Upgrades", "Commendations",
    }  # fmt: skip
    assert set(labels_of(print_dossiers.blank_card(2, 2, 4).body)) == {
        "Unit", "Veteran Rank", "Experience", "Points", "Setbacks", "Upgrades", "Commendations",
    }  # fmt: skip
    assert print_dossiers.blank_dossier().body[2].thresholds == (5, 13, 25, 40, 50)
