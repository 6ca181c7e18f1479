"""The edit page of a Register outside battles (R11)."""

import json

import pytest
from django.db import transaction
from django.urls import reverse

from registers.models import Register
from registers.projection import state_of
from rules.register import effects as e
from tests.registers.ledgers import append, lock
from tests.registers.views.reading import text_of


def address(register, query: str = "") -> str:
    return reverse("registers:edit", args=[register.pk]) + query


def post(client, register, query: str = "", **fields):
    fields.setdefault("position", Register.objects.get(pk=register.pk).position)
    return client.post(address(register, query), fields)


def happen(register, *effects):
    with transaction.atomic():
        [locked] = lock(register.pk)
        append(actor=register.owner, register=locked, act="step", battle="7", step=4, effects=effects)


def now(register):
    return state_of(Register.objects.get(pk=register.pk))


def test_a_bare_unit_by_one_tap(signed_in, founded):
    answer = json.dumps({"add": {"unit": "snowtroopers"}})
    assert post(signed_in, founded, "?rank=corps", do="edit", answer=answer)["Location"] == address(
        founded, "?rank=corps"
    )
    assert now(founded).dossiers["4"].card == "snowtroopers"


def test_a_name(signed_in, founded):
    post(signed_in, founded, do="edit", unit_to_name="2", name="Grim Hounds")
    assert now(founded).dossiers["2"].name == "Grim Hounds"


def test_an_upgrade_that_is_due(signed_in, founded):  # R7, R8
    page = signed_in.get(address(founded))
    [due] = page.context["edit"]["upgrades"]
    assert due["name"] == "Captain Sorne"
    post(signed_in, founded, do="edit", answer=due["offers"][0].answer)
    assert now(founded).dossiers["1"].upgrades == (json.loads(due["offers"][0].answer)["upgrade"]["upgrade"],)
    assert signed_in.get(address(founded)).context["edit"]["upgrades"] == []


def test_a_slot_that_a_commendation_gave(signed_in, founded, book):  # R8
    slot = next(
        slug for slug, card in book.commendations.items() if "training" in card.upgrade_slots and not card.story_arc
    )
    happen(
        founded,
        e.CommendationOwed(unit="2", rule="R15"),
        e.CommendationAwarded(unit="2", commendation=slot, rule="R15"),
    )
    due = signed_in.get(address(founded)).context["edit"]["upgrades"][-1]
    assert due["name"] == "Stormtroopers (no. 2)"
    assert "duck-and-cover" in [json.loads(offer.answer)["upgrade"]["upgrade"] for offer in due["offers"]]


def test_rename(signed_in, founded):
    post(signed_in, founded, do="name", register_name="Iron Patrol")
    assert now(founded).name == "Iron Patrol"


def test_an_old_form_says_so(signed_in, founded):  # law 6
    answer = signed_in.post(address(founded), {"do": "name", "position": 6, "register_name": "X"}, follow=True)
    assert "This was already saved. The page is up to date now." in text_of(answer)
    assert now(founded).name == "Ashen Patrol"


def test_a_refusal_stands_beside_its_field(signed_in, founded):  # R10
    answer = post(signed_in, founded, do="name", register_name=" ")
    assert answer.status_code == 422
    assert "Enter a name for the Register. R10" in text_of(answer)


@pytest.mark.parametrize("answer", ["{", "7", "null", "[]", '{"melt": {}}', '{"add": {"unit": "vader"}}'])
def test_bad_input(signed_in, founded, answer):
    assert post(signed_in, founded, do="edit", answer=answer).status_code == 422
    assert Register.objects.get().position == 7


def test_a_biography(signed_in, founded):
    post(signed_in, founded, do="biography", biography="Raised on *Dantooine*.")
    assert Register.objects.get().biography == "Raised on *Dantooine*."
    assert post(signed_in, founded, do="biography", biography="x" * 20_001).status_code == 422


def test_a_biography_that_another_has_written_meanwhile(signed_in, founded):
    """What was typed stays, and the form saves it the second time, when its writer knows of the other."""
    mine = {"do": "biography", "biography": "Raised on Dantooine."}
    drawn = {"before": signed_in.get(address(founded)).context["biography_before"]}
    Register.objects.update(biography="Raised on Hoth.")
    refused = post(signed_in, founded, **mine, **drawn)
    assert (refused.status_code, refused.context["biography"]) == (422, "Raised on Dantooine.")
    assert "Someone else has changed this biography." in text_of(refused)
    post(signed_in, founded, **mine, before=refused.context["biography_before"])
    assert Register.objects.get().biography == "Raised on Dantooine."


def test_not_in_the_field(signed_in, founded):  # R11
    happen(founded, e.FieldTaken(battle="7", rule="R11"))
    page = signed_in.get(address(founded))
    assert page.context["edit"] is None
    answer = post(signed_in, founded, do="edit", answer=json.dumps({"add": {"unit": "snowtroopers"}}))
    assert answer.status_code == 422
    assert "You can edit it in step 8 of its Post-Battle Sequence. R11" in text_of(answer)


def test_before_it_is_commissioned(signed_in, empty):
    assert signed_in.get(address(empty))["Location"] == reverse("registers:building", args=[empty.pk])


def test_not_by_others(client, other, founded):
    client.force_login(other)
    assert client.get(address(founded)).status_code == 404


def test_an_unknown_act_does_nothing(signed_in, founded):
    assert post(signed_in, founded, do="dance").status_code == 302
    assert Register.objects.get().position == 7
