"""Correcting cards in the admin."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from accounts.models import User
from catalogue.models import MODELS, Agenda, PointsChange, Unit
from catalogue.snapshot import rulebook

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("cards")]


@pytest.fixture
def client(client):
    client.force_login(User.objects.create_superuser("mon-mothma", password="x"))
    return client


def form_values(response):
    """What a browser would post of the form in the page."""
    form = response.context["adminform"].form
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value is not None and value is not False}


@pytest.mark.parametrize("model", [*MODELS.values(), PointsChange])
def test_every_kind_is_listed_and_searched(client, model):
    address = reverse(f"admin:catalogue_{model._meta.model_name}_changelist")
    assert client.get(address, {"q": "e"}).status_code == 200


@pytest.mark.parametrize("model", MODELS.values())
def test_every_card_has_a_page_where_it_cannot_be_deleted(client, model):
    card = model.objects.first()
    page = client.get(reverse(f"admin:catalogue_{model._meta.model_name}_change", args=[card.slug]))
    assert page.status_code == 200
    assert (page.context["has_change_permission"], page.context["has_delete_permission"]) == (True, False)


def test_the_list_of_units_has_a_constant_number_of_queries(client, django_assert_max_num_queries):
    with django_assert_max_num_queries(12):
        client.get(reverse("admin:catalogue_unit_changelist"))


def test_points_are_changed_in_the_list(client, django_capture_on_commit_callbacks):
    unit = Unit.objects.get(slug="rebel-troopers")
    address = reverse("admin:catalogue_unit_changelist") + "?q=rebel-troopers"
    page = client.get(address)
    assert list(page.context["cl"].result_list) == [unit]
    rulebook()

    with django_capture_on_commit_callbacks(execute=True):
        answer = client.post(
            address,
            {
                "form-TOTAL_FORMS": 1,
                "form-INITIAL_FORMS": 1,
                "form-0-slug": unit.slug,
                "form-0-points": unit.points + 3,
                "_save": "Save",
            },
        )

    assert answer.status_code == 302
    assert rulebook().units[unit.slug].points == unit.points + 3
    assert list(PointsChange.objects.values_list("card", "points_before", "points_after", "by")) == [
        (unit.slug, unit.points, unit.points + 3, "mon-mothma")
    ]
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.get_change_message()) == (unit.slug, "Changed Points.")


def test_points_below_zero_are_refused_in_the_list(client):
    unit = Unit.objects.get(slug="rebel-troopers")
    address = reverse("admin:catalogue_unit_changelist") + "?q=rebel-troopers"
    data = {"form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-slug": unit.slug, "form-0-points": -1, "_save": 1}
    page = client.post(address, data)
    assert page.context["cl"].formset.errors == [{"points": ["Ensure this value is greater than or equal to 0."]}]
    assert Unit.objects.get(slug=unit.slug).points == unit.points


def test_a_unit_saved_as_it_is_stays_as_it_is(client):
    before = rulebook()
    for slug in ("rebel-troopers", "black-sun-vigo", "han-chewie-notorious-scoundrels"):
        address = reverse("admin:catalogue_unit_change", args=[slug])
        answer = client.post(address, form_values(client.get(address)))
        assert answer.status_code == 302, answer.context["adminform"].form.errors
    assert rulebook() == before


def test_an_agenda_saved_as_it_is_stays_as_it_is(client):
    before = rulebook()
    address = reverse("admin:catalogue_agenda_change", args=["loot-and-plunder"])
    answer = client.post(address, form_values(client.get(address)))
    assert answer.status_code == 302
    assert rulebook() == before


def test_a_reward_in_unknown_words_is_refused_with_a_sentence(client):
    address = reverse("admin:catalogue_agenda_change", args=["loot-and-plunder"])
    values = form_values(client.get(address)) | {"reward": '[{"do": "gain_luck"}]'}
    page = client.post(address, values)
    assert page.context["adminform"].form.errors == {"reward": ["entry[0]: unknown clause {'do': 'gain_luck'}"]}
    assert Agenda.objects.get(slug="loot-and-plunder").reward[0]["do"] == "marked_units"


@pytest.mark.parametrize("depth", [500, 100_000])
def test_what_is_nested_deeper_than_any_reward_is_refused_too(client, depth):
    address = reverse("admin:catalogue_agenda_change", args=["loot-and-plunder"])
    deep = "[" * depth + "]" * depth
    page = client.post(address, form_values(client.get(address)) | {"reward": deep})
    form = page.context["adminform"].form
    assert (page.status_code, list(form.errors), form["reward"].value()) == (200, ["reward"], deep)


def test_the_history_of_points_is_only_read(client):
    Unit.objects.filter(slug="rebel-troopers").update(points=1)
    change = PointsChange.objects.get()
    page = client.get(reverse("admin:catalogue_pointschange_change", args=[change.pk]))
    assert (page.context["has_change_permission"], page.context["has_add_permission"]) == (False, False)
    assert client.get(reverse("admin:catalogue_pointschange_add")).status_code == 403
    assert client.post(reverse("admin:catalogue_pointschange_delete", args=[change.pk])).status_code == 403
