"""Achievements on the pages of a Register and a chronicle, and the bonus for painted armies."""

import pytest
from django.urls import reverse

from campaign.achievements.models import PaintedBonus
from campaign.achievements.services.painting import award_bonus, set_bonus
from campaign.achievements.views import achievements_of
from campaign.enlistments.services.awards import undo_awards
from registers.models import LedgerEntry, Register
from registers.painting.services import set_painted
from rules.core.violations import RuleViolation
from tests.campaign.battles.amending import annulled
from tests.campaign.battles.closing import closed
from tests.campaign.factories import address, army_chosen, planned
from tests.campaign.fights import over
from tests.html import html_of
from tests.registers.views.reading import text_of


def reached(register: Register) -> list[dict]:
    [(_register, found)] = achievements_of([register])
    return found


def names(register: Register) -> list[str]:
    return [each["achievement"].name for each in reached(register)]


def painted_battle(table):
    """A closed battle that alpha won with the units 1 to 3, which are painted."""
    battle = army_chosen(planned(table))
    type(battle).objects.filter(pk=battle.pk).update(status="closed", winner="blue")
    for key in "123":
        set_painted(actor=table.ada, register_id=table.alpha.pk, key=key, painted=True)
    return battle.sides.get(colour="blue")


def test_they_follow_from_the_battle_and_go_with_it(fought):
    register = fought.blue.own_register
    assert names(register) == []
    battle = closed(fought)
    assert [(each["achievement"].name, each["battle"], each["href"]) for each in reached(register)[:2]] == [
        ("Into the Fray", "Battle 1", battle.get_absolute_url()),
        ("First Victory", "Battle 1", battle.get_absolute_url()),
    ]
    annulled(fought)
    assert names(register) == []


def test_they_are_in_the_chronicle_and_the_page_of_the_register_leads_there(as_ada, table):
    over(table, "blue")
    page = html_of(as_ada.get(reverse("registers:detail", args=[table.alpha.pk])))
    chronicle = as_ada.get(address(table, "achievements:index"))
    assert f'href="{address(table, "achievements:index")}#register-{table.alpha.pk}"' in page
    assert f'id="register-{table.alpha.pk}"' in html_of(chronicle)
    assert "First Victory Win a battle. Battle 1" in text_of(chronicle)
    assert [(str(register), len(lines)) for register, lines in chronicle.context["registers"]] == [
        ("Ashen Patrol", 3), ("Dune Wardens", 1),
    ]  # fmt: skip
    assert as_ada.post(address(table, "achievements:index"), {"do": "bonus"}).status_code == 404


class TestBonus:
    def test_an_organizer_sets_and_awards_it_with_one_tap(self, as_cora, table):
        side = painted_battle(table)
        page, before = address(table, "achievements:index"), Register.objects.get(pk=table.alpha.pk).supply_points
        assert as_cora.post(page, {"do": "bonus", "supply_points": "-1"}).status_code == 422
        assert as_cora.post(page, {"do": "bonus", "supply_points": "3"}).status_code == 302
        assert "Ashen Patrol Battle 1 Award 3 SP" in text_of(as_cora.get(page))
        for _ in range(2):
            assert as_cora.post(page, {"do": "award", "side": side.pk}).status_code == 302
        assert Register.objects.get(pk=table.alpha.pk).supply_points == before + 3
        assert "Ashen Patrol Battle 1 awarded" in text_of(as_cora.get(page))
        assert "Full Colors" in names(table.alpha)

    def test_not_for_an_army_with_an_unpainted_unit_nor_without_a_bonus(self, table):
        side = painted_battle(table)
        act = {"actor": table.cora, "campaign": table.campaign, "side_id": side.pk}
        with pytest.raises(RuleViolation) as caught:
            award_bonus(**act)
        assert str(caught.value) == "This campaign has no bonus for painted armies. Set one first."
        set_bonus(actor=table.cora, campaign=table.campaign, supply_points=1)
        set_painted(actor=table.ada, register_id=table.alpha.pk, key="2", painted=False)
        with pytest.raises(RuleViolation) as caught:
            award_bonus(**act)
        assert str(caught.value) == "This army is no longer fully painted, or its battle is open again."
        assert not PaintedBonus.objects.exists()

    def test_again_after_it_was_undone(self, table):
        side = painted_battle(table)
        set_bonus(actor=table.cora, campaign=table.campaign, supply_points=1)
        act = {"actor": table.cora, "campaign": table.campaign}
        award_bonus(**act, side_id=side.pk)
        entry = LedgerEntry.objects.filter(register=table.alpha).last()
        undo_awards(**act, entries=[entry.pk], reason="Primer only.")
        award_bonus(**act, side_id=side.pk)
        assert LedgerEntry.objects.filter(register=table.alpha, reason="Painted army in Battle 1").count() == 2
