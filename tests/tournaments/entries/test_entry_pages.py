"""Pages before an event, for the public, players and organizers."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from members.models import Role
from members.services import invitations
from rules.core.violations import RuleViolation
from rules.tournaments.rule_sets import RuleSet
from tests.html import html_of
from tests.statements import without_catalogue
from tournaments.forms.entries import PLAYER_FIELDS, TableForm, read_players
from tournaments.models import Entry, Event, LogLine, Membership, SubmittedList
from tournaments.services import entries as services, events
from tournaments.services.entries import NewPlayer
from tournaments.services.events import change_settings

pytestmark = pytest.mark.django_db
GC = RuleSet.GALACTIC_CONQUEST
LEADING = ("settings", "entries", "import_players", "personal_links", "leaders")


@pytest.fixture
def olga():
    return User.objects.create_user("olga", password="pass")


@pytest.fixture
def ada():
    return User.objects.create_user("ada", password="pass")


@pytest.fixture
def event(olga):
    event = events.create_event(
        actor=olga, name="Winter Conquest", rule_set=GC, place="Berlin", time_zone="Europe/Berlin",
        starts_at=timezone.now() + timedelta(days=8),
    )  # fmt: skip
    return events.open_registration(actor=olga, event=event)


@pytest.fixture
def organizing(client, olga):
    client.force_login(olga)
    return client


def add(olga, event, *names):
    players = [NewPlayer(name) for name in names]
    return services.add_players(actor=olga, event=event, players=players, now=timezone.now())


def url(name, event, *arguments):
    return reverse(f"tournaments:{name}", args=[event.pk, *arguments])


def page(client, name, event, *arguments):
    return html_of(client.get(url(name, event, *arguments)))


def test_a_new_event_is_created_once_in_its_time_zone(organizing, olga):
    form = {
        "event": uuid4(), "name": "Winter", "starts_at": "2026-11-28T10:00", "time_zone": "Europe/Berlin",
        "place": "Bonn", "rule_set": "TR",
    }  # fmt: skip
    answers = [organizing.post(reverse("tournaments:new"), form) for _ in range(2)]
    event = Event.objects.get()
    assert {answer.url for answer in answers} == {event.get_absolute_url()}
    assert (event.starts_at, event.rule_set, event.army_size, event.state) == (
        datetime(2026, 11, 28, 9, tzinfo=UTC), "TR", 800, "draft",
    )  # fmt: skip
    refused = organizing.post(reverse("tournaments:new"), form | {"event": uuid4(), "starts_at": "x", "name": "W2"})
    assert refused.status_code == 422
    assert "Write date and time as in" in html_of(refused)


def test_everybody_sees_the_event_and_only_leaders_the_rest(client, ada, olga, event):
    add(olga, event, "Zoe")
    shown = page(client, "detail", event)
    for words in ("Winter Conquest", "Berlin", "Zoe", "Event Organizer", event.commitment, "registration open"):
        assert words in shown
    assert "To the event" not in shown
    client.force_login(ada)
    assert [client.get(url(name, event)).status_code for name in LEADING] == [404] * len(LEADING)
    posts = ("add_entries", "state", "add_leader", "invite")
    assert [client.post(url(name, event)).status_code for name in posts] == [404] * len(posts)


def test_the_list_says_what_the_reader_is_in_each_event(client, ada, olga, event):
    add(olga, event, "Zoe")
    services.register(actor=ada, event=event, name="Ada", now=timezone.now())
    shown = {}
    for user in (None, ada, olga):
        if user:
            client.force_login(user)
        lists = client.get(reverse("tournaments:events")).context["lists"]
        shown[user] = [[(line.own, line.players) for line in lines] for lines in (lists["own"], lists["coming"])]
    assert shown == {None: [[], [("", 2)]], ada: [[("you play", 2)], []], olga: [[("Event Organizer", 2)], []]}


def test_a_draft_is_for_its_leaders(client, olga, event):
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(url("detail", event)).status_code == 404
    assert "Winter Conquest" not in html_of(client.get(reverse("tournaments:events")))
    client.force_login(olga)
    assert "Open registration" in page(client, "detail", event)
    assert "Winter Conquest" in html_of(client.get(reverse("tournaments:events")))


def test_the_page_says_which_options_are_in_force_and_reveals_the_seed_at_the_end(client, event):
    shown = page(client, "detail", event)
    assert "A bye is left out of the strength of schedule." in shown
    seed = bytes(event.seed).hex()
    assert seed not in shown
    Event.objects.update(state=Event.State.FINISHED)
    assert seed in page(client, "detail", event)


def test_factions_are_public_with_the_lists(client, ada, olga, event):
    """E10: in the Tournament Regulations not before the end, because only opponents see a list."""
    (zoe,) = add(olga, event, "Zoe")
    SubmittedList.objects.create(entry=zoe, number=1, faction="rebel")
    assert 'data-faction="rebel"' not in page(client, "detail", event)
    services.register(actor=ada, event=event, name="Ada", now=timezone.now())
    client.force_login(ada)
    assert 'data-faction="rebel"' not in page(client, "detail", event)
    Entry.objects.update(state=Entry.State.PLAYING, ticket=1)
    Event.objects.update(state=Event.State.RUNNING)
    assert 'data-faction="rebel"' in page(client, "detail", event)
    Event.objects.update(rule_set="TR")
    assert 'data-faction="rebel"' not in page(client, "detail", event)
    Event.objects.update(state=Event.State.FINISHED)
    assert 'data-faction="rebel"' in page(client, "detail", event)
    Event.objects.update(lists_published="never")
    assert 'data-faction="rebel"' not in page(client, "detail", event)


def test_a_visitor_signs_in_and_comes_back_to_register(client, ada, event):
    asked = html_of(client.get(reverse("tournaments:new"), follow=True))
    assert asked.partition("</header>")[0].count('/?next=%2Fevents%2Fnew%2F"') == 2
    address = url("register", event)
    assert "Sign up and register" in html_of(client.get(address))
    answer = client.post(address, {"do": "sign_in"})
    assert answer.url == f"{reverse('account_login')}?next={address.replace('/', '%2F')}"
    client.force_login(ada)
    answers = [client.post(address, {"name": "Ada", "club": "Lions", "note": ""}) for _ in range(2)]
    assert {each.url for each in answers} == {event.get_absolute_url()}
    assert list(event.entries.values_list("name", "user", "club")) == [("Ada", ada.pk, "Lions")]
    assert "You are registered as Ada, number 1." in page(client, "detail", event)
    assert client.post(url("withdraw", event)).url == event.get_absolute_url()
    assert event.entries.get().state == Entry.State.DROPPED


def test_a_refused_registration_shows_what_was_typed(client, ada, olga, event):
    add(olga, event, "Zoe")
    client.force_login(ada)
    answer = client.post(url("register", event), {"name": "zoe", "club": "Lions"})
    assert answer.status_code == 422
    assert "zoe is registered already." in html_of(answer)
    assert 'value="Lions"' in html_of(answer)


def test_an_organizer_cannot_register_and_is_told_why(organizing, event):
    """E2."""
    text = "An event without a Consular is judged by its organizer, who cannot play then. Add a Consular first."
    assert text in page(organizing, "register", event)


def test_a_leader_may_play_in_a_casual_tournament_with_another_leader(organizing, ada, olga, event):
    """E2."""
    Event.objects.update(rule_set="TR", army_size=800)
    link = f'href="{url("register", event)}"'
    assert link not in page(organizing, "detail", event)
    Membership.objects.create(event=event, user=ada, role=Role.JUDGE)
    assert link in page(organizing, "detail", event)


def test_states_change_by_button_and_a_cancelled_event_says_why(client, organizing, olga, event):
    organizing.post(url("state", event), {"do": "close"})
    assert Event.objects.get().state == "closed"
    assert organizing.post(url("state", event), {"do": "cancel", "reason": ""}).status_code == 422
    organizing.post(url("state", event), {"do": "cancel", "reason": "Snow"})
    client.logout()
    shown = page(client, "detail", event)
    assert "This event is cancelled." in shown
    assert "Snow" in shown


def settings_form(html_page):
    """Return what a browser sends for the settings as they are."""
    form = html_page.context["form"]
    found = {}
    for field in form:
        value = field.value()
        if value not in (None, False):
            found[field.html_name] = value
        if field.field.show_hidden_initial:
            found[field.html_initial_name] = "" if value is None else str(value)
    return found


def test_a_stale_settings_page_undoes_nothing(organizing, event):
    stale = settings_form(organizing.get(url("settings", event)))
    fresh = stale | {"army_size": 500, "structure": "custom", "rounds": 3, "cut": 4}
    assert organizing.post(url("settings", event), fresh).status_code == 302
    assert organizing.post(url("settings", event), stale | {"place": "Bonn"}).status_code == 302
    assert organizing.post(url("settings", event), stale | {"place": "Bonn"}).status_code == 302
    event.refresh_from_db()
    assert (event.army_size, event.structure, event.rounds, event.cut, event.place) == (500, "custom", 3, 4, "Bonn")
    assert event.log.filter(kind="settings").count() == 2


def test_a_changed_time_zone_keeps_the_time_on_the_wall(organizing, event):
    form = settings_form(organizing.get(url("settings", event)))
    organizing.post(url("settings", event), form | {"starts_at": "2026-12-05T10:00", "time_zone": "America/New_York"})
    event.refresh_from_db()
    assert event.starts_at == datetime(2026, 12, 5, 15, tzinfo=UTC)
    form = settings_form(organizing.get(url("settings", event)))
    organizing.post(url("settings", event), form | {"time_zone": "Europe/London"})
    event.refresh_from_db()
    assert event.starts_at == datetime(2026, 12, 5, 10, tzinfo=UTC)


def test_the_other_rule_set_brings_a_structure_of_its_own(organizing, event):
    form = settings_form(organizing.get(url("settings", event)))
    organizing.post(url("settings", event), form | {"structure": "full_swiss"})
    form = settings_form(organizing.get(url("settings", event)))
    assert organizing.post(url("settings", event), form | {"rule_set": "TR"}).status_code == 302
    event.refresh_from_db()
    assert (event.rule_set, event.structure, event.army_size) == ("TR", "standard", 800)


def test_settings_of_a_running_event_offer_only_what_can_change(organizing, event):
    Event.objects.update(state=Event.State.RUNNING, frozen_players=8)
    fields = set(organizing.get(url("settings", event)).context["form"].fields)
    assert not {"rule_set", "army_size", "structure", "rounds", "cut"} & fields
    assert {"about", "place", "hands_published"} <= fields
    form = settings_form(organizing.get(url("settings", event))) | {"army_size": 400}
    organizing.post(url("settings", event), form)
    assert Event.objects.get().army_size == 1000


def test_a_time_that_clocks_skip_is_refused(organizing, event):
    skipped = {"starts_at": "2027-03-28T02:30", "time_zone": "Europe/Berlin"}
    form = settings_form(organizing.get(url("settings", event)))
    answer = organizing.post(url("settings", event), form | skipped)
    assert answer.context["form"].errors["starts_at"] == [
        "Clocks in Europe/Berlin skip 02:30 on 28 March 2027. Choose another time."
    ]
    new = {"name": "Spring", "rule_set": "GC", "event": str(uuid4()), **skipped}
    assert organizing.post(reverse("tournaments:new"), new).status_code == 422
    assert not Event.objects.filter(name="Spring").exists()


def test_the_options_are_settings_until_the_event_runs(organizing, event):
    """E8, E20, E26, E35."""
    form = settings_form(organizing.get(url("settings", event)))
    own = {"bye_tokens": "3", "skips_unpaired_losses": "on", "bracket_minutes": "90"}
    assert organizing.post(url("settings", event), form | own).status_code == 302
    event.refresh_from_db()
    assert (event.bye_tokens, event.skips_unpaired_losses, event.bracket_minutes) == (3, True, 90)
    form = settings_form(organizing.get(url("settings", event)))
    assert "deck_of_2020" not in form | own  # for the Tournament Regulations
    assert organizing.post(url("settings", event), form | {"bracket_minutes": "601"}).status_code == 422
    organizing.post(url("settings", event), form | {"bracket_minutes": "", "bye_tokens": ""})
    event.refresh_from_db()
    assert (event.bye_tokens, event.bracket_minutes) == (0, None)
    Event.objects.update(state=Event.State.RUNNING)
    assert not {*own, "deck_of_2020"} & set(organizing.get(url("settings", event)).context["form"].fields)
    event.refresh_from_db()
    with pytest.raises(RuleViolation):
        change_settings(actor=User.objects.get(username="olga"), event=event, changes={"deck_of_2020": True})


def test_the_list_is_filtered_and_counted(organizing, olga, event):
    zoe, yan, _xia = add(olga, event, "Zoe", "Yan", "Xia")
    Entry.objects.filter(pk=zoe.pk).update(state="waiting", paid=True)
    SubmittedList.objects.create(entry=yan, number=1, violations=[{"rule": "E8", "text": "Too many points"}])
    answer = organizing.get(url("entries", event))
    assert [(each["key"], each["number"]) for each in answer.context["filters"]] == [
        ("", 3), ("registered", 2), ("waiting", 1), ("unpaid", 2), ("none", 2), ("needs_decision", 1),
    ]  # fmt: skip
    assert "list needs a decision" in html_of(answer)
    names = {}
    for query in ("?show=waiting", "?show=unpaid", "?show=needs_decision", "?q=xi", "?show=unpaid&q=zo"):
        lines = organizing.get(url("entries", event) + query).context["lines"]
        names[query] = [line.entry.name for line in lines]
    assert names == {
        "?show=waiting": ["Zoe"], "?show=unpaid": ["Yan", "Xia"], "?show=needs_decision": ["Yan"], "?q=xi": ["Xia"],
        "?show=unpaid&q=zo": [],
    }  # fmt: skip


def test_who_never_played_has_withdrawn(organizing, olga, event):
    """Also once the event runs, in which others drop."""
    zoe, yan, _xia = add(olga, event, "Zoe", "Yan", "Xia")
    Entry.objects.filter(pk=zoe.pk).update(state="dropped")
    Entry.objects.filter(pk=yan.pk).update(state="dropped", ticket=1)
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    names = {
        key: [(line.entry.name, line.entry.state_words) for line in organizing.get(page).context["lines"]]
        for key in ("withdrawn", "dropped") if (page := f"{url('entries', event)}?show={key}")
    }  # fmt: skip
    assert names == {"withdrawn": [("Zoe", "withdrawn")], "dropped": [("Yan", "dropped")]}


def test_names_are_sorted_and_found_as_people_do(organizing, olga, event):
    """Law 15."""
    add(olga, event, "Zoë", "Bob 10", "Élodie", "Bob 9", "Emil")
    shown = organizing.get(url("check_in", event)).context["rows"]
    assert [entry.name for entry, _gap in shown] == ["Bob 9", "Bob 10", "Élodie", "Emil", "Zoë"]
    links = organizing.get(url("personal_links", event)).context["cards"]
    assert [card["entry"].name for card in links] == ["Bob 9", "Bob 10", "Élodie", "Emil", "Zoë"]
    found = organizing.get(url("check_in", event) + "?q=elodie").context["rows"]
    lines = organizing.get(url("entries", event) + "?q=zoe").context["lines"]
    console = organizing.get(url("console", event) + "?q=ELODIE").content.decode()
    assert ([entry.name for entry, _gap in found], [line.entry.name for line in lines]) == (["Élodie"], ["Zoë"])
    assert ("Élodie" in console, "Emil" in console) == (True, False)


def test_one_tap_notes_who_has_paid(organizing, olga, event):
    add(olga, event, "Zoe")
    address = url("entries", event)
    for _twice in range(2):
        assert organizing.post(f"{address}?show=unpaid", {"paid": "1 on"}).url == f"{address}?show=unpaid"
    assert event.entries.get().paid
    row = html_of(organizing.post(address, {"paid": "1 off"}, headers={"HX-Request": "true"}))
    assert row.startswith("<li")
    assert 'aria-pressed="false"' in row
    assert not event.entries.get().paid
    assert organizing.post(address, {"paid": "x"}).status_code == 422
    assert set(event.log.values_list("kind", flat=True)) == {"created", "state", "entered"}


def test_names_are_added_and_duplicates_named(organizing, event):
    form = {"names": "Zoe\n\n Yan \n", "after": 0}
    for _twice in range(2):
        assert organizing.post(url("add_entries", event), form).status_code == 302
    answer = organizing.post(url("add_entries", event), {"names": "Xia\nzoe", "after": 2})
    assert (answer.status_code, "zoe is registered already." in html_of(answer)) == (422, True)
    assert "Xia\nzoe" in answer.content.decode()
    assert list(event.entries.values_list("name", flat=True)) == ["Zoe", "Yan"]


def test_a_table_is_shown_before_it_is_imported(organizing, event):
    address = url("import_players", event)
    file = SimpleUploadedFile("players.csv", "name,club\nZoë,Lions\nYan,".encode("cp1252"))
    preview = organizing.post(address, {"file": file})
    assert (preview.status_code, event.entries.count()) == (200, 0)
    assert "Add 2 players" in html_of(preview)
    form = {"text": preview.context["form"]["text"].value(), "after": 0, "do": "add"}
    for _twice in range(2):
        assert organizing.post(address, form).url == url("entries", event)
    assert list(event.entries.values_list("name", "club")) == [("Zoë", "Lions"), ("Yan", "")]
    wrong = organizing.post(address, {"text": "Xia\nyan", "after": 2, "do": "add"})
    assert (wrong.status_code, "yan is registered already." in html_of(wrong)) == (422, True)
    assert "players</button>" not in html_of(wrong)
    assert event.entries.count() == 2
    assert organizing.post(address, {}).status_code == 422


def chosen_columns(answer):
    """Return what a browser sends for the columns as they were drawn."""
    return {field.html_name: field.value() for field in answer.context["table"].columns}


def test_columns_that_are_left_out_are_named_and_can_be_chosen(organizing, event):
    address, text = url("import_players", event), "Naam;E-Mail;Verein;Bezahlt\nZoë;z@x.de;Lions;ja\nYan;y@x.de;;nein\n"
    file = SimpleUploadedFile("players.csv", text.encode("utf-16"))
    answer = organizing.post(address, {"file": file})
    assert "No column is set to one of these: “Name”, “First name”, “Last name”." in html_of(answer)
    sent = {"text": text, "after": 0, **chosen_columns(answer), "column-0": "name"}
    answer = organizing.post(address, sent)
    assert answer.context["table"].columns.left_out == ["E-Mail"]
    assert "All lines are correct" not in html_of(answer)
    assert organizing.post(address, sent | {"do": "add"}).status_code == 302
    assert list(event.entries.values_list("name", "club", "paid")) == [("Zoë", "Lions", True), ("Yan", "", False)]
    again = organizing.post(address, {"text": "Naam;Club\nXia;Bears"}).context["table"]
    assert again.players == [NewPlayer("Xia", "Bears")]


def test_a_table_that_changed_under_its_columns_is_shown_again(organizing, event):
    address = url("import_players", event)
    shown = organizing.post(address, {"text": "Name;Club\nZoë;Lions"})
    sent = {"text": "Club;Name\nLions;Zoë", "after": 0, "do": "add", **chosen_columns(shown)}
    answer = organizing.post(address, sent)
    assert (answer.status_code, event.entries.count()) == (200, 0)
    assert answer.context["table"].players == [NewPlayer("Zoë", "Lions")]


def test_two_organizers_edit_different_fields_of_an_entry(organizing, olga, event):
    add(olga, event, "Zoe")
    address = url("entry", event, 1)
    stale = settings_form(organizing.get(address))
    organizing.post(address, stale | {"club": "Lions"})
    organizing.post(address, stale | {"fixed_table": 4})
    assert list(event.entries.values_list("name", "club", "fixed_table")) == [("Zoe", "Lions", 4)]
    organizing.post(address, {"do": "state", "state": "dropped"})
    organizing.post(address, {"do": "paid"})
    assert list(event.entries.values_list("state", "paid")) == [("dropped", True)]
    assert organizing.post(address, stale | {"name": ""}).status_code == 422


def test_an_entry_is_claimed_and_given(client, ada, olga, event):
    """E5."""
    add(olga, event, "Zoe")
    client.force_login(ada)
    assert "This is me" in page(client, "detail", event)
    client.post(url("claim", event, 1))
    assert "You have asked for the entry of Zoe." in page(client, "detail", event)
    assert client.post(url("claim", event, 1), {"do": "consent", "claimant": ada.pk}).status_code == 404
    client.force_login(olga)
    assert "<b>ada</b> says: I am Zoe." in page(client, "entries", event)
    client.post(url("claim", event, 1), {"do": "consent", "claimant": ada.pk})
    assert event.entries.get().user == ada


def test_leaders_join_by_a_link_after_signing_up(client, ada, olga, event):
    link = invitations.invite(actor=olga, group=event, role=Role.HEAD_JUDGE, max_uses=1)
    address = link.get_absolute_url()
    shown = html_of(client.get(address))
    assert "as Head Consular." in shown
    assert client.post(address, {"do": "sign_in"}).url.startswith(reverse("account_login"))
    client.post(reverse("account_login"), {"login": "ada", "password": "pass"})
    assert list(event.memberships.values_list("user__username", "role")) == [
        ("olga", "organizer"), ("ada", "head_judge")
    ]  # fmt: skip
    assert client.get(address).url == event.get_absolute_url()
    assert client.get(reverse("tournaments:join", args=["unknown"])).status_code == 404


def test_organizers_invite_give_roles_and_remove(organizing, ada, olga, event):
    form = {"invitation": uuid4(), "role": "judge", "max_uses": "", "days": 14}
    answers = [organizing.post(url("invite", event), form) for _ in range(2)]
    assert {answer.url for answer in answers} == {url("invitation", event, form["invitation"])}
    assert "leads Winter Conquest as Consular" in html_of(organizing.get(answers[0].url))
    organizing.post(url("add_leader", event), {"username": "ada"})
    organizing.post(url("leader", event, ada.pk), {"do": "role", "role": "head_judge"})
    assert "Head Consular" in page(organizing, "leaders", event)
    for _twice in range(2):
        assert organizing.post(url("leader", event, ada.pk), {"do": "remove"}).url == url("leaders", event)
    assert list(event.memberships.values_list("user__username", flat=True)) == ["olga"]
    assert organizing.post(url("leave", event)).url == url("leaders", event)
    organizing.post(url("revoke", event, form["invitation"]))
    assert "This link no longer works." in html_of(organizing.get(answers[0].url))


def test_a_second_head_judge_is_refused(organizing, ada, olga, event):
    """E1."""
    ben = User.objects.create_user("ben")
    for user, role in ((ada, Role.HEAD_JUDGE), (ben, Role.JUDGE)):
        Membership.objects.create(event=event, user=user, role=role)
    answer = organizing.post(url("leader", event, ben.pk), {"do": "role", "role": "head_judge"})
    assert (answer.status_code, "This event has a Head Consular." in html_of(answer)) == (422, True)


def test_a_leader_plays_by_override_only(organizing, olga, event):
    """E2."""
    assert organizing.post(url("entries", event), {"user": olga.pk, "reason": ""}).status_code == 422
    organizing.post(url("entries", event), {"user": olga.pk, "reason": "An odd number"})
    assert LogLine.objects.get(kind="override").reason == "An odd number"
    assert "plays in it, which the rules do not allow" in page(organizing, "entries", event)


@pytest.mark.parametrize("name", ["events", "detail", "entries", "leaders", "settings", "personal_links"])
def test_pages_take_as_many_statements_for_three_players_as_for_one(
    organizing, olga, ada, event, name, django_assert_max_num_queries
):
    arguments = [] if name == "events" else [event.pk]
    address = reverse(f"tournaments:{name}", args=arguments)
    taken = []
    for number in (1, 2, 3):
        (entry,) = add(olga, event, f"Player {number}")
        SubmittedList.objects.create(entry=entry, number=1, faction="rebel")
        user = User.objects.create_user(f"judge{number}")
        Membership.objects.create(event=event, user=user, role=Role.JUDGE)
        events.create_event(actor=olga, name=f"Other {number}", rule_set=GC)
        with django_assert_max_num_queries(15) as statements:
            organizing.get(address)
        taken.append(len(without_catalogue(each["sql"] for each in statements.captured_queries)))
    assert len(set(taken)) == 1


def test_a_post_takes_at_most_forty_statements_however_many_players(
    organizing, olga, event, django_assert_max_num_queries
):
    Event.objects.update(registration_limit=1)
    names = "\n".join(f"Player {number}" for number in range(60))
    settings = settings_form(organizing.get(url("settings", event)))
    for name, form in (
        ("add_entries", {"names": names, "after": 0}),
        ("import_players", {"text": names.replace("Player", "Guest"), "after": 60, "do": "add"}),
        ("settings", settings | {"registration_limit": 100}),
    ):
        with django_assert_max_num_queries(40):
            assert organizing.post(url(name, event), form).status_code == 302
    assert event.entries.filter(state=Entry.State.REGISTERED).count() == 100


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "cp1252"])
def test_a_table_in_the_encodings_of_spreadsheets(encoding):
    sent = SimpleUploadedFile("players.csv", "Name,Club\nZoë,Jedi\n".encode(encoding))
    form = TableForm({}, {"file": sent})
    assert form.is_valid()
    assert read_players(form.columns(PLAYER_FIELDS), set()).players == [NewPlayer("Zoë", "Jedi")]


@pytest.mark.parametrize("content", [b"%PDF-1.4\x01", b"\xff\xfeN", b"PK\x03\x04\x00\x00", b"\x81\x8d"])
def test_a_file_that_is_no_text_is_refused(content):
    form = TableForm({}, {"file": SimpleUploadedFile("players.csv", content)})
    assert form.errors["file"] == ["This file is no table. Save it as CSV (UTF-8) or XLSX, or paste the table."]
