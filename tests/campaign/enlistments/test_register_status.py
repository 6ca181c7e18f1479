"""The page that withdraws or retires a Register, and where its status is shown."""

from django.urls import reverse

from campaign.battles.state_machine import BattleStatus
from campaign.enlistments.services import enlistments
from dashboard.inbox import inbox_for
from tests.campaign.factories import address, enlisted, in_play, planned
from tests.html import html_of
from tests.registers.views.reading import text_of


def page_of(table) -> str:
    return address(table, "campaign:register_status", table.alpha.pk)


def test_it_says_what_follows_and_does_it(as_ada, table, settings):
    # Each planned battle is canceled by an act of its own, which locks it.
    settings.ZEAL_ALLOWLIST = [*settings.ZEAL_ALLOWLIST, {"model": "battles.Battle", "field": "*"}]
    battle = planned(table)
    page = as_ada.get(page_of(table))
    for words in (
        "these battles are canceled. Ashen Patrol against Dune Wardens",
        "Withdraw Register",
        "Retire Register",
        "Its player and the organizers can bring it back at any time.",
    ):
        assert words in text_of(page)
    assert f'name="planned" value="{battle.pk}"' in html_of(page)
    refused = as_ada.post(page_of(table), {"do": "withdraw", "planned": "garbled"})
    assert (refused.status_code, "A battle was planned a moment ago." in text_of(refused)) == (422, True)
    answer = as_ada.post(page_of(table), {"do": "withdraw", "planned": str(battle.pk)}, follow=True)
    text = text_of(answer)
    assert "Ashen Patrol was withdrawn from Outer Rim Winter." in text
    assert "Withdrawn and retired 1 Ashen Patrol ada withdrawn" in text
    battle.refresh_from_db()
    assert battle.status == BattleStatus.CANCELLED
    register = text_of(as_ada.get(reverse("registers:detail", args=[table.alpha.pk])))
    assert "Withdrawn from the campaign" in register
    assert "Bring back" in register
    assert "Ashen Patrol (withdrawn)" in text_of(as_ada.get(address(table, "campaign:people")))
    text = text_of(as_ada.post(page_of(table), {"do": "bring_back"}, follow=True))
    assert "Ashen Patrol is back in Outer Rim Winter." in text
    assert "Withdrawn and retired" not in text


def test_a_button_that_is_not_there(as_ada, table):
    answer = as_ada.post(page_of(table), {})
    assert answer.status_code == 422
    assert "Choose Withdraw Register, Retire Register or Bring back Register." in text_of(answer)


def test_a_battle_in_play_comes_first(as_ada, table):
    in_play(planned(table))
    text = text_of(as_ada.get(page_of(table)))
    assert "Finish this battle first" in text
    assert "Retire Register" not in text


def test_nothing_waits_for_it(table):
    second = enlisted(table.campaign, table.ada, "Short", units=2)
    second.dossiers.filter(unit__rank="corps").update(status="fallen")
    assert [item.title for item in inbox_for(table.ada)] == ["Add corps units"]
    enlistments.change_status(actor=table.ada, campaign=table.campaign, register_id=second.pk, status="retired")
    assert inbox_for(table.ada) == []
