"""What the database refuses, and what it writes down by itself."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction

from catalogue.models import (
    MODELS,
    Agenda,
    BattleForce,
    BattleForceCard,
    CatalogueState,
    CommandCard,
    Commendation,
    DefiningTrait,
    PointsChange,
    RankRequirement,
    Setback,
    Unit,
    Upgrade,
)
from catalogue.rows import acting

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("model", "slug", "values"),
    [
        (Unit, "rebel-troopers", {"points": -1}),
        (Unit, "rebel-troopers", {"faction": "gungan"}),
        (Unit, "rebel-troopers", {"rank": "troops"}),
        (Unit, "rebel-troopers", {"unit_class": "ship"}),
        (Unit, "rebel-troopers", {"defense_die": "blue"}),
        (Unit, "rebel-troopers", {"source_id": "at"}),
        (Upgrade, "axe-ewok", {"type": "axe"}),
        (Upgrade, "axe-ewok", {"army_limit": 1}),
        (Upgrade, "agent-kallus", {"army_limit": None}),
        (Upgrade, "agent-kallus", {"faction": "gungan"}),
        (CommandCard, "ambush", {"pips": 5}),
        (BattleForceCard, "blizzard-force--unit--corps--stormtroopers", {"limit_min": 3}),
        (Setback, "downtrodden", {"face": "hit"}),
        (Setback, "downtrodden", {"face": ""}),
        (Setback, "war-weary", {"face": "critical"}),
        (Setback, "war-weary", {"second": "twice"}),
        (Setback, "war-weary", {"story_arc": "a-pirates-life"}),
        (Commendation, "unity", {"story_arc": "a-pirates-life"}),
        (DefiningTrait, "greedy", {"games": 0}),
        (Agenda, "salvage-materiel", {"progressions_to_complete": 0}),
        (CatalogueState, None, {"id": 2}),
    ],
)
def test_the_database_refuses(cards, model, slug, values):
    rows = model.objects.filter(slug=slug) if slug else model.objects.all()
    assert rows.count() == 1
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(**values)


def test_source_ids_differ_by_their_capitals(cards):
    assert Unit.objects.get(source_id="at").slug == "darth-vader-dark-lord-of-the-sith"
    assert not Unit.objects.filter(source_id="AT").exists()
    Unit.objects.filter(slug="rebel-troopers").update(source_id="AT")
    assert Unit.objects.get(source_id="AT").slug == "rebel-troopers"


def test_cards_are_called_by_name_and_title(cards):
    assert str(Unit.objects.get(source_id="at")) == "Darth Vader, Dark Lord of the Sith"
    assert str(Unit.objects.get(slug="rebel-troopers")) == "Rebel Troopers"
    assert str(Upgrade.objects.exclude(title="").get(title="ARC Marksman")).endswith(", ARC Marksman")
    assert str(Upgrade.objects.get(slug="axe-ewok")) == "Axe Ewok"
    assert str(Setback.objects.get(slug="war-weary")) == "War Weary"
    assert str(BattleForceCard.objects.get(slug="212th-attack-battalion--allowed-upgrade--boil"))
    assert str(CatalogueState.objects.get()) == "Edition 2026-04-21"


@pytest.mark.parametrize("kind", [Unit, Upgrade])
def test_a_change_of_points_is_written_down_with_who_made_it(cards, kind):
    card = kind.objects.first()
    acting("leia")
    kind.objects.filter(slug=card.slug).update(points=card.points + 5)
    kind.objects.filter(slug=card.slug).update(retired=True)
    change = PointsChange.objects.get()
    assert (change.card, change.name, change.points_before, change.points_after, change.by) == (
        card.slug,
        card.name,
        card.points,
        card.points + 5,
        "leia",
    )
    assert str(change) == f"{card.name}: {card.points} → {card.points + 5}"


def test_a_change_of_points_by_sql_names_the_role(cards):
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('musterbook.actor', '', true)")
        cursor.execute("UPDATE catalogue_unit SET points = points + 1 WHERE slug = 'rebel-troopers'")
        cursor.execute("SELECT current_user")
        [role] = cursor.fetchone()
    assert PointsChange.objects.get().by == f"SQL as {role}"


@pytest.mark.parametrize(
    ("card", "values", "sentence"),
    [
        (
            lambda: Agenda.objects.get(slug="salvage-materiel"),
            {"reward": [{"do": "gain_luck"}]},
            {"reward": ["entry[0]: unknown clause {'do': 'gain_luck'}"]},
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel"),
            {"progress": [{"drawn": True}], "marks": {"count": 0, "who": "you"}, "casualty_shield": {"units": "all"}},
            {
                "progress": ["entry[0]: unknown condition 'drawn'"],
                "marks": ["count: expected 1 or more"],
                "casualty_shield": ["missing 'instead'; units: unknown value 'all'; known are marked"],
            },
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel").story_arc.turning_points.get(),
            {"end_of_game": {}, "asks": {"n": 1}, "victory": 1},
            {
                "end_of_game": ["expected a list, not {}"],
                "asks": ["expected a text, not 1"],
                "victory": ["entry: a reward is a list of clauses, not 1"],
            },
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel").story_arc.turning_points.get(),
            {"victory": {}, "defeat": ""},
            {"victory": ["entry: a reward is a list of clauses, not {}"], "defeat": ["This field cannot be blank."]},
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel"),
            {
                "reward": [{"do": "gain_trait", "trait": "proud"}, {"do": "add_unit", "one_of": ["AT-RT", "Bobo"]}],
                "casualty_shield": {"units": "marked", "instead": [{"do": "gain_trait", "trait": "brave"}]},
            },
            {
                "reward": ["There is no 'proud'.", "There is no 'Bobo'."],
                "casualty_shield": ["There is no 'brave'.", "[0] Use only Experience or a Setback here."],
            },
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel"),
            {"reward": [{"do": "marked_units", "then": [{"do": "gain_setback"}]}]},
            {"reward": ["[0] No units are marked here. Let the Agenda mark some, or remove this."]},
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel").story_arc.turning_points.get(),
            {"victory": [{"do": "gain_setback"}]},
            {"victory": ["[0] This effect needs a unit. Put it inside a choice of units."]},
        ),
        (
            lambda: Agenda.objects.get(slug="salvage-materiel").story_arc.turning_points.get(),
            {
                "asks": {},
                "end_of_game": [
                    {"who": "each player", "when": {"won": True}, "reward": [{"do": "gain_trait", "trait": "greedy"}]}
                ],
            },
            {"defeat": ["There is no 'equipment_removed'."]},
        ),
        (
            lambda: BattleForce.objects.get(slug="blizzard-force"),
            {"formats": {"recon": {"combined_commander_operative_max": None}}},
            {"formats": ["missing 'standard'; recon: missing 'limits'"]},
        ),
        (
            lambda: Commendation.objects.get(slug="unity"),
            {"requires": {"veteran_rank": 9}},
            {"requires": ["veteran_rank: expected a Veteran Rank from 1 to 5, not 9"]},
        ),
        (
            lambda: Upgrade.objects.get(slug="axe-ewok"),
            {"restrictions": "colour:red"},
            {
                "restrictions": [
                    (
                        "unknown restriction 'colour:red'; the keys are faction, affiliation, force_side, rank, unit, "
                        "unit_title, unit_type, keyword, has_slot, defense_die"
                    )
                ]
            },
        ),
        (
            lambda: RankRequirement.objects.get(slug="recon"),
            {"limits": {"corps": [1, 2]}},
            {
                "limits": [
                    (
                        "expected [minimum, maximum] for each of "
                        "commander, operative, corps, special-forces, support, heavy"
                    )
                ]
            },
        ),
    ],
)
def test_an_edit_that_the_rules_could_not_read_is_refused_with_a_sentence(cards, card, values, sentence):
    edited = card()
    for name, value in values.items():
        setattr(edited, name, value)
    with pytest.raises(ValidationError) as refused:
        edited.full_clean()
    assert refused.value.message_dict == sentence


@pytest.mark.parametrize("model", MODELS.values())
def test_every_card_of_the_files_passes_the_checks_of_the_admin(cards, model):
    for card in model.objects.all():
        card.clean_fields()
        card.clean()
