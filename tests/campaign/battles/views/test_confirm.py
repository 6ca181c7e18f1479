"""Confirming, disputing and settling a report, on the page of its battle."""

import pytest
from django.urls import reverse

from campaign.battles.services import reports
from members.services import membership
from tests.campaign.factories import in_play, planned, reported, side_of
from tests.html import html_of
from tests.registers.views.reading import text_of

BROUGHT = {"blue": {"agenda": "gather-intelligence"}}


@pytest.fixture
def battle(table):
    return in_play(planned(table), blue=BROUGHT["blue"])


def test_by_the_other_player(client, table, battle):
    reported(battle, table.ada, **BROUGHT)
    client.force_login(table.ben)
    url = reverse("battles:confirm", args=[battle.pk])
    for _ in range(2):  # the form comes twice
        answer = client.post(url, {"version": "1", "nothing": "1"})
        assert answer.headers["Location"] == reverse("battles:sequence", args=[battle.pk])
    battle.refresh_from_db()
    assert battle.status == "sequence"


def test_an_empty_half_of_ones_own_is_not_confirmed_in_silence(client, table, battle):
    reported(battle, table.ada, **BROUGHT)
    client.force_login(table.ben)
    sentence = "Nothing is entered for Dune Wardens. Change the report, or confirm that there is nothing to enter."
    assert sentence in text_of(client.get(battle.get_absolute_url()))
    answer = client.post(reverse("battles:confirm", args=[battle.pk]), {"version": "1"}, follow=True)
    assert text_of(answer).count(sentence) == 2  # as the refusal, and beside the tick
    battle.refresh_from_db()
    assert battle.status == "reported"


def test_a_half_that_says_something_is_confirmed_as_it_is(client, table, battle):
    reported(battle, table.ada, **BROUGHT)
    side = side_of(battle, "red")
    side.report |= {"tokens": 1}
    side.save()
    client.force_login(table.ben)
    assert "Nothing is entered" not in text_of(client.get(battle.get_absolute_url()))
    client.post(reverse("battles:confirm", args=[battle.pk]), {"version": "1"})
    battle.refresh_from_db()
    assert battle.status == "sequence"


def test_who_disputed_it_confirms_it_after_all(client, table, battle):
    reported(battle, table.ada, **BROUGHT)
    reports.dispute(actor=table.ben, battle_id=battle.pk, version=1, reason="Two units, not one.")
    url, button = reverse("battles:confirm", args=[battle.pk]), "Withdraw dispute and confirm"
    client.force_login(table.ada)
    assert button not in text_of(client.get(battle.get_absolute_url()))
    client.post(url, {"version": "1", "nothing": "1"})
    battle.refresh_from_db()
    assert battle.status == "disputed"
    client.force_login(table.ben)
    assert button in text_of(client.get(battle.get_absolute_url()))
    client.post(url, {"version": "1", "nothing": "1"})
    battle.refresh_from_db()
    assert battle.status == "sequence"


def test_settled_by_the_organizer(client, table, battle):
    reported(battle, table.ada, **BROUGHT)
    client.force_login(table.cora)
    answer = client.post(reverse("battles:settle", args=[battle.pk]), {"version": "1"})
    assert answer.headers["Location"] == battle.get_absolute_url()
    battle.refresh_from_db()
    assert battle.status == "sequence"


@pytest.mark.parametrize("disputed", [False, True])
def test_why_it_counts_stays_where_it_was_typed_when_it_is_refused(client, table, battle, disputed):
    reported(battle, table.ada, **BROUGHT)
    if disputed:
        reports.dispute(actor=table.ben, battle_id=battle.pk, version=1, reason="Two units, not one.")
    client.force_login(table.cora)
    url = reverse("battles:settle", args=[battle.pk])
    answer = client.post(url, {"version": "0", "reason": "Both told me so"})
    html = html_of(answer)
    assert (answer.status_code, html.count('value="Both told me so"')) == (422, 1)
    assert html.count("The report changed a moment ago.") == 1


def test_a_dispute_of_what_is_settled_already_is_told_so(client, table, battle):
    reported(battle, table.ada, **BROUGHT)
    reports.settle(actor=table.cora, battle_id=battle.pk, version=1)
    client.force_login(table.ben)
    url = reverse("battles:dispute", args=[battle.pk])
    answer = client.post(url, {"version": "1", "reason": "Two units, not one."})
    text = text_of(answer).count("Only a reported battle can be disputed. This battle is in the Post-Battle Sequence.")
    assert (answer.status_code, text) == (422, 1)


def test_an_organizer_who_reported_for_a_player_is_not_led_to_settle_it(client, table, battle):
    reported(battle, table.cora, **BROUGHT)
    client.force_login(table.cora)
    text = text_of(client.get(battle.get_absolute_url()))
    assert "Waiting for ben" in text
    assert "Accept report as organizer" in text
    assert "Confirm report" not in text


def test_an_organizer_who_plays_is_offered_no_verdict_where_another_does_not(client, table, battle):
    table.campaign.memberships.filter(user=table.ben).update(role="organizer")
    reported(battle, table.ada, **BROUGHT)
    client.force_login(table.ben)
    offers = ("Accept report as organizer", "Cancel battle", "Confirm report")
    text = text_of(client.get(battle.get_absolute_url()))
    assert [offer in text for offer in offers] == [False, False, True]
    for name in ("battles:settle", "battles:cancel"):
        url = reverse(name, args=[battle.pk])
        text = text_of(client.post(url, {"version": "1", "stage": battle.stage}, follow=True))
        assert "You play in this battle, so another organizer has to settle or drop its report." in text
    membership.hand_over(actor=table.cora, group=table.campaign, user=table.ben)
    text = text_of(client.get(battle.get_absolute_url()))
    assert [offer in text for offer in offers] == [True, True, True]


def test_not_by_the_reporter(as_ada, table, battle):
    reported(battle, table.ada, **BROUGHT)
    answer = as_ada.post(reverse("battles:confirm", args=[battle.pk]), {"version": "1"}, follow=True)
    assert "Only the player who did not report the battle can do this." in text_of(answer)


CHANGED = "The report changed a moment ago. Check it, then try again. R25"
INCOMPLETE = "This form is incomplete. Reload the page."


@pytest.mark.parametrize(("version", "expected"), [("0", CHANGED), ("", INCOMPLETE), ("x", INCOMPLETE)])
def test_not_what_was_not_seen(client, table, battle, version, expected):
    reported(battle, table.ada, **BROUGHT)
    client.force_login(table.ben)
    answer = client.post(
        reverse("battles:confirm", args=[battle.pk]), {"version": version, "nothing": "1"}, follow=True
    )
    assert expected in text_of(answer)
    battle.refresh_from_db()
    assert battle.status == "reported"
