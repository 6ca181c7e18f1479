"""Army lists of an event: submit, accept, unlock, and who sees what of them (E7–E10, E12)."""

from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import product

import pytest

from accounts.models import User
from members.models import Role
from rules.battle.plain_army import PlainUnit
from rules.core.violations import RuleViolation
from rules.tournaments.army_lists import ListRules
from rules.tournaments.rule_sets import RuleSet
from tests.registers.conftest import book
from tests.rules.battle.plain_armies import HAND, OFFICER, SNOW, STORM
from tests.rules.tournaments.army_lists import ARMY, TWELVE
from tests.tournaments.army_lists.entries import ILLEGAL, entry, event, olga, state
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, Membership, Round, SubmittedList
from tournaments.pages.army_lists import list_overview, list_view, printed_lists
from tournaments.queries.army_lists import (
    EVERYTHING,
    NOTHING,
    Opponents,
    Parts,
    opponents_of,
    visible_army,
    visible_parts,
)
from tournaments.services.army_lists import accept_list, check_lists_again, list_rules, submit_list, unlock_list

__all__ = ["book", "event", "olga"]

pytestmark = pytest.mark.django_db

LEGAL = ARMY
RUNNING, FINISHED = Event.State.RUNNING, Event.State.FINISHED
UNITS = Parts(units=True)
OPEN_CARDS = Parts(units=True, deck=True)


@pytest.fixture
def a(event):
    return entry(event, "A")


def as_player(entry, army=LEGAL, **words):
    return submit_list(actor=entry.user, entry=entry, player=entry, army=army, **words)


def refused(act, *arguments, **words):
    with pytest.raises(RuleViolation) as caught:
        act(*arguments, **words)
    return str(caught.value)


def log(event):
    return [
        (line.actor.username if line.actor else "", line.reason, line.facts) for line in event.log.filter(kind="list")
    ]


# --- Submit --------------------------------------------------------------------------------------------------


def test_submit_a_list(event, a, book):
    submitted = as_player(a, source_text="as pasted")
    cost = 55 + book.upgrades["academy-trained"].points + book.units[STORM.card].points + 2 * 42
    a.refresh_from_db()
    assert (submitted.number, submitted.points, submitted.loadout_points, a.army_points) == (1, cost, 0, cost)
    assert (submitted.violations, submitted.needs_decision, submitted.submitted_by) == ([], False, a.user)
    assert submitted.source_text == "as pasted"
    assert visible_army(submitted, EVERYTHING, size=800) == LEGAL
    assert log(event) == []


def test_the_same_list_twice_is_one_version(event, a):
    first, again = as_player(a), as_player(a)
    assert (first, list(a.lists.all())) == (again, [first])


def test_every_version_is_kept(event, a):
    """E9."""
    for army in (LEGAL, ILLEGAL, LEGAL):
        as_player(a, army)
    found = [(each.number, len(each.units), bool(each.violations)) for each in a.lists.all()]
    assert found == [(1, 4, False), (2, 2, True), (3, 4, False)]


def test_the_problems_of_a_list_have_rules(event, a):
    submitted = as_player(a, replace(ILLEGAL, command_cards=()))
    assert submitted.violations[-1] == {
        "rule": "E8",
        "text": "A Command Hand has seven cards; this list has none. Add it.",
    }
    assert submitted.needs_decision


def test_the_same_cards_are_judged_anew_when_the_event_asks_for_other_ones(event, a):
    """E7: until the start."""
    as_player(a)
    state(event, event.state, army_size=100)
    assert [bool(each.violations) for each in (as_player(a), a.lists.first())] == [True, False]


def test_who_submits(event, a, olga):
    """A leader for anybody, a player with a personal link for themselves, nobody else (E5)."""
    b = entry(event, "B")
    submit_list(actor=None, entry=b, player=b, army=LEGAL)
    submit_list(actor=olga, entry=a, player=None, army=LEGAL)
    text = "Only the player or a leader of this event can submit this list."
    assert refused(submit_list, actor=a.user, entry=b, player=a, army=ILLEGAL) == text
    assert refused(submit_list, actor=None, entry=b, player=None, army=ILLEGAL) == text
    judge = User.objects.create_user("jo")
    Membership.objects.create(event=event, user=judge, role=Role.JUDGE)
    submit_list(actor=judge, entry=b, player=None, army=ILLEGAL)
    assert list(b.lists.values_list("submitted_by__username", "number")) == [(None, 1), ("jo", 2)]
    assert log(event) == [
        ("jo", "", {"entry": 2, "act": "submitted", "number": 2}),
        ("olga", "", {"entry": 1, "act": "submitted", "number": 1}),
    ]


def test_cards_that_there_are_not(event, a):
    text = "No card is called “x”. Choose another one."
    assert refused(as_player, a, replace(LEGAL, units=(PlainUnit("x"),))) == text
    assert not a.lists.exists()


def test_what_an_event_asks_for(event):
    """E12: the first day where the event is, not by Greenwich."""
    state(event, Event.State.OPEN, time_zone="Pacific/Auckland", starts_at=datetime(2026, 10, 19, 21, tzinfo=UTC))
    assert list_rules(event) == ListRules(
        rule_set=RuleSet.GALACTIC_CONQUEST, army_size=1000, first_day=date(2026, 10, 20)
    )
    state(event, Event.State.OPEN, starts_at=None, tier="competitive", other_cards=True)
    assert list_rules(event) == ListRules(
        rule_set=RuleSet.GALACTIC_CONQUEST, army_size=1000, is_competitive=True, other_cards=True
    )


# --- Locked, unlocked, accepted ------------------------------------------------------------------------------


def test_lists_are_locked_once_the_event_runs(event, a, olga):
    """E9."""
    as_player(a)
    state(event, RUNNING)
    text = "Army lists are locked since the event started. Ask an organizer to unlock yours. (E9)"
    assert refused(as_player, a, ILLEGAL) == text
    assert refused(submit_list, actor=olga, entry=a, player=None, army=ILLEGAL) == text
    assert as_player(a).number == 1  # a second click on what was submitted before the start
    state(event, FINISHED)
    assert refused(as_player, a, ILLEGAL) == "This event is over. (E9)"


def test_a_leader_enters_the_first_list_of_a_late_player(event, a, olga):
    """E21."""
    state(event, RUNNING)
    assert "locked" in refused(as_player, a)
    assert submit_list(actor=olga, entry=a, player=None, army=LEGAL).number == 1
    assert log(event) == [("olga", "", {"entry": 1, "act": "submitted", "number": 1})]


def test_unlock_a_list_once(event, a, olga):
    """E9: with a reason; the next version locks it again."""
    as_player(a)
    before = "Lists can be changed until the event starts. (E9)"
    assert refused(unlock_list, actor=olga, entry=a, reason="typo") == before
    state(event, RUNNING)
    assert (
        refused(unlock_list, actor=olga, entry=a, reason=" ")
        == "Give a reason of up to 500 letters. Everyone can read it. (E9)"
    )
    assert (
        refused(unlock_list, actor=olga, entry=a, reason="x" * 501)
        == "Give a reason of up to 500 letters. Everyone can read it. (E9)"
    )
    assert "Only an organizer" in refused(unlock_list, actor=a.user, entry=a, reason="typo")
    for _ in range(2):
        unlock_list(actor=olga, entry=a, reason=" wrong rifle ")
    assert [as_player(a, army).number for army in (ILLEGAL, ILLEGAL)] == [2, 2]
    a.refresh_from_db()
    assert not a.list_unlocked
    assert "locked" in refused(as_player, a, LEGAL)
    assert log(event) == [
        ("anna", "", {"entry": 1, "act": "submitted", "number": 2}),
        ("olga", "wrong rifle", {"entry": 1, "act": "unlocked"}),
    ]
    state(event, FINISHED)
    assert refused(unlock_list, actor=olga, entry=a, reason="typo") == "This event is over. (E9)"


def test_accept_a_list_with_problems(event, a, olga):
    """E8: an organizer, with a reason, and only the version that counts."""
    submitted = as_player(a, ILLEGAL)
    assert (
        refused(accept_list, actor=olga, entry=a, number=1, reason="")
        == "Give a reason of up to 500 letters. Everyone can read it. (E8)"
    )
    assert "Only an organizer" in refused(accept_list, actor=a.user, entry=a, number=1, reason="a child")
    for reason in ("a child", "again"):
        accept_list(actor=olga, entry=a, number=1, reason=reason)
    submitted.refresh_from_db()
    accepted = (submitted.accepted_by, submitted.accepted_reason, submitted.needs_decision)
    assert accepted == (olga, "a child", False)
    assert log(event) == [("olga", "a child", {"entry": 1, "act": "accepted", "number": 1})]
    as_player(a, replace(ILLEGAL, command_cards=()))
    text = "The player has submitted another list. Check that one. (E8)"
    assert refused(accept_list, actor=olga, entry=a, number=1, reason="a child") == text
    as_player(a, LEGAL)
    accept_list(actor=olga, entry=a, number=3, reason="nothing to accept")
    assert len(log(event)) == 1


def test_check_all_lists_again(event, a, olga):
    """E7, E8, E12: what is judged otherwise needs a new decision, the rest keeps it."""
    as_player(a, ILLEGAL)
    accept_list(actor=olga, entry=a, number=1, reason="a child")
    submit_list(actor=olga, entry=entry(event, "B"), player=None, army=replace(ILLEGAL, units=(OFFICER, STORM, SNOW)))
    submit_list(actor=olga, entry=entry(event, "B"), player=None, army=LEGAL)
    assert check_lists_again(actor=olga, event=event) == 0
    state(event, event.state, army_size=200)
    assert [check_lists_again(actor=olga, event=event) for _ in range(2)] == [1, 0]  # another rank table
    found = [(each.number, each.accepted_by, each.needs_decision) for each in SubmittedList.objects.order_by("pk")]
    assert found == [(1, None, True), (1, None, True), (2, None, False)]
    assert log(event)[0] == ("olga", "", {"act": "checked", "number": 1})
    assert "Only an organizer" in refused(check_lists_again, actor=a.user, event=event)


# --- Who sees what -------------------------------------------------------------------------------------------


def all_options(event):
    """Yield the event in each state with each option of E10, unsaved."""
    for now, rule_set, published, hands in product(Event.State, RuleSet, ("start", "pairings", "never"), (False, True)):
        event.state, event.rule_set, event.lists_published, event.hands_published = now, rule_set, published, hands
        yield event


def test_leaders_and_the_player_see_everything(event, a, olga):
    """E10."""
    staff = User(username="staff", is_staff=True, is_superuser=True)
    roles = [EventRole(olga, Role.JUDGE), EventRole(staff), EventRole(a.user, None, a), EventRole(None, None, a)]
    seen = [visible_parts(each, role, a, Opponents()) for each in all_options(event) for role in roles]
    assert (len(seen), set(seen)) == (288, {EVERYTHING})


def test_strangers_see_nothing(event, a):
    """E10: everybody *in the event*."""
    roles = [EventRole(User(username="x")), EventRole(None)]
    seen = [visible_parts(each, role, a, Opponents()) for each in all_options(event) for role in roles]
    assert (len(seen), set(seen)) == (144, {NOTHING})


def test_who_registered_and_stayed_away_sees_nothing(event, a):
    """E10: whoever has an account can register, withdraw, and come back to read."""
    away = entry(event, "B")
    away.ticket = None
    for away.state in Entry.State:
        role = EventRole(None, None, away)
        assert {visible_parts(each, role, a, Opponents()) for each in all_options(event)} == {NOTHING}


@pytest.mark.parametrize(
    ("rule_set", "published", "stranger", "met", "present"),
    [
        ("GC", "start", OPEN_CARDS, OPEN_CARDS, OPEN_CARDS),
        ("GC", "pairings", NOTHING, NOTHING, OPEN_CARDS),
        ("GC", "never", NOTHING, NOTHING, NOTHING),
        ("TR", "start", NOTHING, UNITS, UNITS),
        ("TR", "pairings", NOTHING, NOTHING, UNITS),
        ("TR", "never", NOTHING, NOTHING, NOTHING),
    ],
)
def test_what_players_see(event, a, rule_set, published, stranger, met, present):
    """E10: of a player they never met, met in an earlier round, and play now."""
    role, pk = EventRole(None, None, entry(event, "B")), frozenset([a.pk])
    seen = (Opponents(), Opponents(met=pk), Opponents(met=pk, present=pk))

    def parts(now, hands=False):
        event.state, event.rule_set, event.lists_published, event.hands_published = now, rule_set, published, hands
        return tuple(visible_parts(event, role, a, each) for each in seen)

    for hands in (False, True):
        before = {parts(now, hands) for now in Event.State if now not in (RUNNING, FINISHED)}
        assert before == {(NOTHING,) * 3}
        assert parts(RUNNING, hands) == (stranger, met, present)
    assert parts(FINISHED) == (stranger, met, present)
    assert parts(FINISHED, hands=True) == ((NOTHING if published == "never" else EVERYTHING),) * 3


def test_opponents(event, a):
    """Those of drafts are secret (E24)."""
    b, c = entry(event, "B"), entry(event, "C")
    for number, (now, pair) in enumerate(
        [(Round.State.CLOSED, (b, a)), (Round.State.PUBLISHED, (a, None)), (Round.State.DRAFT, (a, c))]
    ):
        row = Round.objects.create(event=event, number=number, stage=Round.Stage.SWISS, state=now)
        Game.objects.create(round=row, place=1, first=pair[0], second=pair[1])
    assert opponents_of(a) == Opponents(met=frozenset([b.pk]))
    Round.objects.filter(state=Round.State.DRAFT).update(state=Round.State.PUBLISHED)
    assert opponents_of(a) == Opponents(met=frozenset([b.pk, c.pk]), present=frozenset([c.pk]))
    assert opponents_of(None) == Opponents()


def test_an_army_has_only_the_parts_that_somebody_may_see(event, a):
    submitted = as_player(a, replace(LEGAL, battle_cards=TWELVE))
    units = replace(LEGAL, size=0, command_cards=(), battle_cards=())
    assert visible_army(submitted, NOTHING) is None
    assert visible_army(submitted, UNITS) == units
    assert visible_army(submitted, OPEN_CARDS) == replace(units, battle_cards=TWELVE)
    assert visible_army(submitted, EVERYTHING) == replace(units, battle_cards=TWELVE, command_cards=HAND)


def test_versions_and_problems_are_for_leaders_and_the_player(event, a, olga):
    as_player(a)
    as_player(a, ILLEGAL)
    state(event, RUNNING)
    own, leader = EventRole(a.user, None, a), EventRole(olga, Role.ORGANIZER)
    other = EventRole(None, None, entry(event, "B"))
    for role in (own, leader):
        view = list_view(event, role, a)
        assert ([each.number for each in view.versions], view.submitted.number, view.is_last) == ([2, 1], 2, True)
        first = list_view(event, role, a, 1)
        assert (first.number, first.is_last, first.sheet.activations) == (1, False, 4)
        assert list_view(event, role, a, 3) is None
    view = list_view(event, other, a)
    assert (view.versions, view.submitted, view.sheet.hand, view.sheet.activations) == ([], None, (), 2)
    assert list_view(event, other, a, 1) is None
    assert list_view(event, EventRole(None), a) is None
    assert list_view(event, own, a, most=UNITS).sheet.hand == ()


def test_the_overview(event, a, olga, django_assert_num_queries):
    as_player(a, ILLEGAL)
    b = entry(event, "B")
    submit_list(actor=olga, entry=b, player=None, army=LEGAL)
    with django_assert_num_queries(2):
        found = list_overview(event, EventRole(olga, Role.ORGANIZER))
    names = [[line.entry.name for line in lines] for lines in (found.lines, found.to_decide, found.missing)]
    assert (names, found.own) == ([["A", "B"], ["A"], ["C"]], None)
    with django_assert_num_queries(3):
        other = list_overview(event, EventRole(None, None, b))
    assert ([line.entry for line in other.lines], other.own.submitted.violations) == ([b], [])
    state(event, RUNNING)
    seen = list_overview(event, EventRole(None, None, b))
    line = next(line for line in seen.lines if line.entry == a)
    assert (line.submitted.faction, len(line.submitted.units), line.is_judged) == ("empire", 2, False)
    assert (seen.to_decide, seen.missing) == ([], [])
    Entry.objects.filter(pk=a.pk).update(state=Entry.State.DROPPED)
    assert list_overview(event, EventRole(olga, Role.ORGANIZER)).to_decide == []


def test_all_lists_are_printed_for_leaders_only(event, a, olga):
    as_player(a, ILLEGAL)
    as_player(a)
    submit_list(actor=olga, entry=entry(event, "B"), player=None, army=LEGAL)
    Entry.objects.filter(name="B").update(state=Entry.State.DROPPED)
    [(printed, sheet, submitted)] = printed_lists(event, EventRole(olga, Role.JUDGE))
    assert (printed, sheet.activations, len(sheet.hand), submitted.number) == (a, 4, 7, 2)
    with pytest.raises(ValueError, match="Only leaders"):
        printed_lists(event, EventRole(a.user, None, a))
    assert SubmittedList.objects.count() == 3
