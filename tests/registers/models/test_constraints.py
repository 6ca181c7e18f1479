"""What the database itself refuses (law 5)."""

from contextlib import contextmanager

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from registers.models import LedgerEntry, Register


@contextmanager
def refused(constraint: str):
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        yield


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        ("supply_points_check", {"supply_points": -1}),
        ("combat_potential_check", {"combat_potential": -1}),
        ("reputation_check", {"reputation": -1}),
        ("command_cards_owed_check", {"command_cards_owed": -1}),
        ("register_known_faction", {"faction": "mercenary"}),
        ("register_counts_keys_from_1", {"next_key": 0}),
        ("register_trait_lasts_a_game", {"trait_id": "tunnel-vision", "trait_games_left": 0}),
        ("register_trait_lasts_a_game", {"trait_games_left": 1}),
        ("register_in_field_or_not", {"in_field_progressions": 1}),
        ("register_commissioned_is_complete", {"name": ""}),
        ("register_commissioned_is_complete", {"paragon": ""}),
        ("register_discarded_while_building", {"discarded": True}),
    ],
)
def test_register(founded, constraint, values):
    with refused(constraint):
        Register.objects.filter(pk=founded.pk).update(**values)


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        ("dossier_own_key", {"key": "2"}),
        ("dossier_key_is_a_number", {"key": "01"}),
        ("dossier_known_status", {"status": "lost"}),
        ("dossier_known_faction", {"faction": "hutt"}),
        ("dossier_experience_to_50", {"experience": 51}),
        ("experience_check", {"experience": -1}),
        ("dossier_veteran_rank_to_5", {"veteran_rank": 6}),
        ("dossier_training_to_5", {"training": 6}),
        ("owed_check", {"owed": -1}),
    ],
)
def test_dossier(founded, constraint, values):
    with refused(constraint):
        founded.dossiers.filter(key="3").update(**values)


@pytest.mark.parametrize(
    ("constraint", "part", "values"),
    [
        ("dossierupgrade_not_twice", "upgrades", {"upgrade_id": "duck-and-cover"}),
        ("dossiercommendation_not_twice", "commendations", {"commendation_id": "resilient"}),
    ],
)
def test_not_twice_on_a_dossier(founded, constraint, part, values):
    rows = getattr(founded.dossiers.get(key="2"), part)
    rows.create(**values)
    with refused(constraint):
        rows.create(**values)


@pytest.mark.parametrize(
    ("constraint", "part", "values"),
    [
        ("agendaprogress_counted_once", "agendas", {"agenda_id": "keep-them-in-line", "progress": 1}),
        ("requestcount_counted_once", "requests", {"request": "active-recruiting", "count": 1}),
        ("holds medevac as often as it may", "assets", {"asset_id": "medevac"}),
    ],
)
def test_not_twice_on_a_register(founded, constraint, part, values):
    getattr(founded, part).create(**values)
    with refused(constraint):
        getattr(founded, part).create(**values)


def test_two_of_an_asset_that_may_be_held_twice(founded, book):  # R43
    slug = next(slug for slug, asset in book.assets.items() if asset.per_sequence == 2)
    for _ in range(2):
        founded.assets.create(asset_id=slug)
    with refused(f"holds {slug} as often as it may"):
        founded.assets.create(asset_id=slug)


@pytest.mark.parametrize(
    ("constraint", "values"),
    [
        ("entry_own_position", {"position": 7, "act": "edit"}),
        ("entry_positions_from_1", {"position": 0, "place": 0, "act": "edit"}),
        ("entry_stands_where_it_was_or_before", {"place": 9, "act": "edit"}),
        ("entry_stands_where_it_was_or_before", {"place": 0, "act": "edit"}),
        ("entry_known_act", {"act": "cheat"}),
        ("entry_ten_steps", {"act": "step", "step": 11}),
        ("entry_undo_names_what_it_undoes", {"act": "undo"}),
        ("entry_correction_has_a_reason", {"act": "correct"}),
    ],
)
def test_entry(founded, constraint, values):
    with refused(constraint):
        LedgerEntry.objects.create(**{"register": founded, "position": 8, "place": 1} | values)


def test_a_register_with_a_ledger_is_never_deleted(founded):
    with pytest.raises(ProtectedError):
        founded.delete()


def test_texts(founded):
    paragon, unnamed = founded.dossiers.get(key="1"), founded.dossiers.get(key="2")
    assert (str(founded), str(paragon), str(unnamed)) == ("Ashen Patrol", "Captain Sorne", str(unnamed.unit))
    assert str(Register()) == "Unnamed Register"
    assert str(founded.entries.first()) == "1: started"


def test_texts_of_parts(founded):
    dossier = founded.dossiers.get(key="2")
    parts = [
        founded.agendas.create(agenda_id="keep-them-in-line", progress=2),
        founded.assets.create(asset_id="medevac"),
        founded.requests.create(request="active-recruiting", count=1),
        dossier.upgrades.create(upgrade_id="duck-and-cover"),
        dossier.commendations.create(commendation_id="resilient"),
        dossier.setbacks.create(setback_id="battle-shaken"),
        dossier.keywords.create(keyword="Aim 1"),
    ]
    assert [str(part) for part in parts] == [
        "keep-them-in-line: 2", "medevac", "active-recruiting: 1", "duck-and-cover", "resilient", "battle-shaken",
        "Aim 1",
    ]  # fmt: skip
