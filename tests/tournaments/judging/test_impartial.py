"""Leaders who play decide neither about themselves nor about their opponent, as long as another leader can (E2)."""

import pytest

from members.models import Role
from tests.tournaments.factories import (
    account_entry,
    entry_of,
    games_of,
    make_event,
    make_leader,
    organizer,
    published_round,
    started,
)
from tests.tournaments.rounds.drafts import refused
from tournaments.models import Entry, Membership, SubmittedList
from tournaments.services import army_lists, clock, entries

pytestmark = pytest.mark.django_db
OWN_GAME = "You play in this game. Ask another leader to decide it. (E2)"
OWN_ENTRY = "This is your own entry. Ask another leader to decide. (E2)"


def test_own_game_and_opponent():
    event = make_event("TR", players=3)
    own = account_entry(event, organizer())
    judge = make_leader(event)
    game = next(each for each in games_of(published_round(started(event))) if own in each.pair)
    opponent = next(each for each in game.pair if each != own)
    more_time = {"game": game, "minutes": 10, "reason": "A long call"}
    assert refused(clock.set_extension, actor=organizer(), **more_time) == OWN_GAME
    assert clock.set_extension(actor=judge, **more_time).extension == 10
    assert refused(entries.warn, actor=organizer(), entry=opponent, reason="Slow") == OWN_GAME
    make_leader(event, Role.HEAD_JUDGE)
    assert refused(entries.eject, actor=organizer(), entry=opponent, reason="Rude") == OWN_GAME
    other = make_leader(event, Role.ORGANIZER)
    assert refused(entries.drop, actor=organizer(), entry=opponent) == OWN_GAME
    entries.drop(actor=other, entry=opponent)
    entries.drop(actor=organizer(), entry=own)
    assert set(Entry.objects.filter(state="dropped")) == {own, opponent}


def test_own_army_list():
    """A second organizer decides. Without one it is the organizer, and the log shows the reason."""
    event = make_event("TR", players=3)
    own = account_entry(event, organizer())
    other = make_leader(event, Role.ORGANIZER)
    SubmittedList.objects.create(entry=own, number=1, violations=[{"rule": "R1", "text": "x"}])
    accept = {"entry": own, "number": 1, "reason": "A misprint"}
    assert refused(army_lists.accept_list, actor=organizer(), **accept) == OWN_ENTRY
    army_lists.accept_list(actor=other, **accept)
    event = started(event)
    own = entry_of(event, own.name)
    unlock = {"entry": own, "reason": "A card is lost"}
    assert refused(army_lists.unlock_list, actor=organizer(), **unlock) == OWN_ENTRY
    Membership.objects.filter(user=other).delete()
    army_lists.unlock_list(actor=organizer(), **unlock)
    assert list(event.log.filter(kind="list").order_by("pk").values_list("actor__username", "reason")) == [
        (other.username, "A misprint"), ("olga", "A card is lost"),
    ]  # fmt: skip
