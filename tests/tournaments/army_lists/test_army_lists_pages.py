"""The pages of army lists: nothing hidden leaks to anybody (E10), and lists are submitted, accepted and unlocked."""

import re
from dataclasses import replace
from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.models import User
from core.pdf import missing
from lists.services.army_lists import save_army_list
from members.models import Role
from rules.tournaments.rule_sets import RuleSet
from tests.html import html_of
from tests.lists.armies import MINIMAL
from tests.registers.conftest import book
from tests.registers.views.reading import text_of
from tests.rules.battle.plain_armies import HAND
from tests.rules.tournaments.army_lists import ARMY, TWELVE, TYPED
from tests.tournaments.army_lists.entries import ILLEGAL, entry, state
from tests.tournaments.factories import add_player
from tournaments.models import Event, Game, Membership, Round
from tournaments.services import events
from tournaments.services.army_lists import submit_list

__all__ = ["book"]

pytestmark = pytest.mark.django_db

#: What the list of A has in each part, as pages print it.
UNIT, HAND_CARD, DECK_CARD, PROBLEM = "Snowtroopers", "Covert Observation", "Failed Negotiations", "A Battle Deck has"
MARKS = (UNIT, HAND_CARD, DECK_CARD, PROBLEM)
LIST = replace(ARMY, command_cards=HAND, battle_cards=TWELVE[:11])
OTHERS = ("anonymous", "stranger", "player", "opponent")


@pytest.fixture
def event(book):
    """A tournament: A has submitted a list, A and B are paired in round 1, C is not yet."""
    olga = User.objects.create_user("organizer")
    event = events.create_event(actor=olga, name="Winter Open", rule_set=RuleSet.TOURNAMENT_REGULATIONS)
    for name in "ABC":
        add_player(actor=olga, event=event, name=name)
    for name, user in (("A", "owner"), ("B", "opponent"), ("C", "player")):
        event.entries.filter(name=name).update(user=User.objects.create_user(user), ticket=1)
    User.objects.create_user("stranger")
    User.objects.create_user("staff", is_staff=True, is_superuser=True)
    Membership.objects.create(event=event, user=User.objects.create_user("judge"), role=Role.JUDGE)
    a = entry(event, "A")
    submit_list(actor=a.user, entry=a, player=a, army=LIST, source_text="secret text")
    row = Round.objects.create(event=event, number=1, stage=Round.Stage.SWISS, state=Round.State.PUBLISHED)
    Game.objects.create(round=row, place=1, first=a, second=entry(event, "B"))
    state(event, Event.State.RUNNING)
    return event


def url(event, name, *args):
    return reverse(f"tournaments:{name}", args=[event.pk, *args])


def sign_in(client, who):
    client.logout()
    if who != "anonymous":
        client.force_login(User.objects.get(username=who))
    return client


def pages(event):
    return {
        "overview": url(event, "lists"),
        "list": url(event, "army_list", 1),
        "version": url(event, "army_list", 1) + "?version=1",
        "submit": url(event, "submit_list", 1),
        "print": url(event, "print_list", 1),
        "print version": url(event, "print_list", 1) + "?version=1",
        "all": url(event, "print_lists"),
    }


def seen(client, event):
    """Return which marks of the list of A each page shows, or its status."""
    found = {}
    for name, address in pages(event).items():
        answer = client.get(address)
        text = html_of(answer)
        assert "secret text" not in text
        if answer.status_code != 200:
            found[name] = answer.status_code
            assert not any(mark in text for mark in (*MARKS, "Empire"))
        else:
            found[name] = [mark for mark in MARKS if mark in text]
    return found


HIDDEN = dict.fromkeys(("list", "version", "submit", "print", "print version", "all"), 404) | {"overview": []}
FULL = {
    "overview": [], "list": list(MARKS), "version": list(MARKS), "submit": [], "print": list(MARKS[:3]),
    "print version": list(MARKS[:3]),
}  # fmt: skip


def expected(who, parts):
    """Return what somebody sees who may see these marks of the list."""
    if who in ("owner", "judge", "organizer", "staff"):
        return FULL | {"all": 404 if who == "owner" else list(MARKS[:3])}
    shown = {"list": parts, "print": parts} if parts else {}
    return HIDDEN | shown | ({"all": 302} if who == "anonymous" else {})


@pytest.mark.parametrize(
    ("options", "by"),
    [
        ({}, {"opponent": [UNIT]}),
        ({"rule_set": "GC"}, {"opponent": [UNIT, DECK_CARD], "player": [UNIT, DECK_CARD]}),
        ({"rule_set": "GC", "lists_published": "pairings"}, {"opponent": [UNIT, DECK_CARD]}),
        (
            {"hands_published": True, "state": "finished"},
            {"opponent": [UNIT, HAND_CARD, DECK_CARD], "player": [UNIT, HAND_CARD, DECK_CARD]},
        ),
    ],
)
def test_nothing_hidden_leaks(client, event, options, by):
    """E10."""
    state(
        event, options.get("state", Event.State.RUNNING), **{name: options[name] for name in options if name != "state"}
    )
    found = {who: seen(sign_in(client, who), event) for who in OTHERS}
    assert found == {who: expected(who, by.get(who, [])) for who in OTHERS}


@pytest.mark.parametrize("who", ["owner", "judge", "organizer", "staff"])
def test_leaders_and_the_player_see_all_of_a_list(client, event, who):
    """E10: even if it is never published."""
    state(event, Event.State.RUNNING, lists_published="never")
    assert seen(sign_in(client, who), event) == expected(who, [])


@pytest.mark.parametrize("who", OTHERS)
def test_the_overview_hides_points_and_faction_too(client, event, who):
    state(event, Event.State.RUNNING, lists_published="never")
    page = text_of(sign_in(client, who).get(url(event, "lists")))  # ids and tokens may hold any number
    points = str(entry(event, "A").army_points)
    shown = re.sub(r"<[^>]*>", " ", page)  # tags hold random numbers, such as the token of a form
    assert [text in shown for text in ("Empire", points, "problem")] == [False] * 3


def test_a_draft_is_secret(client, event):
    state(event, Event.State.DRAFT)
    assert [sign_in(client, who).get(url(event, "lists")).status_code for who in ("owner", "judge")] == [404, 200]


@pytest.mark.parametrize("who", ["anonymous", "stranger", "player", "opponent", "owner", "judge"])
@pytest.mark.parametrize("name", ["accept_list", "unlock_list"])
def test_only_organizers_decide(client, event, who, name):
    answer = sign_in(client, who).post(url(event, name, 1), {"number": 1, "reason": "as I like it"})
    assert answer.status_code == (302 if who == "anonymous" else 404)
    a = entry(event, "A")
    assert (a.list_unlocked, a.lists.get().accepted_by) == (False, None)
    assert not event.log.filter(kind="list").exists()


@pytest.mark.parametrize("who", OTHERS)
def test_nobody_submits_for_somebody_else(client, event, who):
    answer = sign_in(client, who).post(url(event, "submit_list", 1), {"text": MINIMAL, "do": "submit"})
    assert (answer.status_code, entry(event, "A").lists.count()) == (404, 1)


# --- Submit --------------------------------------------------------------------------------------------------


def test_paste_a_list_check_it_and_submit_it(client, event):
    state(event, Event.State.OPEN)
    address = url(event, "submit_list", 2)
    sign_in(client, "opponent")
    assert "Paste a list" in html_of(client.get(address))
    checked = client.post(address, {"text": MINIMAL})
    assert "this one has none. Add them." in html_of(checked)  # the battle cards
    fields = {"text": MINIMAL, "shown": checked.context["shown"], "read": checked.context["digest"], "do": "submit"}
    for _ in range(2):
        assert client.post(address, fields)["Location"] == url(event, "army_list", 2)
    submitted = entry(event, "B").lists.get()
    assert (submitted.submitted_by.username, submitted.source_text, submitted.needs_decision) == (
        "opponent",
        MINIMAL,
        True,
    )
    page = html_of(client.get(url(event, "army_list", 2)))
    assert "An organizer decides" in page


def test_type_the_deck_of_2020(client, event):
    """E8, option: the names are typed with the list, seen with the battle cards, and still there for a new version."""
    state(event, Event.State.OPEN, deck_of_2020=True)
    address = url(event, "submit_list", 2)
    sign_in(client, "opponent")
    typed = {f"typed_{place}": "\r\n".join(cards) for place, cards in enumerate(TYPED)}
    short = client.post(address, {"text": MINIMAL, "typed_0": "Breakthrough"})
    assert "A Battle Deck has 4 objectives. This one has 1." in html_of(short)
    checked = client.post(address, {"text": MINIMAL} | typed)
    assert "Battle Deck has" not in html_of(checked)
    fields = {"text": MINIMAL, "read": checked.context["digest"], "shown": checked.context["shown"], "do": "submit"}
    assert client.post(address, fields | typed | {"typed_0": "Disarray"}).status_code == 200  # checked again first
    assert client.post(address, fields | typed)["Location"] == url(event, "army_list", 2)
    assert entry(event, "B").lists.get().typed_deck == [list(cards) for cards in TYPED]
    assert "Hostile Environment" in html_of(client.get(url(event, "army_list", 2)))
    assert "Hostile Environment" in client.get(address).content.decode()
    state(event, Event.State.RUNNING)
    sign_in(client, "owner")
    assert "Hostile Environment" not in html_of(client.get(url(event, "army_list", 2)))


def test_submit_one_of_my_lists(client, event):
    """What was changed since it was checked is shown again before it counts."""
    state(event, Event.State.OPEN)
    sign_in(client, "opponent")
    user, key, address = entry(event, "B").user, uuid4(), url(event, "submit_list", 2)
    save_army_list(actor=user, list_id=key, army=replace(ARMY, title="Frost"))
    foreign = save_army_list(actor=entry(event, "A").user, list_id=uuid4(), army=replace(ARMY, title="Ember"))
    page = html_of(client.get(address))
    assert ("Frost" in page, "Ember" in page) == (True, False)
    assert client.post(address, {"list": foreign.pk, "do": "submit"}).status_code == 422
    shown = client.post(address, {"list": key}).context["shown"]
    save_army_list(actor=user, list_id=key, army=replace(ILLEGAL, title="Frost"))
    again = client.post(address, {"list": key, "shown": shown, "do": "submit"})
    assert (again.status_code, entry(event, "B").lists.exists()) == (200, False)
    sent = client.post(address, {"list": key, "shown": again.context["shown"], "do": "submit"})
    assert (sent.status_code, len(entry(event, "B").lists.get().units)) == (302, 2)


def test_decide_open_lines_before_submitting(client, event):
    state(event, Event.State.OPEN)
    address, text = url(event, "submit_list", 2), "200/600 (1 activation)\nDarth Vader\nSnowtroopers"
    page = sign_in(client, "opponent").post(address, {"text": text, "do": "submit"})
    [line] = page.context["open"]
    fields = {"text": text, "read": page.context["digest"], f"line-{line['place']}": line["options"][1][0]}
    checked = client.post(address, fields)
    assert checked.context["open"] == []
    assert (f"line-{line['place']}", line["options"][1][0]) in checked.context["decided"]
    assert client.post(address, fields | {"shown": checked.context["shown"], "do": "submit"}).status_code == 302
    assert entry(event, "B").lists.get().units[0]["card"] == line["options"][1][0]


@pytest.mark.parametrize("text", ["", "who is this?"])
def test_a_text_that_is_refused_stays_in_the_form(client, event, text):
    state(event, Event.State.OPEN)
    answer = sign_in(client, "opponent").post(url(event, "submit_list", 2), {"text": text})
    assert (answer.status_code, answer.context["form"]["text"].value()) == (422, text)


def test_a_player_without_an_account_submits_by_the_personal_link(client, event):
    """E5."""
    state(event, Event.State.OPEN)
    b = entry(event, "B")
    event.entries.filter(pk=b.pk).update(user=None)
    session = client.session
    session["event_entries"] = {str(event.pk): b.token}
    session.save()
    address = url(event, "submit_list", 2)
    shown = client.post(address, {"text": MINIMAL}).context["shown"]
    assert client.post(address, {"text": MINIMAL, "shown": shown, "do": "submit"}).status_code == 302
    assert b.lists.get().submitted_by is None
    assert client.get(url(event, "submit_list", 1)).status_code == 404


def test_a_locked_list_says_so(client, event):
    """E9."""
    page = html_of(sign_in(client, "owner").get(url(event, "submit_list", 1)))
    assert "Army lists are locked" in page
    answer = client.post(url(event, "submit_list", 1), {"text": MINIMAL})
    answer = client.post(
        url(event, "submit_list", 1), {"text": MINIMAL, "shown": answer.context["shown"], "do": "submit"}
    )
    assert (answer.status_code, "Ask an organizer to unlock yours." in html_of(answer)) == (422, True)


# --- Decide, print -------------------------------------------------------------------------------------------


def test_lists_to_decide_stand_on_top(client, event):
    page = html_of(sign_in(client, "organizer").get(url(event, "lists")))
    assert page.index("To decide") < page.index("No list yet") < page.index(">Lists <")
    assert "To decide" not in html_of(sign_in(client, "owner").get(url(event, "lists")))


def test_accept_and_unlock(client, event):
    sign_in(client, "organizer")
    refused = client.post(url(event, "accept_list", 1), {"number": 1, "reason": " "})
    assert (refused.status_code, "Give a reason of up to 500 letters. Everyone can read it." in html_of(refused)) == (
        422,
        True,
    )
    for _ in range(2):
        assert client.post(url(event, "accept_list", 1), {"number": 1, "reason": "a child"}).status_code == 302
    stale = client.post(url(event, "accept_list", 1), {"number": 7, "reason": "a child"})
    assert (stale.status_code, "has submitted another list. Check that one." in html_of(stale)) == (422, True)
    refused = client.post(url(event, "unlock_list", 1), {"reason": ""})
    assert (refused.status_code, "Give a reason of up to 500 letters. Everyone can read it." in html_of(refused)) == (
        422,
        True,
    )
    for _ in range(2):
        assert client.post(url(event, "unlock_list", 1), {"reason": "typo"}).status_code == 302
    a = entry(event, "A")
    assert (a.list_unlocked, a.lists.get().accepted_reason) == (True, "a child")
    assert "Accepted by organizer: a child" in html_of(client.get(url(event, "army_list", 1)))


def test_check_all_lists_again(client, event):
    assert sign_in(client, "judge").post(url(event, "check_lists")).status_code == 404
    answer = sign_in(client, "organizer").post(url(event, "check_lists"), follow=True)
    assert "All lists checked. Nothing has changed." in html_of(answer)
    state(event, Event.State.RUNNING, army_size=100)
    answer = client.post(url(event, "check_lists"), follow=True)
    assert "1 list has other problems now." in html_of(answer)


def test_the_copy_for_the_opponent(client, event):
    """Tournament Regulations: without command cards and battle cards."""
    page = html_of(sign_in(client, "owner").get(url(event, "print_list", 1), {"copy": "opponent"}))
    assert [mark in page for mark in MARKS[:3]] == [True, False, False]


@pytest.mark.skipif(bool(missing()), reason="no library for PDFs")
def test_all_lists_as_pdf(client, event):
    answer = sign_in(client, "judge").get(url(event, "print_lists"), {"as": "pdf", "paper": "letter"})
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")


def test_pages_take_as_many_queries_for_more_lists(client, event, django_assert_max_num_queries):
    sign_in(client, "organizer")
    for name in "BC":
        submit_list(actor=User.objects.get(username="judge"), entry=entry(event, name), player=None, army=LIST)
    for address in pages(event).values():
        with django_assert_max_num_queries(12):
            client.get(address)
