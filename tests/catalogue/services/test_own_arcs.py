"""Story Arcs that are not printed: added once, read like the others, never changed, never retired."""

import pytest
from django.db import Error, transaction

from catalogue.models import Agenda, Commendation, DefiningTrait, Setback, StoryArc, TurningPoint
from catalogue.services.load import KindReport, load_catalogue
from catalogue.snapshot import rulebook
from rules.arcs.custom_arcs import book_with
from rules.catalogue.loader import read_rulebook
from tests.cards import CARDS
from tests.catalogue.factories import add_arc, arc
from tests.rules.arcs.arcs import printed
from tests.rules.catalogue.files import edit_json

__all__ = ["arc"]

PARTS = (Agenda, TurningPoint, Setback, DefiningTrait, Commendation)


def test_it_stands_in_the_rulebook_and_is_not_offered_to_everybody(arc):
    files = read_rulebook(CARDS)
    own = book_with(files, printed("a-pirates-life"), "ours-v1").story_arcs["ours-v1"]
    book = rulebook()
    assert {slug: arc for slug, arc in book.story_arcs.items() if not arc.own} == files.story_arcs
    assert list(book.story_arcs) == [*files.story_arcs, "ours-v1"]
    assert list(book.arcs_offered) == list(files.story_arcs)
    assert (book.story_arcs["ours-v1"].turning_point, book.story_arcs["ours-v1"].agendas) == (
        own.turning_point,
        own.agendas,
    )


def test_adding_it_twice_changes_nothing(arc):
    counts = [model.objects.count() for model in (StoryArc, *PARTS)]
    assert add_arc(actor="ben", arc=printed("the-weekend-war"), slug="ours-v1") == arc
    assert [model.objects.count() for model in (StoryArc, *PARTS)] == counts
    assert StoryArc.objects.get(slug="ours-v1").name == "A Pirate's Life"


def test_a_newer_catalogue_leaves_it_alone(arc, folder):
    edit_json(folder, "story_arcs.json", lambda data: data["arcs"].pop())
    report = load_catalogue(actor="update", folder=folder)
    assert report.kinds["story_arc"] == KindReport(retired=("a-pirates-life",))
    own = [model.objects.filter(story_arc="ours-v1", retired=False).count() for model in PARTS]
    assert (StoryArc.objects.get(slug="ours-v1").retired, own) == (False, [3, 1, 1, 1, 1])


@pytest.mark.parametrize("model", PARTS)
def test_the_database_refuses_to_change_its_cards(arc, model):
    for change in (lambda cards: cards.update(name="Else"), lambda cards: cards.delete()):
        with pytest.raises(Error, match="never changed"), transaction.atomic():
            change(model.objects.filter(story_arc="ours-v1"))


def test_the_database_refuses_to_change_the_arc(arc):
    for change in (lambda arcs: arcs.update(own=False), lambda arcs: arcs._raw_delete(arcs.db)):
        with pytest.raises(Error, match="Cannot update or delete"), transaction.atomic():
            change(StoryArc.objects.filter(slug="ours-v1"))


def test_what_is_printed_can_still_be_corrected(arc):
    assert Setback.objects.filter(story_arc="a-pirates-life").update(name="Selfish") == 1
    assert Setback.objects.filter(slug="battle-shaken").update(name="Shaken") == 1


def test_the_admin_only_shows_it(arc, admin_client):
    own, printed_one = ("/admin/catalogue/setback/ours-v1-setback/change/",
                        "/admin/catalogue/setback/self-serving/change/")  # fmt: skip
    assert [b'name="_save"' in admin_client.get(page).content for page in (own, printed_one)] == [False, True]
    answer = admin_client.post("/admin/catalogue/storyarc/ours-v1/change/", {"name": "Else", "briefing": "…"})
    assert (answer.status_code, StoryArc.objects.get(slug="ours-v1").name) == (403, "A Pirate's Life")
