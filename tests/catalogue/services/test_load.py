"""Bringing files into the database: all of them or nothing, and nothing is ever lost."""

from dataclasses import replace

import pytest

from catalogue.models import MODELS, CatalogueState, PointsChange, Unit, Upgrade
from catalogue.services.load import KindReport, LoadReport, load_catalogue
from catalogue.snapshot import rulebook
from rules.catalogue.loader import CatalogueErrors, read_rulebook
from tests.cards import CARDS
from tests.rules.catalogue.files import drop_row, edit_json, edit_rows, set_cell

pytestmark = pytest.mark.django_db

SIZES = {
    "unit": 178, "upgrade": 434, "counterpart": 5, "command_card": 236, "battle_force": 20, "battle_force_card": 388,
    "rank_requirement": 4, "battle_card": 43, "keyword": 5, "story_arc": 7, "commendation": 35, "setback": 10,
    "defining_trait": 10, "aid_request": 7, "asset": 8, "paragon_command_card": 4, "agenda": 21, "turning_point": 7,
}  # fmt: skip


def reload(folder):
    """Load again; only the kinds to which something was done."""
    report = load_catalogue(actor="update", folder=folder)
    return {kind: of_kind for kind, of_kind in report.kinds.items() if of_kind != KindReport()}


def stored():
    return {kind: list(model.objects.order_by("slug").values()) for kind, model in MODELS.items()}


def test_the_first_load_adds_everything(empty):
    report = load_catalogue(actor="test", folder=CARDS)
    assert {kind: len(of_kind.added) for kind, of_kind in report.kinds.items()} == SIZES
    assert {kind: model.objects.count() for kind, model in MODELS.items()} == SIZES
    assert {(r.changed, r.retired, r.restored) for r in report.kinds.values()} == {((), (), ())}
    assert CatalogueState.objects.get().edition == report.edition == "2026-04-21"


def test_the_database_gives_back_the_rulebook_of_the_files(cards):
    book = read_rulebook(CARDS)
    assert rulebook() == book
    assert [list(rulebook().units), list(rulebook().commendations)] == [list(book.units), list(book.commendations)]


def test_the_same_files_are_not_read_again(cards, django_assert_num_queries):
    with django_assert_num_queries(2):
        report = load_catalogue(actor="test", folder=CARDS)
    assert report == LoadReport("2026-04-21", {}, untouched=True)


def test_a_correction_in_the_database_stays_unless_the_files_are_read_again(cards, folder):
    Unit.objects.filter(slug="rebel-troopers").update(points=1)
    assert load_catalogue(actor="test", folder=CARDS).untouched
    assert Unit.objects.get(slug="rebel-troopers").points == 1
    report = load_catalogue(actor="test", folder=CARDS, again=True)
    assert report.kinds["unit"] == KindReport(changed=("rebel-troopers",))
    assert Unit.objects.get(slug="rebel-troopers").points != 1


def test_reading_the_same_files_again_changes_no_row(cards):
    before = stored()
    report = load_catalogue(actor="test", folder=CARDS, again=True)
    assert set(report.kinds.values()) == {KindReport()}
    assert stored() == before


def test_a_points_update_changes_and_is_remembered(cards, folder):
    before = Unit.objects.get(slug="rebel-troopers").points
    set_cell(folder, "units.csv", "rebel-troopers", points="41")
    assert reload(folder) == {"unit": KindReport(changed=("rebel-troopers",))}
    assert rulebook() == read_rulebook(folder)
    assert list(PointsChange.objects.values_list("kind", "card", "points_before", "points_after", "by")) == [
        ("unit", "rebel-troopers", before, 41, "update")
    ]


def test_a_card_that_is_gone_is_retired_and_comes_back(cards, folder):
    drop_row(folder, "upgrades.csv", "axe-ewok")
    assert reload(folder) == {"upgrade": KindReport(retired=("axe-ewok",))}
    assert Upgrade.objects.get(slug="axe-ewok").retired
    assert rulebook().upgrades["axe-ewok"].retired

    assert reload(CARDS) == {"upgrade": KindReport(restored=("axe-ewok",))}
    assert not Upgrade.objects.get(slug="axe-ewok").retired
    assert rulebook() == read_rulebook(CARDS)


def test_a_new_card_may_have_the_source_id_of_a_retired_one(cards, folder):
    set_cell(folder, "upgrades.csv", "axe-ewok", slug="axe-of-the-ewoks")
    assert reload(folder) == {"upgrade": KindReport(added=("axe-of-the-ewoks",), retired=("axe-ewok",))}
    assert dict(Upgrade.objects.filter(source_id="vr").values_list("slug", "retired")) == {
        "axe-of-the-ewoks": False,
        "axe-ewok": True,
    }


def test_two_cards_may_exchange_their_source_ids(cards, folder):
    set_cell(folder, "upgrades.csv", "axe-ewok", source_id="Ip")
    set_cell(folder, "upgrades.csv", "asajj-ventress", source_id="vr")
    assert reload(folder) == {"upgrade": KindReport(changed=("asajj-ventress", "axe-ewok"))}
    assert dict(Upgrade.objects.filter(source_id__in=("Ip", "vr")).values_list("slug", "source_id")) == {
        "asajj-ventress": "vr",
        "axe-ewok": "Ip",
    }


def test_two_setbacks_may_exchange_their_faces(cards, folder):
    def edit(data):
        data["setbacks"][0]["face"], data["setbacks"][1]["face"] = "blank", "hit"

    edit_json(folder, "tours_of_duty.json", edit)
    assert reload(folder) == {"setback": KindReport(changed=("battle-fatigue", "battle-shaken"))}
    assert rulebook() == read_rulebook(folder)


def test_another_order_is_no_change_but_is_kept(cards, folder):
    edit_rows(folder, "units.csv", lambda rows: rows.reverse())
    assert reload(folder) == {}
    assert list(rulebook().units) == list(read_rulebook(folder).units)


def test_a_new_edition_of_an_agenda(cards, folder):
    edit_json(folder, "story_arcs.json", lambda data: data["arcs"][6]["agendas"][2].update(progressions_to_complete=2))
    assert reload(folder) == {"agenda": KindReport(changed=("salvage-materiel",))}
    assert rulebook() == read_rulebook(folder)


def test_an_agenda_that_takes_the_place_of_another(cards, folder):
    edit_json(folder, "story_arcs.json", lambda data: data["arcs"][6]["agendas"][2].update(slug="salvage"))
    assert reload(folder) == {"agenda": KindReport(added=("salvage",), retired=("salvage-materiel",))}
    # What was played with the one of before is known, and that alone tells the book from one that never had it.
    known = rulebook().story_arcs["a-pirates-life"]
    assert [agenda.slug for agenda in known.agendas_of_before] == ["salvage-materiel"]
    arcs = {**rulebook().story_arcs, known.slug: replace(known, agendas_of_before=())}
    assert replace(rulebook(), story_arcs=arcs) == read_rulebook(folder)


def test_with_any_error_nothing_is_changed(cards, folder):
    before = stored(), CatalogueState.objects.get().stamp
    set_cell(folder, "units.csv", "rebel-troopers", points="41")
    set_cell(folder, "units.csv", "black-sun-vigo", points="many")
    set_cell(folder, "upgrades.csv", "agent-kallus", restrictions="unit:Nobody")

    with pytest.raises(CatalogueErrors) as refused:
        load_catalogue(actor="test", folder=folder)

    assert [error.file for error in refused.value.errors] == ["units.csv", "upgrades.csv"]
    assert (stored(), CatalogueState.objects.get().stamp) == before
