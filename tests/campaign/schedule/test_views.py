"""Pages of the schedule, as people use them."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from campaign.battles.models import Battle
from campaign.battles.services import planning
from campaign.schedule.models import Availability, Phase, Round
from campaign.schedule.services import rounds
from campaign.star_map.services.star_map import start_map
from tests.campaign.factories import address, enlisted
from tests.html import html_of
from tests.registers.views.reading import text_of


@pytest.fixture
def league(table):
    """The campaign with two more Registers, a phase of 1,200 points that is running, and a draft."""
    enlisted(table.campaign, table.mia, "Charlie")
    enlisted(table.campaign, table.cora, "Delta")
    today = timezone.localdate()
    Phase.objects.create(
        campaign=table.campaign, name="Season 1", first_day=today, last_day=today + timedelta(days=30), size=1200,
        note="Snow.",
    )  # fmt: skip
    return table


def new_round(client, table, **words):
    form = {
        "round": str(uuid4()), "who": "campaign", "nearness": "potential", "due": "2026-05-12", "size": "800",
        "place": "The attic", **words,
    }  # fmt: skip
    return client.post(address(table, "schedule:new_round"), form)


def test_from_the_campaign_page_to_the_battles(as_cora, league):
    assert "Pair the next round" in text_of(as_cora.get(address(league, "campaign:detail")))
    assert 'value="1200"' in html_of(as_cora.get(address(league, "schedule:new_round")))
    answer = new_round(as_cora, league)
    draft = Round.objects.get()
    assert (answer.status_code, answer.url) == (302, draft.get_absolute_url())
    assert as_cora.get(address(league, "schedule:new_round")).url == draft.get_absolute_url()
    assert "Create 2 battles" in text_of(as_cora.get(draft.get_absolute_url()))
    answer = as_cora.post(draft.get_absolute_url(), {"do": "create", "version": draft.version})
    assert answer.status_code == 302
    text = text_of(as_cora.get(draft.get_absolute_url()))
    assert "Round 1 2 open" in text
    assert "Battle 1, 800 points, 12 May, The attic: both are choosing armies" in text
    battle = Battle.objects.get(number=1)
    assert f'<a href="{draft.get_absolute_url()}">Round 1</a>' in html_of(as_cora.get(battle.get_absolute_url()))
    text = text_of(as_cora.get(address(league, "campaign:detail")))
    assert "Round 1 paired: 2 battles, due 12 May 2026" in text
    assert "0 of 2 battles over" in text


def test_changing_a_draft_without_scripts(as_cora, league):
    new_round(as_cora, league)
    draft = Round.objects.get()
    one, other = [str(pairing.blue_id) for pairing in draft.pairings.all()]
    before = list(draft.pairings.values_list("blue", "red"))

    def send(**words):
        draft.refresh_from_db()
        return as_cora.post(draft.get_absolute_url(), {"version": draft.version, **words})

    assert send(do="swap", players=[one, other]).status_code == 302
    assert list(draft.pairings.values_list("blue", "red")) != before
    refused = send(do="swap", players=[one])
    assert (refused.status_code, "Choose two Registers to swap." in text_of(refused)) == (422, True)
    assert f'value="{one}" checked' in html_of(refused)
    assert send(do="leave_out", players=[one]).status_code == 302
    assert send(do=f"add:{one}").status_code == 302
    assert send(do=f"remove:{one}").status_code == 302
    assert draft.pairings.count() == 1
    stale = as_cora.post(draft.get_absolute_url(), {"version": 1, "do": "again"})
    assert "The draft changed a moment ago." in text_of(stale)


def test_a_draft_is_the_organizers(client, league):
    draft = rounds.open_draft(
        actor=league.cora, campaign=league.campaign, round_id=uuid4(), due=timezone.localdate(), size=800
    )
    client.force_login(league.ada)
    assert client.get(draft.get_absolute_url()).status_code == 404
    assert "Draft" not in text_of(client.get(address(league, "schedule:index")))


def test_nothing_typed_is_lost(as_cora, league):
    answer = new_round(as_cora, league, size="50", due="soon", place="The attic")
    text, html = text_of(answer), html_of(answer)
    assert answer.status_code == 422
    for words in ("Choose a size from 100 to 3,000 points.", "Enter a date, such as 2026-04-21."):
        assert words in text
    for kept in ('value="50"', 'value="soon"', 'value="The attic"'):
        assert kept in html
    assert not Round.objects.exists()


def test_saying_when_one_can_play(as_ada, league):
    form = {"number": 1, "can_play": "on", "weekdays": ["0", "3"], "note": "after 7 pm"}
    assert as_ada.post(address(league, "schedule:availability"), form).status_code == 302
    text = text_of(as_ada.get(address(league, "schedule:index")))
    assert "ada : Monday, Thursday after 7 pm" in text
    as_ada.post(address(league, "schedule:availability"), {"number": 1})
    assert not Availability.objects.exists()
    late = as_ada.post(address(league, "schedule:availability"), {**form, "number": 7, "note": "Never"})
    assert (late.status_code, 'value="Never"' in html_of(late)) == (422, True)


def test_phases(as_cora, league):
    url = address(league, "schedule:new_phase")
    form = {
        "phase": str(uuid4()), "version": 0, "name": "Season 2", "first_day": "2030-01-01", "last_day": "2030-06-30",
        "size": "",
    }  # fmt: skip
    assert as_cora.post(url, form).status_code == 302
    refused = as_cora.post(url, {**form, "phase": str(uuid4()), "name": "Season 3"})
    assert (refused.status_code, 'value="Season 3"' in html_of(refused)) == (422, True)
    assert "Season 2 already covers" in text_of(refused)
    phase = Phase.objects.get(name="Season 2")
    one = address(league, "schedule:phase", phase.pk)
    assert as_cora.post(one, {**form, "version": phase.version, "name": "Winter"}).status_code == 302
    for page in ("schedule:index", "chronicle:index"):
        assert "Winter" in text_of(as_cora.get(address(league, page)))
    as_cora.post(address(league, "schedule:delete_phase", phase.pk))
    assert list(Phase.objects.values_list("name", flat=True)) == ["Season 1"]
    assert "Phase “Winter” deleted." in text_of(as_cora.get(address(league, "chronicle:activity")))


def test_a_new_battle_starts_with_the_size_of_the_phase(as_ada, league):
    page = as_ada.get(address(league, "battles:plan"))
    assert 'name="size" value="1200" checked' in html_of(page)
    assert "Season 1 is played with 1200 points." in text_of(page)


def test_systems_of_a_draft(as_cora, league):
    start_map(actor=league.cora, campaign=league.campaign, layout="6")
    page = html_of(as_cora.get(address(league, "schedule:new_round")))
    assert ('name="stakes"' in page, 'name="mates"' in page) == (True, False)
    new_round(as_cora, league, stakes="")
    draft, (first, *_) = Round.objects.get(), league.campaign.systems.all()
    pairing = draft.pairings.first()
    sent = {"version": draft.version, f"system:{pairing.blue_id}": first.pk, "system:nobody": "nothing"}
    saved = as_cora.post(draft.get_absolute_url(), {**sent, "do": "systems"}, follow=True)
    assert f'value="{first.pk}" selected' in html_of(saved)
    again = as_cora.post(draft.get_absolute_url(), {**sent, "do": "systems"})  # a double tap
    old = {**sent, f"system:{pairing.blue_id}": "", "do": "create"}
    refused = as_cora.post(draft.get_absolute_url(), old)  # another organizer's page, which keeps what was chosen on it
    draft.refresh_from_db()
    assert (again.status_code, refused.status_code, draft.is_draft, draft.version) == (302, 422, True, 2)
    assert f'value="{first.pk}" selected' not in html_of(refused)
    assert as_cora.post(draft.get_absolute_url(), {**sent, "version": 2, "do": "create"}).status_code == 302
    assert Battle.objects.get(pk=pairing.pk).fought_for.system == first
    sheet = text_of(as_cora.get(address(league, "schedule:sheet", 1)))
    assert f"{pairing.blue} {pairing.blue.owner} {pairing.red} {pairing.red.owner} {first}" in sheet


def test_a_canceled_battle_is_offered_again(as_cora, league):
    new_round(as_cora, league)
    draft = Round.objects.get()
    as_cora.post(draft.get_absolute_url(), {"do": "create", "version": draft.version})
    pairing = draft.pairings.first()
    planning.cancel(actor=league.cora, battle_id=pairing.battle_id)
    assert f'value="plan:{pairing.blue_id}"' in html_of(as_cora.get(draft.get_absolute_url()))
    answer = as_cora.post(draft.get_absolute_url(), {"do": f"plan:{pairing.blue_id}", "version": 0}, follow=True)
    assert "Battle planned again." in text_of(answer)
    assert 'value="plan:' not in html_of(answer)
    assert as_cora.post(draft.get_absolute_url(), {"do": "plan:x", "version": 0}).status_code == 302
