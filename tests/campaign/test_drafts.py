"""Drafts of Registers: only their player has them in a list, and those that nobody touches are offered for deletion."""

from datetime import timedelta
from typing import Any

import pgtrigger
import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.enlistments.services import enlistments
from campaign.people.services import joining
from core.retention import DRAFT_UNTOUCHED
from dashboard.inbox import inbox_for
from registers.models import LedgerEntry, Register
from registers.services import building
from tests.campaign.factories import Table
from tests.html import html_of
from tests.walking import Visitor, unprinted
from tests.world import addresses, make_world

__all__ = ["unprinted"]

NAME = "Zephyr Vigil"


def draft_of(table: Table, **words: Any) -> Register:
    """A draft of ada's in the campaign."""
    register = enlistments.create_register(actor=table.ada, campaign=table.campaign, faction="rebel", **words)
    return building.name_register(actor=table.ada, register_id=register.pk, position=None, name=NAME)


def untouched(register: Register, age: timedelta) -> None:
    """Nobody has changed the Register for so long."""
    with pgtrigger.ignore("registers.LedgerEntry:append_only"):
        register.entries.update(created_at=timezone.now() - age)


@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize("role", ["opponent", pytest.param("organizer", marks=pytest.mark.nightly)])
def test_nobody_else_reads_of_it(book, settings, role):
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    world = make_world()
    draft = world.unfinished
    building.name_register(actor=world.people["owner"], register_id=draft.pk, position=None, name=NAME)
    Register.objects.filter(pk=draft.pk).update(combat_potential=0)  # the tasks of organizers list such a Register
    visitor, found, seen = Visitor(world.people[role]), [], 0
    for address in addresses():
        path = address.filled(world)
        if address.route.startswith(("admin/", "accounts/")) or str(draft.pk) in path:
            continue
        answer = visitor.ask("GET", path)
        seen += answer.status == 200
        if NAME in answer.content or str(draft.pk) in answer.content:
            found.append(path)
    assert (found, seen > 50) == ([], True)


def test_its_player_goes_on_from_home_and_the_campaign(table, as_ada):
    Register.objects.filter(pk=table.alpha.pk).update(discarded=True, commissioned=False)
    draft = draft_of(table)
    build, delete = (reverse(f"registers:{page}", args=[draft.pk]) for page in ("building", "delete"))
    assert f'href="{build}"' in html_of(as_ada.get(table.campaign.get_absolute_url()))
    home = html_of(as_ada.get(reverse("home")))
    assert (f'href="{build}"' in home, f'href="{delete}"' in home) == (True, True)


def test_organizers_have_the_draft_of_a_player_without_an_account(table, as_cora):
    zoe = joining.add_placeholder(actor=table.cora, campaign=table.campaign, name="Zoe")
    theirs = draft_of(table)
    of_zoe = enlistments.create_register(actor=table.cora, campaign=table.campaign, faction="rebel", owner=zoe)
    pages = [reverse("campaign:person", args=[table.campaign.pk, user.pk]) for user in (zoe, table.ada)]
    listed = [html_of(as_cora.get(page)) for page in pages]
    assert [str(of_zoe.pk) in listed[0], str(theirs.pk) in listed[1]] == [True, False]


@pytest.mark.parametrize(
    ("age", "title", "page"),
    [
        (DRAFT_UNTOUCHED - timedelta(hours=1), "Finish building", "building"),
        (DRAFT_UNTOUCHED + timedelta(hours=1), "Finish or delete your draft", "delete"),
    ],
)
def test_untouched_for_long_it_is_offered_for_deletion(table, as_ada, age, title, page):
    draft = draft_of(table)
    untouched(draft, age)
    [item] = inbox_for(table.ada)
    assert (item.title, item.href) == (title, reverse(f"registers:{page}", args=[draft.pk]))
    assert title in html_of(as_ada.get(reverse("home")))
    assert LedgerEntry.objects.filter(register=draft).count() == 2
