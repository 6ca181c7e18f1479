"""Undoing what was done in an event, through its page: once, with a reason, until it has gone too far."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from members.models import Role
from rules.core.violations import RuleViolation
from rules.tournaments.results import Ending, Result
from tests.at_once import at_once
from tests.once import once
from tests.tournaments.factories import (
    account_entry,
    entry_of,
    finished,
    games_of,
    make_event,
    make_leader,
    organizer,
    played_round,
    published_round,
    started,
)
from tournaments.models import Entry, Event, Game, Round, StructureChoice
from tournaments.pages.undo import undo_page
from tournaments.queries.console import board_of
from tournaments.queries.exchange import content_of
from tournaments.queries.undo import Undoable, find_target, last_acts
from tournaments.services import bracket, clock, entries, events, pairing, results, rounds, verification
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
WHY = "Tapped by mistake."


def who(event: Event) -> dict[str, Any]:
    return {"actor": organizer(), "event": event}


def page_of(event: Event, act: str, number: int = 0) -> str:
    return reverse("tournaments:undo", args=[event.pk, act, number])


def told(response: Any) -> list[str]:
    return [str(message) for message in response.context["messages"]]


def refused(do: Callable[..., object], **words: Any) -> str:
    with pytest.raises(RuleViolation) as caught:
        do(**words)
    return str(caught.value)


def facts(event: Event) -> dict[str, Any]:
    """What can be seen of an event: all of it but the log, and versions, which only grow."""
    event.refresh_from_db()
    games = Game.objects.filter(round__event=event).order_by("round__number", "place")
    seats = ("round__number", "table", "first__name", "second__name", "state", "how", "winner__name", "first_points")
    return {
        "event": (event.state, event.cut),
        "entries": list(event.entries.order_by("number").values_list("name", "state", "replaceable")),
        "rounds": list(event.round_set.values_list("number", "state", "started_at", "minutes")),
        "games": list(games.values_list(*seats)),
    }


# --- Every act, from its page ----------------------------------------------------------------------------------------


def _start(event: Event) -> int:
    events.start(**who(event))
    return 0


def _cancel(event: Event) -> int:
    events.cancel_event(**who(event), reason="Snow")
    return 0


def _finish(event: Event) -> int:
    events.finish(**who(event))
    return 0


def _publish(event: Event) -> int:
    return rounds.publish_round(**who(event)).number


def _clock(event: Event) -> int:
    return clock.start_clock(**who(event), now=NOON).number


def _close(event: Event) -> int:
    return rounds.close_round(**who(event)).number


def _cut(event: Event) -> int:
    return bracket.make_cut(**who(event)).number


def _no_show(event: Event) -> int:
    game = games_of(event.round_set.last())[0]
    results.no_show(actor=organizer(), entry=game.pair[0], number=game.round.number)
    return game.pk


def _decline(event: Event) -> int:
    entries.decline_place(actor=organizer(), entry=entry_of(event, "A"))
    return entry_of(event, "A").number


def _drop(event: Event) -> int:
    entries.drop(actor=organizer(), entry=entry_of(event, "A"))
    return entry_of(event, "A").number


def _eject(event: Event) -> int:
    entries.eject(actor=organizer(), entry=entry_of(event, "A"), reason="cheating")
    return entry_of(event, "A").number


def _before() -> Event:
    return make_event(players=6, rounds=1, cut=4)


def _running() -> Event:
    return started(_before())


@once
def _drafted() -> Event:
    event = _running()
    pairing.draw_round(**who(event))
    return event


@once
def _published() -> Event:
    event = _running()
    published_round(event)
    return event


@once
def _all_results() -> Event:
    event = _played()
    Round.objects.filter(event=event).update(state=Round.State.PUBLISHED)
    return event


@once
def _played() -> Event:
    event = _running()
    played_round(event)
    return event


@once
def _bracket_drafted() -> Event:
    event = _played()
    bracket.make_cut(**who(event))
    return event


@once
def _semifinal() -> Event:
    event = _played()
    published_round(event)
    clock.start_clock(**who(event), now=NOON)
    return event


@once
def _over() -> Event:
    event = make_event(players=4, rounds=1)
    event = started(event)
    played_round(event)
    return event


ACTS = [
    ("start", _before, _start, "The start of the event was undone."),
    ("cancel", _running, _cancel, "The cancellation was undone."),
    ("finish", _over, _finish, "Finishing was undone: the event is running again."),
    ("publish", _drafted, _publish, "The publishing of round 1 was undone to change its pairings."),
    ("clock", _published, _clock, "Round 1: the clock was reset."),
    ("close", _all_results, _close, "The closing of round 1 was undone."),
    ("cut", _played, _cut, "The cut was undone. Everybody who was cut plays again."),
    ("result", _published, _no_show, "Round 1: the result of "),
    ("decline", _bracket_drafted, _decline, "A has the place in the bracket again."),
    ("drop", _bracket_drafted, _drop, "The drop of A was undone."),
    ("drop", _semifinal, _drop, "The drop of A was undone."),
    ("eject", _published, _eject, "The ejection of A was undone."),
    ("eject", _semifinal, _eject, "The ejection of A was undone."),
]


@pytest.mark.parametrize(("act", "world", "do", "line"), ACTS, ids=[f"{act}{at}" for at, (act, *_) in enumerate(ACTS)])
def test_an_undo_leaves_what_was_before_and_a_line_in_the_log(client, act, world, do, line):
    """A tap without a reason, a double tap, and the page once it is done."""
    event = world()
    before = facts(event)
    number = do(event)
    assert facts(event) != before
    client.force_login(organizer())
    page = page_of(event, act, number)
    shown = client.get(page)
    assert (shown.status_code, shown.context["page"].target.violation) == (200, None)
    data = {"token": shown.context["page"].target.token, "reason": WHY}
    without = client.post(page, {**data, "reason": " "})
    assert (without.status_code, "Give a reason of up to 500 letters." in without.content.decode()) == (422, True)
    console = reverse("tournaments:console", args=[event.pk])
    draft = reverse("tournaments:draft", args=[event.pk, number]) if act == "publish" else console
    assert client.post(page, data).url == draft
    assert facts(event) == before
    assert told(client.post(page, data, follow=True))[-1] == "This is undone already."
    assert told(client.get(page, follow=True)) == ["This is undone already."]
    assert facts(event) == before
    log = client.get(reverse("tournaments:log", args=[event.pk])).context["lines"]
    assert [each.reason for each in log].count(WHY) == 1
    assert next(each.text for each in log if each.reason == WHY).startswith(line)


def test_a_tab_that_is_older_than_the_last_closing_undoes_nothing(client):
    """Closed, undone, closed again: the page of the first closing is about the first one alone."""
    event = _all_results()
    client.force_login(organizer())
    page = page_of(event, "close", _close(event))
    old = {"token": client.get(page).context["page"].target.token, "reason": WHY}
    client.post(page, old)
    _close(event)
    answer = client.post(page, old)
    assert answer.status_code == 422
    assert "This was changed a moment ago. Look at the page again, then undo." in answer.content.decode()
    assert Round.objects.get(event=event).state == Round.State.CLOSED


@pytest.mark.django_db(transaction=True)
def test_two_organizers_undo_at_once():
    event = _all_results()
    number = _close(event)
    act = partial(undo, **who(event), act=Undoable.CLOSE, number=number, reason=WHY)
    assert sorted(at_once(act, act)) == [False, True]
    assert event.log.filter(kind="undone").count() == 1


def test_the_page_says_what_is_lost_and_what_stays(client):
    event = started(make_event(players=4, rounds=3))
    played_round(event)
    draft = pairing.draw_round(**who(event))
    one, other = (game.first for game in games_of(draft))
    client.force_login(organizer())
    found = client.get(reverse("tournaments:draft", args=[event.pk, 2])).context["draft"]
    rounds.swap_players(**who(event), number=2, one=one, other=other, reason="Brothers", version=found.version)
    page = client.get(page_of(event, "close", 1)).context["page"]
    assert page.title == "Undo closing round 1"
    assert page.lost == ("The draft of round 2.", "1 change made in it by hand.")
    assert page.stays == ("The results of round 1 and its clock.",)


# --- How far back ----------------------------------------------------------------------------------------------------


def test_the_console_offers_the_last_act(client):
    """One step after the other, back to the start."""
    event = _before()
    client.force_login(organizer())

    def offered() -> list[str]:
        return [each["label"] for each in client.get(reverse("tournaments:console", args=[event.pk])).context["undos"]]

    def press() -> None:
        event.refresh_from_db()
        act, number = last_acts(board_of(event))[0]
        undo(**who(event), act=act, number=number, reason=WHY)

    assert offered() == []
    events.start(**who(event))
    assert offered() == ["Undo the start"]
    pairing.draw_round(**who(event))
    assert offered() == ["Undo the start"]
    current = published_round(event)
    assert offered() == ["Undo publishing round 1"]
    clock.start_clock(**who(event), now=NOON)
    assert offered() == ["Reset the clock of round 1"]
    played_round(event)
    assert offered() == ["Undo closing round 1"]
    bracket.make_cut(**who(event))
    assert offered() == ["Undo the cut"]
    rounds.publish_round(**who(event))
    assert offered() == ["Undo publishing the semifinals", "Undo the cut"]
    finished(event)
    assert offered() == ["Undo finishing"]
    press()
    assert offered() == ["Undo closing the final"]
    press()
    assert offered() == []  # its result first
    game = games_of(event.round_set.last())[0]
    undo(**who(event), act=Undoable.RESULT, number=game.pk, reason=WHY)
    for label in ("Undo publishing the final", "Undo closing the semifinals"):
        assert offered() == [label]
        press()
    for game in games_of(event.round_set.last()):
        undo(**who(event), act=Undoable.RESULT, number=game.pk, reason=WHY)
    for label in ("Undo publishing the semifinals", "Undo the cut", "Undo closing round 1"):
        assert offered()[0] == label
        press()
    assert Round.objects.get(event=event) == current
    event = finished(event)
    assert list(verification.differences(content_of(event))) == []


@pytest.mark.parametrize(
    ("act", "world", "number", "text"),
    [
        ("start", _published, 0, "Pairings were published. The start stands. (E34)"),
        ("publish", _all_results, 1, "The round has started. Its pairings stand. (E24)"),
        ("publish", _played, 1, "The round has started. Its pairings stand. (E24)"),
        ("close", _bracket_drafted, 1, "The cut is made. Undo the cut first. (E38)"),
        (
            "close", _semifinal, 1,
            "The next round is published, so this one stays closed. Correct the result instead. (E31)",
        ),
        ("cut", _semifinal, 2, "The bracket is being played. Its seeds stand. (E41)"),
    ],
)  # fmt: skip
def test_what_has_gone_too_far_stands(client, act, world, number, text):
    """The page says so, and has no button."""
    event = world()
    before = facts(event)
    assert refused(undo, **who(event), act=Undoable(act), number=number, reason=WHY) == text
    client.force_login(organizer())
    page = client.get(page_of(event, act, number))
    sentence = text.rpartition(" (")[0]
    assert (page.status_code, sentence in page.content.decode()) == (200, True)
    assert 'name="reason"' not in page.content.decode()
    assert facts(event) == before


def test_a_clock_with_a_result_runs_on_and_so_does_a_closed_result():
    """E26, E31."""
    event = _published()
    clock.start_clock(**who(event), now=NOON)
    pk = _no_show(event)
    text = "The round has a result. Its clock runs on. (E26)"
    assert refused(undo, **who(event), act=Undoable.CLOCK, number=1, reason=WHY) == text
    for game in games_of(event.round_set.get())[1:]:
        results.no_show(actor=organizer(), entry=game.first, number=1)
    _close(event)
    text = "The round is closed. Undo closing it first, or correct the result. (E31)"
    assert refused(undo, **who(event), act=Undoable.RESULT, number=pk, reason=WHY) == text


def test_an_imported_event_stays_as_its_file_says():
    """E23."""
    event = _over()
    _finish(event)
    event.log.create(kind="imported")
    text = "This event was imported. It stays as its file says. (E23)"
    assert refused(undo, **who(event), act=Undoable.FINISH, number=0, reason=WHY) == text


def test_what_was_never_done_is_no_act():
    event = _running()
    for act in set(Undoable) - {Undoable.START}:
        for number in (0, 1, 99):
            assert not undo(**who(event), act=act, number=number, reason=WHY)


# --- Who -------------------------------------------------------------------------------------------------------------


def test_leaders_undo_what_they_can_do(client):
    """E4: results, and in Galactic Conquest ejections; in the regulations the head judge undoes those."""
    event = _published()
    pk, number = _no_show(event), _eject(event)
    _clock(event)
    judge, head = make_leader(event), make_leader(event, Role.HEAD_JUDGE)

    def answers(user) -> list[int]:
        client.force_login(user)
        found = (("result", pk), ("eject", number), ("clock", 1), ("nonsense", 1))
        return [client.get(page_of(event, act, number), follow=True).status_code for act, number in found]

    assert (answers(judge), answers(head)) == ([200, 200, 404, 404], [200, 200, 404, 404])
    assert answers(organizer()) == [200, 200, 200, 404]
    Event.objects.update(rule_set="TR")
    assert (answers(judge)[1], answers(head)[1]) == (404, 200)
    text = "Only the head judge or an organizer can do this."
    event.refresh_from_db()
    words = {"event": event, "number": number, "reason": WHY}
    assert refused(undo, actor=judge, act=Undoable.EJECT, **words) == text
    words["number"] = 1
    assert refused(undo, actor=head, act=Undoable.CLOCK, **words) == "Only an organizer of this event can do this."
    assert answers(account_entry(event, make_leader(make_event(), name="elsewhere")).user)[0] == 404


def test_a_leader_does_not_undo_their_own_ejection_or_result():
    """E2."""
    event = make_event("TR", rounds=3)
    head = make_leader(event, Role.HEAD_JUDGE)
    own = account_entry(event, head)
    event = started(event)
    published_round(event)
    game = next(game for game in games_of(event.round_set.get()) if own in game.pair)
    results.no_show(actor=organizer(), entry=game.opponent_of(own), number=1)
    entries.eject(actor=organizer(), entry=own, reason="cheating")
    words = {"actor": head, "event": event, "reason": WHY}
    assert "Ask another leader" in refused(undo, **words, act=Undoable.RESULT, number=game.pk)
    assert "Ask another leader" in refused(undo, **words, act=Undoable.EJECT, number=own.number)


# --- The bracket (E38, E41) ------------------------------------------------------------------------------------------


def _final(*, draft: bool) -> Event:
    """A final of A and another player, drafted or published."""
    event = started(make_event(players=4, rounds=1, cut=4))
    for _ in range(2):
        played_round(event, "ABCD")
    if draft:
        pairing.draw_round(**who(event))
    else:
        published_round(event)
    return event


def _other_finalist(event: Event) -> Entry:
    (game,) = games_of(event.round_set.last())
    return next(entry for entry in game.pair if entry.name != "A")


def undo_drop(event: Event, name: str = "A") -> bool:
    return undo(**who(event), act=Undoable.DROP, number=entry_of(event, name).number, reason=WHY)


def test_who_left_before_the_final_was_published_plays_it():
    """E41: the bye of the opponent is a game again."""
    event = _final(draft=True)
    before = facts(event)
    _drop(event)
    (game,) = event.round_set.last().games.all()
    assert game.second is None
    assert undo_drop(event)
    assert facts(event) == before


def test_who_left_a_final_with_a_result_keeps_it():
    event = _final(draft=False)
    game = games_of(event.round_set.last())[0]
    results.no_show(actor=organizer(), entry=_other_finalist(event), number=3)
    before = facts(event)
    _drop(event)
    assert undo_drop(event)
    assert facts(event) == before
    game.refresh_from_db()
    assert (game.winner.name, game.state) == ("A", "confirmed")


def test_a_final_is_not_played_twice():
    """E41: once a later round is published without the player, or the round is closed, the drop stands."""
    event = started(make_event(players=4, rounds=1, cut=4))
    played_round(event, "ABCD")
    current = published_round(event)
    clock.start_clock(**who(event), now=NOON)
    _drop(event)
    for game in games_of(current):
        if game.state == Game.State.OPEN:
            results.no_show(actor=organizer(), entry=game.first, number=2)
    _close(event)
    assert refused(undo_drop, event=event) == "The last round is closed. Undo closing it first. (E41)"
    published_round(event)
    assert refused(undo_drop, event=event) == "The last round is published without A. (E41)"


def test_both_players_of_a_game_have_left():
    """E41: who comes back advances, because the other one is still gone."""
    event = _final(draft=False)
    _drop(event)
    other = _other_finalist(event)
    entries.drop(actor=organizer(), entry=other)
    assert undo_drop(event)
    game = games_of(event.round_set.last())[0]
    assert (game.how, game.by, game.winner.name) == ("no_show", other, "A")
    assert undo_drop(event, other.name)
    game.refresh_from_db()
    assert (game.state, game.how, game.winner) == ("open", "", None)


def test_a_drop_before_the_bracket_is_undone_by_rejoining_or_not_at_all():
    """E25, E38: who missed a Swiss round has no place in the bracket."""
    event = started(make_event(players=7, rounds=2, cut=4))
    played_round(event)
    _drop(event)
    assert refused(undo_drop, event=event) == "Let A rejoin on the console. (E25)"
    played_round(event)
    bracket.make_cut(**who(event))
    text = "A missed a round before the bracket and cannot join it. (E38)"
    assert refused(undo_drop, event=event) == text
    published_round(event)
    clock.start_clock(**who(event), now=NOON)
    assert refused(undo_drop, event=event) == "The bracket is played without A. (E38)"


def test_a_drop_in_single_elimination_is_undone():
    """E41, E42."""
    event = started(make_event("TR", players=4, structure=StructureChoice.ELIMINATION))
    published_round(event)
    before = facts(event)
    _drop(event)
    assert undo_drop(event)
    assert facts(event) == before


def test_who_has_declined_advances_again_after_an_undone_cut():
    """E38."""
    event = _bracket_drafted()
    _decline(event)
    page = undo_page(find_target(event, Undoable.CUT, 2))
    assert "Players who declined can advance with the next cut again: A." in page.lost
    undo(**who(event), act=Undoable.CUT, number=2, reason=WHY)
    assert {entry.state for entry in event.entries.all()} == {Entry.State.PLAYING}
    assert entry_of(event, "A") in {entry for game in games_of(bracket.make_cut(**who(event))) for entry in game.pair}


def test_a_smaller_cut_is_as_large_as_before_once_it_is_undone():
    """E38."""
    event = _played()
    for name in "AB":
        entries.drop(actor=organizer(), entry=entry_of(event, name))
    entries.drop(actor=organizer(), entry=entry_of(event, "C"))
    before = facts(event)
    bracket.make_cut(**who(event), with_byes=False)
    assert facts(event)["event"] == ("running", 2)
    undo(**who(event), act=Undoable.CUT, number=2, reason=WHY)
    assert facts(event) == before


# --- Ejections (E4) --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["registered", "waiting", "checked_in"])
def test_an_ejection_before_the_start_is_undone(state):
    event = make_event(players=5)
    Entry.objects.filter(event=event, name="A").update(state=state)
    before = facts(event)
    number = _eject(event)
    undo(**who(event), act=Undoable.EJECT, number=number, reason=WHY)
    assert facts(event) == before


def test_who_was_ejected_missed_rounds():
    """E4, E25: unpaired losses for them; after the event is over the player has left it instead."""
    event = started(make_event(players=6, rounds=2))
    played_round(event)
    number = _eject(event)
    played_round(event)
    undo(**who(event), act=Undoable.EJECT, number=number, reason=WHY)
    missed = event.round_set.get(number=2).unpaired_losses.values_list("entry__name", flat=True)
    assert (entry_of(event, "A").state, list(missed)) == (Entry.State.PLAYING, ["A"])
    _eject(event)
    event = started(make_event(players=6, rounds=2, name="Another"))
    number = _eject(event)
    event = finished(event)
    undo(**who(event), act=Undoable.EJECT, number=number, reason=WHY)
    assert entry_of(event, "A").state == Entry.State.DROPPED
    assert list(verification.differences(content_of(event))) == []


def test_the_bracket_is_played_without_who_was_ejected():
    """E38: the ejection is undone, the place is gone."""
    event = _played()
    number = _eject(event)
    published_round(event)
    clock.start_clock(**who(event), now=NOON)
    undo(**who(event), act=Undoable.EJECT, number=number, reason=WHY)
    assert entry_of(event, "A").state == Entry.State.DROPPED


def test_a_return_that_changes_no_seed_leaves_the_bracket_published():
    """E38: F was cut, was ejected, and is cut again."""
    event = _played()
    published_round(event)
    last = event.entries.filter(state=Entry.State.CUT).last()
    before = facts(event)
    entries.eject(actor=organizer(), entry=last, reason="cheating")
    undo(**who(event), act=Undoable.EJECT, number=last.number, reason=WHY)
    assert facts(event) == before


# --- Results and disputes (E28) --------------------------------------------------------------------------------------


def test_a_round_can_be_changed_again_once_its_result_is_undone():
    """E24: nothing is left of the result, and the clock can be reset."""
    event = _published()
    clock.start_clock(**who(event), now=NOON)
    pk = _no_show(event)
    undo(**who(event), act=Undoable.RESULT, number=pk, reason=WHY)
    line = event.log.latest("pk")
    assert (line.kind, line.reason, line.facts["before"]["how"]) == ("undone", WHY, "no_show")
    assert undo(**who(event), act=Undoable.CLOCK, number=1, reason=WHY)
    assert undo(**who(event), act=Undoable.PUBLISH, number=1, reason=WHY)


def test_an_undone_report_is_not_told(client):
    """E28: nobody reads what was reported and not confirmed."""
    event = _published()
    game = games_of(event.round_set.get())[0]
    won = Result(how=Ending.VICTORY, winner=game.first.key, points=(500, 300), tokens=(5, 3))
    results.report_result(actor=None, entry=game.first, game=game, result=won, version=0)
    undo(**who(event), act=Undoable.RESULT, number=game.pk, reason=WHY)
    assert "before" not in event.log.latest("pk").facts
    game.refresh_from_db()
    assert (game.state, game.reported_by, game.first_points) == ("open", None, 0)


def test_an_event_with_undone_acts_is_proved():
    """E23: the draws follow from the log, whatever was undone in between."""
    event = started(make_event(players=7, rounds=2, cut=4))
    played_round(event, "GFEDCBA")
    undo(**who(event), act=Undoable.CLOSE, number=1, reason=WHY)
    game = games_of(event.round_set.get())[0]
    undo(**who(event), act=Undoable.RESULT, number=game.pk, reason=WHY)
    results.no_show(actor=organizer(), entry=game.first, number=1)
    _close(event)
    number = _eject(event)
    pairing.draw_round(**who(event))
    undo(**who(event), act=Undoable.EJECT, number=number, reason=WHY)
    played_round(event)
    bracket.make_cut(**who(event))
    undo(**who(event), act=Undoable.CUT, number=3, reason=WHY)
    first = bracket.make_cut(**who(event)).games.first().first
    entries.drop(actor=organizer(), entry=first)
    undo_drop(event, first.name)
    published_round(event)
    gone = games_of(event.round_set.last())[0].first
    entries.drop(actor=organizer(), entry=gone)
    undo_drop(event, gone.name)
    event = finished(event)
    assert list(verification.differences(content_of(event))) == []
