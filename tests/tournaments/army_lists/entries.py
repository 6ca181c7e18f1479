"""Army lists that players submit."""

from dataclasses import replace

import pytest
from django.db.models import F

from accounts.models import User
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.registers.conftest import book
from tests.rules.battle.plain_armies import OFFICER, STORM
from tests.rules.tournaments.army_lists import ARMY
from tests.tournaments.factories import add_player, organizer
from tournaments.services import events

__all__ = ["book"]


ILLEGAL = replace(ARMY, units=(OFFICER, STORM))


@pytest.fixture
def olga(book):
    return organizer()


@pytest.fixture
def event(olga):
    return _event(olga)


@once
def _event(olga):
    """Galactic Conquest with three players: A has an account. All have the ticket that the start gives."""
    event = events.create_event(actor=olga, name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST)
    for name in "ABC":
        add_player(actor=olga, event=event, name=name)
    event.entries.update(ticket=F("number"))
    event.entries.filter(name="A").update(user=User.objects.create_user("anna"))
    return event


def entry(event, name):
    found = event.entries.select_related("user").get(name=name)
    found.event = event
    return found


def state(event, state, **options):
    for name, value in options.items():
        setattr(event, name, value)
    event.state = state
    event.save()
