"""Two people act on one event in the same moment: it ends as if one had been a little quicker."""

from datetime import UTC, datetime
from functools import partial

import pytest

from accounts.models import User
from accounts.services.closing import delete_account
from campaign.people.services.merging import merge_people
from members.models import Role
from rules.core.violations import RuleViolation
from tests.at_once import at_once, behind
from tests.tournaments.factories import (
    account_entry,
    add_player,
    entry_of,
    games_of,
    make_event,
    make_leader,
    organizer,
    played_round,
    published_round,
    started,
)
from tournaments.models import Event, League
from tournaments.queries.undo import Undoable
from tournaments.scenarios.play import usual_result
from tournaments.services import bracket, clock, entries, events, judging, leagues, results
from tournaments.services.locks import lock_event
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 28, 9, tzinfo=UTC)


def test_an_account_is_merged_while_the_other_one_registers():
    """The merge waits, and the entry of the account that is gone stays under its name, as when both had one before."""
    event = make_event()
    ada, ben = account_entry(event, User.objects.create_user("ada")), User.objects.create_user("ben")
    root = User.objects.create_superuser("root")
    behind(
        partial(entries.register, actor=ben, event=event, name="ben", now=NOW),
        partial(merge_people, actor=root, gone=ada.user, into=ben, reason="One person"),
    )
    assert dict(event.entries.filter(name__in=("ada", "ben")).values_list("name", "user")) == {
        "ada": None,
        "ben": ben.pk,
    }


def test_an_organizer_deletes_their_account_while_another_forgets_their_entry():
    """The entry that is forgotten already is not looked for again."""
    event = make_event()
    ada = account_entry(event, User.objects.create_user("ada"))
    gone = User.objects.get(pk=ada.user_id)
    behind(partial(entries.forget_player, actor=organizer(), entry=ada), partial(delete_account, actor=gone, user=gone))
    gone.refresh_from_db()
    ada.refresh_from_db()
    assert (gone.is_active, ada.user, ada.name) == (False, None, "Player 5")


def test_a_draft_is_deleted_while_somebody_changes_it():
    event = make_event()
    Event.objects.update(state=Event.State.DRAFT)
    found = behind(
        partial(events.delete_draft, actor=organizer(), event=event),
        partial(events.change_settings, actor=organizer(), event=event, changes={"name": "Spring"}),
    )
    assert str(found) == "Winter Conquest was deleted a moment ago."


def test_the_cut_is_undone_while_people_act_in_its_first_game():
    """Whoever comes second is told, and no ruling is lost: a judge was called before."""
    event = started(make_event(rounds=1, cut=2))
    played_round(event)
    bracket.make_cut(actor=organizer(), event=event)
    game = games_of(published_round(event))[0]
    call = judging.call_judge(actor=None, entry=game.first, game=game)
    judging.rule_call(actor=organizer(), call=call, ruling="In range")
    found = behind(
        lambda: undo(actor=organizer(), event=event, act=Undoable.CUT, number=2, reason="Wrong cut"),
        partial(
            results.report_result,
            actor=None,
            entry=game.first,
            game=game,
            result=usual_result(game, first_wins=True),
            version=0,
        ),
    )
    text = "An organizer has undone these pairings. Reload the page."
    assert str(found) == text
    for act in (
        partial(clock.set_extension, actor=organizer(), game=game, minutes=5, reason="Late"),
        partial(judging.call_judge, actor=None, entry=game.first, game=game),
    ):
        with pytest.raises(RuleViolation, match=text):
            act()
    call.refresh_from_db()
    assert (call.game, call.ruling) == (None, "In range")


@pytest.mark.parametrize(("act", "name"), [(leagues.attach_event, "olga"), (leagues.detach_event, "lena")])
def test_an_event_joins_or_leaves_a_league_while_somebody_acts_in_it(act, name):
    """The event is locked first, so that nobody has the league who waits for the event."""
    event, owner = make_event(), User.objects.get_or_create(username=name)[0]
    league, joins = League.objects.create(name="Winter League", owner=owner), act == leagues.attach_event
    Event.objects.update(league=None if joins else league)

    def take_league() -> None:
        League.objects.select_for_update(nowait=True).get()

    assert behind(lambda: lock_event(event), partial(act, actor=owner, league=league, event=event), take_league) is None
    event.refresh_from_db()
    assert event.league == (league if joins else None)


def test_one_person_is_handled_twice():
    """The kiosk checks in while the console does, two ask for one entry, one asks while another answers, two tap."""
    event = make_event(players=2)
    cora, olga = add_player(actor=organizer(), event=event, name="C"), organizer()
    check = partial(entries.check_in, actor=olga, event=event, entries=[cora])
    at_once(check, check)
    cora.refresh_from_db()
    assert cora.state == "checked_in"
    people = [User.objects.create_user(name) for name in ("ada", "ben")]
    found = at_once(*(partial(entries.claim, actor=each, entry=entry_of(event, "C")) for each in people))
    assert sorted(str(each) for each in found) == [
        "None", "Somebody else has asked for this entry. Talk to an organizer. (E5)",
    ]  # fmt: skip
    cora.refresh_from_db()
    answered, _withdrawn = at_once(
        partial(entries.answer_claim, actor=olga, entry=entry_of(event, "C"), claimant=cora.claimant, consent=True),
        partial(entries.drop_claim, actor=cora.claimant, entry=entry_of(event, "C")),
    )
    asked = cora.claimant
    cora.refresh_from_db()
    assert (cora.claimant, cora.user) == (None, asked if answered is True else None)
    eject = partial(entries.eject, actor=make_leader(event, Role.JUDGE), entry=entry_of(event, "C"), reason="Cheating")
    at_once(eject, partial(entries.withdraw, actor=None, entry=entry_of(event, "C")))
    assert entry_of(event, "C").state == "ejected"
