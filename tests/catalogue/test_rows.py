"""Cards of the database in the form of the files."""

import pytest

from catalogue.models import MODELS, Agenda, BattleForceCard, Commendation, Unit
from catalogue.rows import field_names, instance, plain, stored_rows
from rules.catalogue.loader import read_catalogue
from tests.cards import CARDS


@pytest.fixture(scope="module")
def files():
    return read_catalogue(CARDS).cards


@pytest.mark.parametrize("kind", MODELS)
def test_the_database_gives_back_what_the_files_say(cards, files, kind):
    unsaid = {"retired": False, **({"own": False} if kind == "story_arc" else {})}
    expected = [{**plain(card), "position": position, **unsaid} for position, card in enumerate(files[kind])]
    assert stored_rows(MODELS[kind]) == expected


@pytest.mark.parametrize("kind", MODELS)
def test_a_column_for_each_value(files, kind):
    own = {"own"} if kind == "story_arc" else set()
    assert set(field_names(MODELS[kind])) == set(files[kind][0]) | own


def test_a_card_that_names_another_holds_its_slug():
    assert instance(Agenda, {"slug": "a", "story_arc": "b"}).story_arc_id == "b"
    assert instance(Commendation, {"slug": "a", "story_arc": ""}).story_arc_id is None
    assert instance(BattleForceCard, {"slug": "a", "battle_force": "b"}).battle_force_id == "b"
    assert instance(Unit, {"slug": "a", "points": 5}).points == 5
