"""Registers in the admin: corrected by the service, with a reason; the rest is to look at."""

from __future__ import annotations

import pytest
from django.urls import reverse

from registers.models import EntryType, Register
from registers.services.verification import verify_all
from tests.html import html_of
from tests.registers.factories import make_player, make_register
from tests.registers.views.test_corrections import messages_of, typed


@pytest.fixture
def staff(client, book):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def page(register: Register) -> str:
    return reverse("admin:registers_register_change", args=[register.pk])


@pytest.mark.parametrize("model", ["dossier", "ledgerentry"])
def test_listed_and_never_changed(staff, player, model):
    founded = make_register(player)
    rows = {"dossier": founded.dossiers.first(), "ledgerentry": founded.entries.first()}
    assert staff.get(reverse(f"admin:registers_{model}_changelist") + "?q=ashen").status_code == 200
    change = reverse(f"admin:registers_{model}_change", args=[rows[model].pk])
    assert staff.get(change).status_code == 200
    assert staff.post(change, {}).status_code == 403
    assert staff.get(reverse(f"admin:registers_{model}_add")).status_code == 403
    assert staff.post(reverse(f"admin:registers_{model}_delete", args=[rows[model].pk])).status_code == 403


def test_registers_are_found_and_never_added_or_deleted(staff, player):
    founded = make_register(player)
    listed = staff.get(reverse("admin:registers_register_changelist") + "?q=sorne&in_battle=no")
    assert [row.pk for row in listed.context["cl"].result_list] == [founded.pk]
    assert staff.get(reverse("admin:registers_register_add")).status_code == 403
    assert staff.post(reverse("admin:registers_register_delete", args=[founded.pk])).status_code == 403


def test_a_correction_is_an_entry(staff, founded):
    answer = staff.post(page(founded), typed(founded, **{"2.experience": 3}))
    assert answer.status_code == 302
    entry = founded.entries.last()
    assert (entry.act, entry.reason, entry.actor.username) == (EntryType.CORRECT, "typed wrong", "root")
    assert "corrected from 0 to 3" in html_of(staff.get(page(founded)))


def test_a_refusal_shows_what_was_typed_and_why(staff, founded):
    sent = typed(founded, **{"2.experience": 6})
    answer = staff.post(page(founded), sent)
    said = html_of(answer)
    assert answer.status_code == 422
    assert "Its XP give VR 1. R12" in said
    assert 'value="6"' in said
    assert 'type="checkbox" name="override"' in said
    assert staff.post(page(founded), sent | {"override": "on"}).status_code == 302


def test_an_old_form_is_drawn_anew(staff, founded):
    sent = typed(founded, supply_points=3)
    staff.post(page(founded), typed(founded, supply_points=4))
    answer = staff.post(page(founded), sent)
    assert (answer.status_code, answer.context["form"]["supply_points"].value()) == (422, "3")


def test_take_back(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    taken = staff.post(page(founded), {"take_back": founded.position + 1, "reason": "it was 5"})
    assert messages_of(taken)[-1] == "The correction is taken back."
    assert Register.objects.get(pk=founded.pk).supply_points == 5


def test_a_reason_outlives_its_refusal(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    position = founded.position + 1
    answer = staff.post(page(founded), {"take_back": position, "reason": "x" * 600})
    said = html_of(answer)
    assert (answer.status_code, f'value="{"x" * 600}"' in said) == (422, True)
    assert "errornote" in said


def test_a_number_that_is_none_takes_nothing_back(staff, founded):
    answer = staff.post(
        page(founded), {"take_back": "9" * 5000, "position": "9" * 5000, "reason": "it was 5"}
    )
    assert (answer.status_code, founded.entries.count()) == (422, founded.position)


def test_who_may_only_look_corrects_nothing(client, founded):
    from django.contrib.auth.models import Permission

    looker = make_player("looker", is_staff=True)
    client.force_login(looker)
    assert client.get(page(founded)).status_code == 403
    looker.user_permissions.add(Permission.objects.get(codename="view_register"))
    assert b"Save correction" not in client.get(page(founded)).content
    assert client.post(page(founded), typed(founded, supply_points=3)).status_code == 403


def test_one_that_is_not_there(staff, book):
    nowhere = reverse("admin:registers_register_change", args=["154a365f-c4d8-4b63-a1cb-d8400e091b92"])
    assert staff.get(nowhere).status_code == 302


def test_proofs_and_what_they_found(staff, founded):
    Register.objects.filter(pk=founded.pk).update(reputation=9)
    done = verify_all()
    assert staff.get(reverse("admin:registers_proof_changelist")).status_code == 200
    shown = staff.get(reverse("admin:registers_proof_change", args=[done.pk]))
    assert "reputation is 9 in the rows, 0 in the ledger" in html_of(shown)
    assert staff.post(reverse("admin:registers_proof_delete", args=[done.pk])).status_code == 403
