"""Registers in the admin: corrected by the service, with a reason; the rest is to look at."""

import csv
import io
import re

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils.timezone import localdate
from lxml import html

from registers.models import EntryType, Register
from registers.projection import state_of
from registers.queries.readiness import with_spent
from registers.services.data_checks import verify_all
from rules.register.building import combat_potential_spent
from tests.html import html_of
from tests.registers.factories import make_player, make_register
from tests.registers.views.corrections import messages_of, typed


@pytest.fixture
def staff(client, book):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def page(register: Register) -> str:
    return reverse("admin:registers_register_change", args=[register.pk])


def test_entries_are_listed_and_never_changed(staff, player):
    entry = make_register(player).entries.first()
    assert staff.get(reverse("admin:registers_ledgerentry_changelist") + "?q=ashen").status_code == 200
    change = reverse("admin:registers_ledgerentry_change", args=[entry.pk])
    assert staff.get(change).status_code == 200
    assert staff.post(change, {}).status_code == 403
    assert staff.get(reverse("admin:registers_ledgerentry_add")).status_code == 403
    assert staff.post(reverse("admin:registers_ledgerentry_delete", args=[entry.pk])).status_code == 403


def test_registers_are_found_and_never_added_or_deleted(staff, player):
    founded = make_register(player)
    listed = staff.get(reverse("admin:registers_register_changelist") + "?q=sorne&in_battle=no")
    assert [row.pk for row in listed.context["cl"].result_list] == [founded.pk]
    assert staff.get(reverse("admin:registers_register_add")).status_code == 403
    assert staff.post(reverse("admin:registers_register_delete", args=[founded.pk])).status_code == 403


@pytest.mark.parametrize("said", ["ashen", "ada", "sorne", "stormtroopers"])
def test_a_register_is_found_by_its_name_player_and_units(staff, founded, said):
    listed = staff.get(reverse("admin:registers_register_changelist"), {"q": said})
    assert [row.pk for row in listed.context["cl"].result_list] == [founded.pk]


def found_by(staff, query: str) -> int:
    return staff.get(reverse("admin:registers_register_changelist") + query).context["cl"].result_count


def test_filters(staff, founded):
    assert [found_by(staff, f"?{name}=yes") for name in ("in_battle", "over", "corrected")] == [0, 0, 0]
    assert [found_by(staff, f"?{name}=no") for name in ("in_battle", "over", "corrected")] == [1, 1, 1]
    staff.post(page(founded), typed(founded, combat_potential=1, override="on"))
    assert [found_by(staff, f"?{name}=yes") for name in ("in_battle", "over", "corrected")] == [0, 1, 1]


def test_the_database_counts_what_the_rules_count(founded, book):
    make_register(make_player("ben"))
    for register in with_spent(Register.objects.all()):
        assert register.spent == combat_potential_spent(book, state_of(register)) > 0


def test_the_export_has_each_chosen_register(staff, founded):
    keys = {"action": "export", "_selected_action": [str(founded.pk)]}
    answer = staff.post(reverse("admin:registers_register_changelist"), keys)
    [row] = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert (row["Register"], row["Player"], row["SP"], row["In battle"]) == ("Ashen Patrol", "ada", "5", "no")


def test_a_name_is_no_formula_in_the_export(staff, founded):
    staff.post(page(founded), typed(founded, name="=1+1"))
    keys = {"action": "export", "_selected_action": [str(founded.pk)]}
    answer = staff.post(reverse("admin:registers_register_changelist"), keys)
    [row] = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert (row["Register"], row["Last correction"]) == ("'=1+1", str(localdate()))


def units_of(staff, address: str) -> dict[str, tuple[str, bool]]:
    """The line of each unit on the page of a Register, by key, and whether its values are unfolded."""
    tree = html.fromstring(staff.get(address).text)
    units = {
        div.get("id").removeprefix("dossier-"): div.getparent()
        for div in tree.xpath("//div[starts-with(@id, 'dossier-')]")
    }
    return {
        key: (" ".join(fold.xpath("summary")[0].text_content().split()), fold.get("open") is not None)
        for key, fold in units.items()
    }


def test_units_are_folded_but_for_what_was_found_or_corrected(staff, founded):
    assert {key: is_open for key, (_line, is_open) in units_of(staff, page(founded)).items()} == {
        "1": False, "2": False, "3": False
    }  # fmt: skip
    found = units_of(staff, f"{page(founded)}?_changelist_filters=q%3DSorne")
    assert [key for key, (_line, is_open) in found.items() if is_open] == ["1"]
    staff.post(page(founded), typed(founded, **{"2.experience": 3}))
    after = units_of(staff, page(founded))
    assert after["2"] == ("Stormtroopers (no. 2) Stormtroopers · VR 0 · 3 XP · 42 points", True)
    assert [key for key, (_line, is_open) in after.items() if is_open] == ["2"]


def test_the_page_shows_the_whole_register_and_links_to_the_site(staff, founded):
    said = html_of(staff.get(page(founded)))
    for key, (line, _is_open) in units_of(staff, page(founded)).items():
        unit = founded.dossiers.get(key=key)
        assert line.startswith(unit.name or str(unit.unit))
    assert f'href="{reverse("registers:correct", args=[founded.pk])}"' in said
    assert f'href="{page(founded)}"' in html_of(staff.get(reverse("registers:correct", args=[founded.pk])))


def test_no_key_of_a_row_is_shown_to_people(staff, founded):
    text = re.sub(r"<[^>]*>", " ", html_of(staff.get(page(founded))))
    assert str(founded.pk) not in text
    assert "CampaignRules(" not in text


def test_experience_beyond_a_rank_offers_the_rank_with_its_commendations(staff, founded):
    sent = typed(founded, **{"2.experience": 14, "2.name": "Old Guard"})
    said = html_of(staff.post(page(founded), sent))
    assert "Set VR 2, with 2 Commendations to choose" in said
    assert staff.post(page(founded), sent | {"2.promote": "on"}).status_code == 302
    unit = founded.dossiers.get(key="2")
    assert (unit.experience, unit.veteran_rank, unit.owed) == (14, 2, 2)


def test_the_rank_of_a_paragon_comes_with_command_cards(staff, founded):  # R16
    sent = typed(founded, **{f"{founded.paragon}.experience": 5})
    assert "Set VR 1, with 1 Commendation to choose and 1 Command Card" in html_of(staff.post(page(founded), sent))
    assert staff.post(page(founded), sent | {f"{founded.paragon}.promote": "on"}).status_code == 302
    founded.refresh_from_db()
    unit = founded.dossiers.get(key=founded.paragon)
    assert (unit.veteran_rank, unit.owed, founded.command_cards_owed) == (1, 1, 1)


def test_only_upgrades_that_fit_a_unit_are_suggested(staff, founded):
    lists = dict(staff.get(page(founded)).context["form"].datalists)
    assert "DLT-19 Stormtrooper" in lists["upgrades_2"]
    assert "Force Push" not in lists["upgrades_2"]
    assert "upgrades_1" in lists
    assert lists["upgrades_1"] != lists["upgrades_2"]


def test_units_of_one_name_are_told_apart_by_their_faction(staff, founded):
    staff.post(page(founded), typed(founded, faction="rebel", override="on"))
    register = Register.objects.get(pk=founded.pk)
    assert "AT-RT (Rebel)" in dict(staff.get(page(founded)).context["form"].datalists)["cards_card"]
    staff.post(page(founded), typed(register, **{"new.card": "AT-RT (Rebel)", "override": "on"}))
    assert founded.dossiers.last().unit_id == "at-rt-rebel"


def test_the_history_has_every_entry_and_the_admin_log_the_correction(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    history = staff.get(reverse("admin:registers_register_history", args=[founded.pk]))
    assert [each.entry.position for each in history.context["entries"]] == [*range(founded.position + 1, 0, -1)]
    assert "SP corrected from 5 to 3" in html_of(history)
    assert [each.get_change_message() for each in LogEntry.objects.all()] == ["Corrected: typed wrong"]


def test_an_undone_correction_counts_again(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    keys = {"undo_position": founded.position + 1, "reason": "it was 5"}
    staff.post(page(founded), keys)
    staff.post(page(founded), keys | {"again": "1", "reason": "it was 3 after all"})
    assert Register.objects.get(pk=founded.pk).supply_points == 3


def test_the_page_has_only_the_last_entries(staff, founded, monkeypatch):
    monkeypatch.setattr("registers.admin.LAST_ENTRIES", 2)
    shown = staff.get(page(founded)).context["entries"]
    assert [each.entry.position for each in shown] == [founded.position, founded.position - 1]


def test_a_correction_is_an_entry(staff, founded):
    answer = staff.post(page(founded), typed(founded, **{"2.experience": 3}))
    assert answer.status_code == 302
    entry = founded.entries.last()
    assert (entry.act, entry.reason, entry.actor.username) == (EntryType.CORRECT, "typed wrong", "root")
    assert "corrected from 0 to 3" in html_of(staff.get(page(founded)))


def test_a_refusal_shows_what_was_typed_and_why(staff, founded):
    sent = typed(founded, **{"2.experience": 6})
    answer = staff.post(page(founded), sent)
    html = html_of(answer)
    assert answer.status_code == 422
    assert "With this XP it has VR 1. R12" in html
    assert 'value="6"' in html
    assert 'type="checkbox" name="override"' in html
    assert staff.post(page(founded), sent | {"override": "on"}).status_code == 302


def test_an_old_form_is_drawn_anew(staff, founded):
    sent = typed(founded, supply_points=3)
    staff.post(page(founded), typed(founded, supply_points=4))
    answer = staff.post(page(founded), sent)
    assert (answer.status_code, answer.context["form"]["supply_points"].value()) == (422, "3")


def test_undo(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    taken = staff.post(page(founded), {"undo_position": founded.position + 1, "reason": "it was 5"})
    assert messages_of(taken)[-1] == "Correction undone."
    assert Register.objects.get(pk=founded.pk).supply_points == 5


def test_a_reason_outlives_its_refusal(staff, founded):
    staff.post(page(founded), typed(founded, supply_points=3))
    position = founded.position + 1
    answer = staff.post(page(founded), {"undo_position": position, "reason": "x" * 600})
    html = html_of(answer)
    assert (answer.status_code, f'value="{"x" * 600}"' in html) == (422, True)
    assert "errornote" in html


def test_a_number_that_is_none_takes_nothing_back(staff, founded):
    answer = staff.post(page(founded), {"undo_position": "9" * 5000, "position": "9" * 5000, "reason": "it was 5"})
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
    assert "reputation is 9 in the database, but 0 in the ledger" in html_of(shown)
    assert staff.post(reverse("admin:registers_proof_delete", args=[done.pk])).status_code == 403
