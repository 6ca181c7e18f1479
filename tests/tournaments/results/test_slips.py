"""The slip desk: slips typed by table, and results that one player reported confirmed together (E28)."""

import pytest
from django.urls import reverse

from members.models import Role
from tests.tournaments.factories import make_leader
from tests.tournaments.table_world import GC, TR, entry, game_of, paired_event, won
from tournaments.models import Entry, Game
from tournaments.queries.history import result_of
from tournaments.services.results import confirm_reported, report_result

pytestmark = pytest.mark.django_db
SLIP = {
    "do": "save", "table": 1, "winner": "first", "how": "victory", "first_tokens": 5, "second_tokens": 3,
    "first_points": 500, "second_points": 300,
}  # fmt: skip


def type_slip(client, event, **typed):
    return client.post(reverse("tournaments:slips", args=[event.pk]), {**SLIP, **typed})


def report(event, by="Asha"):
    game = game_of(event, "Asha")
    report_result(actor=None, entry=entry(event, by), game=game, result=won(event, "Asha"), version=game.version)


def test_a_slip_is_saved_by_its_table(client):
    olga, event = paired_event(GC)
    client.force_login(olga)
    for _ in range(2):
        answer = type_slip(client, event)
        assert (answer.status_code, answer.url) == (302, reverse("tournaments:slips", args=[event.pk]))
    game = game_of(event, "Asha")
    assert (game.state, game.version, result_of(game)) == (Game.State.CONFIRMED, 1, won(event, "Asha"))
    page = client.get(answer.url).content.decode()
    assert "Table 1: Asha won (Victory). Asha – Ben: points defeated 500–300, victory tokens 5–3." in page


def test_a_slip_has_a_tick_for_a_drop(client):
    """E25: after the result is saved, and only for organizers."""
    olga, event = paired_event(GC)
    rita = make_leader(event, Role.JUDGE)
    for who, there in ((rita, False), (olga, True)):
        client.force_login(who)
        page = client.get(reverse("tournaments:slips", args=[event.pk])).content.decode()
        assert ("B drops" in page) == there
    text = type_slip(client, event, second_drops="on")
    text = client.get(text.url).content.decode()
    assert [each in text for each in ("Table 1: Asha won", "Ben has dropped.")] == [True, True]
    assert [entry(event, name).state for name in ("Asha", "Ben")] == ["playing", "dropped"]
    assert game_of(event, "Asha").state == Game.State.CONFIRMED


def test_another_desk_had_the_slip_first(client):
    olga, event = paired_event(GC)
    client.force_login(olga)
    type_slip(client, event)
    answer = type_slip(client, event, winner="second")
    assert answer.status_code == 422
    assert "Table 1 has a result already: Asha won" in answer.content.decode()
    assert result_of(game_of(event, "Asha")) == won(event, "Asha")


def test_the_slip_names_the_players_the_other_way_round(client):
    """Swapping saves nothing."""
    olga, event = paired_event(TR)
    client.force_login(olga)
    answer = type_slip(client, event, do="swap", how="six_rounds", blue="first", first_drops="on")
    form = answer.context["form"]
    assert {name: form[name].value() for name in form.fields} == {
        **{name: value for name, value in SLIP.items() if name != "do"}, "table": "1", "how": "six_rounds",
        "winner": "second", "blue": "second", "first_tokens": "3", "second_tokens": "5", "first_points": "300",
        "second_points": "500", "first_drops": "", "second_drops": "on",
    }  # fmt: skip
    assert game_of(event, "Asha").state == Game.State.OPEN


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ({"table": 9}, "No game is played at this table in this round."),
        ({"table": "x"}, "Enter the number of a table."),
        ({"winner": ""}, "Choose the winner."),
        ({"first_tokens": ""}, "Enter a number, 0 if there is none."),
        ({"first_points": 5000}, "Enter at most 1000"),
    ],
)
def test_a_slip_that_cannot_be(client, typed, text):
    """E27, E28."""
    olga, event = paired_event(GC)
    client.force_login(olga)
    answer = type_slip(client, event, **typed)
    assert (answer.status_code, text in answer.content.decode()) == (422, True)
    assert game_of(event, "Asha").state == Game.State.OPEN


def test_all_that_one_player_reported(client):
    """E28: as they were shown."""
    olga, event = paired_event(GC)
    client.force_login(olga)
    report(event)
    page = reverse("tournaments:slips", args=[event.pk])
    assert 'name="shown-1" value="1"' in client.get(page).content.decode()
    client.post(page, {"do": "confirm", "shown-1": "0", "shown-2": "0", "shown-3": "x"})
    assert game_of(event, "Asha").state == Game.State.REPORTED
    answer = client.post(page, {"do": "confirm", "shown-1": "1"}, follow=True)
    assert "1 result confirmed." in answer.content.decode()
    game = game_of(event, "Asha")
    assert (game.state, game.version, game.reported_by) == (Game.State.CONFIRMED, 2, None)
    assert confirm_reported(actor=olga, event=event, versions={1: 1}) == (0, 0)


def test_a_leader_does_not_confirm_their_own_game():
    """E2."""
    olga, event = paired_event(GC)
    make_leader(event, Role.JUDGE)
    Entry.objects.filter(event=event, name="Ben").update(user=olga)
    report(event)
    assert confirm_reported(actor=olga, event=event, versions={1: 1}) == (0, 1)
    assert game_of(event, "Asha").state == Game.State.REPORTED


def test_the_code_on_a_slip_leads_to_the_report_of_its_table(client):
    olga, event = paired_event(GC)
    table = reverse("tournaments:table", args=[event.pk, 1])
    assert client.get(table).url == event.get_absolute_url()
    client.post(reverse("tournaments:personal", args=[entry(event, "Ben").token]))
    assert client.get(table).url == reverse("tournaments:player_report", args=[event.pk])
    assert client.get(table.replace("/1/", "/2/")).url == reverse("tournaments:player", args=[event.pk])
    client.force_login(olga)
    desk = client.get(table.replace("/1/", "/2/")).url
    assert desk == reverse("tournaments:slips", args=[event.pk]) + "?table=2"
    assert client.get(desk).context["form"]["table"].value() == 2
