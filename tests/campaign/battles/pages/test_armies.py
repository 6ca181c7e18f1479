"""Armies on the page of a battle: as they stood when it began, whatever has become of their units since."""

import pytest
from django.db import transaction
from django.urls import reverse

from campaign.battles.access import battle_for
from campaign.battles.models import Battle
from campaign.battles.pages.armies import FIELDED, plain_side, side_views
from campaign.battles.services import amendments, army as army_service
from registers.models import LedgerEntry, Register
from rules.register.effects import RegisterNamed, ReputationGained, SetbackGained, UnitAdded, UnitFell, UnitNamed
from tests.campaign.battles.amending import applied
from tests.campaign.battles.closing import closed
from tests.campaign.battles.pages.armies import shown
from tests.campaign.factories import army_chosen, happen, in_play, planned, side_of
from tests.html import html_of
from tests.registers.ledgers import lock, undo
from tests.registers.views.reading import queries_of, text_of

DOWNTRODDEN = SetbackGained(unit="2", setback="downtrodden", rule="R36")


def much_happens(register: Register) -> None:
    """What changes the points, the name, the place and the size of an army that would be fielded now."""
    happen(
        register,
        DOWNTRODDEN,
        UnitNamed(unit="2", name="Grim Hounds", rule="R15"),
        UnitFell(unit="3", rule="R35"),
        RegisterNamed(name="Late Patrol", rule="R10"),
        ReputationGained(amount=2, rule="R48"),
    )


def close(battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.CLOSED)


#: 139 points of 600 each: an officer and two units of Stormtroopers.
UNITS = [("Captain Sorne", 55), ("Stormtroopers (no. 2)", 42), ("Stormtroopers (no. 3)", 42)]


@pytest.mark.parametrize("status", ["sequence", "closed", "cancelled"])
def test_once_it_has_been_fought_an_army_stays_as_it_was(table, status):
    battle = in_play(planned(table))
    much_happens(table.alpha)
    Battle.objects.filter(pk=battle.pk).update(status=status)
    assert shown(table.mia, battle) == [(139, 600, UNITS), (139, 600, UNITS)]


@pytest.mark.parametrize("status", ["in_play", "reported", "disputed"])
def test_what_is_set_right_while_it_is_fought_counts_in_it(table, status):
    battle = in_play(planned(table))
    happen(table.alpha, DOWNTRODDEN)
    Battle.objects.filter(pk=battle.pk).update(status=status)
    assert shown(table.mia, battle)[0] == (
        154, 600, [UNITS[0], ("Stormtroopers (no. 2)", 57), UNITS[2]],
    )  # fmt: skip


def test_until_then_it_is_as_it_would_be_fielded_now(table):
    battle = army_chosen(planned(table))
    happen(table.alpha, DOWNTRODDEN, ReputationGained(amount=2, rule="R48"))
    assert shown(table.ada, battle) == [(154, 600, [UNITS[0], ("Stormtroopers (no. 2)", 57), UNITS[2]]), (0, 700, [])]


def test_and_one_that_was_called_off_before_it_began(table):
    battle = army_chosen(planned(table))
    Battle.objects.filter(pk=battle.pk).update(status="cancelled")
    happen(table.alpha, DOWNTRODDEN)
    assert shown(table.ada, battle)[0] == (154, 600, [UNITS[0], ("Stormtroopers (no. 2)", 57), UNITS[2]])


def test_its_own_sequence_is_not_in_it(fought):
    before = shown(fought.ada, fought.battle)
    closed(fought)
    assert shown(fought.ada, fought.battle) == before


def test_nor_that_the_battle_counts_for_nobody(fought):
    before = shown(fought.ada, fought.battle)
    closed(fought)
    amendment = amendments.open_amendment(
        actor=fought.ada_organizes(), battle_id=fought.battle.pk, what="annul", reason="It was a rehearsal."
    )
    applied(fought, amendment)
    assert shown(fought.ada, fought.battle) == before


def test_what_is_set_right_of_the_time_before_is_set_right_in_it(table):
    happen(table.alpha, DOWNTRODDEN)
    battle = in_play(planned(table))
    close(battle)
    assert shown(table.mia, battle)[0][0] == 154
    with transaction.atomic():
        [register] = lock(table.alpha.pk)
        wrong = LedgerEntry.objects.filter(register=register, act="edit").latest("position")
        undo(actor=table.ada, register=register, entry=wrong, reason="It was another unit.")
    assert shown(table.mia, battle) == [(139, 600, UNITS), (139, 600, UNITS)]


def test_as_cards_for_other_programs_it_stays_as_it_was_too(table):
    battle = in_play(planned(table))
    before = plain_side(side_of(battle, "blue"))
    much_happens(table.alpha)
    close(battle)
    battle.refresh_from_db()
    assert plain_side(side_of(battle, "blue")) == before


def test_the_core_rules_look_only_at_an_army_that_is_fielded(table):
    battle, found = in_play(planned(table)), set()
    for status in Battle.Status.values:
        Battle.objects.filter(pk=battle.pk).update(status=status)
        battle, role = battle_for(table.ada, battle.pk)
        [view, _other] = side_views(role, battle)
        found |= {status} if view.plain else set()
    assert found == set(FIELDED)


def test_the_page_names_the_reputation_that_its_reinforcements_came_from(as_ada, table):
    happen(table.bravo, ReputationGained(amount=1, rule="R48"))
    battle = in_play(planned(table))
    much_happens(table.alpha)
    close(battle)
    text = text_of(as_ada.get(battle.get_absolute_url()))
    found = ["ada · Reputation 0 Army 139 of 650" in text, "ben · Reputation 1 Army 139 of 600" in text]
    assert found == [True, True]


def test_as_many_queries_for_short_ledgers_and_long(as_ada, table):
    battle = in_play(planned(table))
    close(battle)
    few = queries_of(as_ada, battle.get_absolute_url())
    much_happens(table.alpha)
    for _ in range(3):
        happen(table.bravo, DOWNTRODDEN)
    assert queries_of(as_ada, battle.get_absolute_url()) == few


def test_why_its_ranks_are_what_they_are_is_an_army_s_own_and_as_hidden_as_it_is(client, table):
    """R18: until both have begun nobody reads of a duel in the other's army, nor finds it in the own form."""
    battle = army_chosen(planned(table), blue={"rank_reason": "A duel."})
    mine, theirs = battle.get_absolute_url(), reverse("battles:army", args=[side_of(battle, "red").pk])
    read = []
    for person, url in ((table.ada, mine), (table.ben, mine), (table.ben, theirs)):
        client.force_login(person)
        read.append("A duel." in html_of(client.get(url)))
    assert read == [True, False, False]
    army_service.begin(actor=table.ada, battle_id=battle.pk)
    assert "Outside rank limits: A duel. R18" in text_of(client.get(f"{mine}?details"))


def test_a_unit_has_the_rank_at_which_its_battle_force_lists_it(table):
    """R18: the Imperial Remnant's scouts are corps."""
    happen(table.alpha, UnitAdded(unit="4", card="scout-troopers", rule="R10"))
    battle = army_chosen(planned(table), blue={"battle_force": "imperial-remnant"})
    battle, role = battle_for(table.ada, battle.pk)
    [view, _other] = side_views(role, battle)
    assert [unit.rank for unit in view.army] == ["commander", "corps", "corps", "corps"]
