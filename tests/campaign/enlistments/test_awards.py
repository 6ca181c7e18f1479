"""Awards on their page: what was given, and taking all of one back."""

from uuid import uuid4

import pytest
from django.urls import reverse

from bench.speed import counted
from campaign.enlistments.queries import groups_of
from campaign.queries.registers import registers_of
from campaign.schedule.models import Pairing, Round
from campaign.teams.services.teams import assign_registers, save_team
from registers.models import Register
from rules.adjustments.awards import Gift
from rules.register.effects import SetbackGained, SupplyPointsSpent
from tests.campaign.enlistments.awards import awarded, now
from tests.campaign.factories import address, enlisted, in_play, planned
from tests.html import html_of
from tests.registers.views.reading import happen, queries_of, text_of
from tests.statements import without_catalogue


@pytest.fixture
def here(client, table):
    client.force_login(table.cora)
    return address(table, "campaign:award")


def entries_of(*registers: Register) -> list[int]:
    return [now(register).entries.last().pk for register in registers]


def points_of(table) -> list[int]:
    return [now(table.alpha).supply_points, now(table.bravo).supply_points]


def test_awards_stand_on_the_page_with_where_each_is_undone(client, table, here):
    awarded(table, {table.alpha: Gift(supply_points=2), table.bravo: Gift(supply_points=2)})
    awarded(table, {now(table.alpha): Gift(experience=1, commendation=True, units=("2",))}, reason="late")
    answer = client.get(here)
    found = [(words, [each.register for each in one.entries]) for one, words in answer.context["given"]]
    [late, (points, both)] = found
    assert late == (["+1 XP for each unit", "1 Commendation to choose"], [table.alpha])
    assert (points, set(both)) == (["+2 SP"], {table.alpha, table.bravo})
    for register in both:
        assert f'href="{reverse("registers:correct", args=[register.pk])}#made"' in html_of(answer)


def test_the_same_twice_is_two_awards(client, table, here):
    for _ in range(2):
        awarded(table, {now(table.alpha): Gift(supply_points=2)})
    assert [len(one.entries) for one, _ in client.get(here).context["given"]] == [1, 1]


def test_all_of_it_at_once(client, table, here):
    before = points_of(table)
    awarded(table, {table.alpha: Gift(supply_points=2), table.bravo: Gift(supply_points=2)})
    sent = {"do": "undo", "entry": entries_of(table.alpha, table.bravo), "reason": "not they"}
    for _ in range(2):  # law 6
        assert client.post(here, sent).status_code == 302
    assert points_of(table) == before
    assert client.get(here).context["given"] == []


def test_as_many_statements_for_three_as_for_one(client, table, here):
    """Looked at, given, and undone: what is locked, read and written is so for all at once (law 8)."""
    third = enlisted(table.campaign, table.ben, "Third Patrol")
    for gift in ({"supply_points": 2}, {"supply_points": 2, "experience": 1, "commendation": "on"}):
        one = statements(client, here, gift, table.alpha)
        assert statements(client, here, gift, table.alpha, table.bravo, third) == one


def test_what_goes_from_the_middle_of_a_list_takes_no_more(client, table, here):
    for register in (table.alpha, table.bravo):
        gained = [SetbackGained(unit="2", setback=slug, rule="R36") for slug in ("downtrodden", "battle-shaken")]
        happen(register, *gained, step=None)
    taken = [
        statements(client, here, {"setback": "downtrodden"}, *registers)
        for registers in ([table.alpha], [table.alpha, table.bravo])
    ]
    assert taken[0] == taken[1]
    assert setbacks_of(table.alpha) == ["downtrodden", "battle-shaken"]


def test_as_many_for_both_sides_of_a_sequence_as_for_one(client, fought):
    """Whether the answers of a running step still fit is seen from both sides, which are read along."""
    client.force_login(fought.ada_organizes())
    here = reverse("campaign:award", args=[fought.battle.campaign_id])
    one = statements(client, here, {"supply_points": 2}, fought.red.own_register)
    both = (fought.blue.own_register, fought.red.own_register)
    assert statements(client, here, {"supply_points": 2}, *both) == one


def setbacks_of(register: Register) -> list[str]:
    return [each.setback_id for each in register.dossiers.get(key="2").setbacks.all()]


def statements(client, here: str, gift: dict[str, object], *registers: Register) -> list[int]:
    """How many it takes to look at what Registers would get, to give it to them, and to undo it."""
    form = {
        "supply_points": 0, "experience": 0, "reason": "why", "registers": [str(each.pk) for each in registers],
    } | gift  # fmt: skip
    positions = {f"position-{each.pk}": now(each).position for each in registers}
    looked = number_of(client, here, form | {"do": "look"}, 200)
    given = number_of(client, here, form | {"do": "give"} | positions, 302)
    back = {"do": "undo", "entry": entries_of(*registers), "reason": "not they"}
    return [looked, given, number_of(client, here, back, 302)]


def number_of(client, address: str, sent: dict[str, object], status: int) -> int:
    with counted() as statements:
        assert client.post(address, sent).status_code == status
    return len(without_catalogue(statements))


def test_all_or_none_and_nothing_typed_is_lost(client, table, here):
    awarded(table, {table.alpha: Gift(supply_points=2), table.bravo: Gift(supply_points=2)})
    given = points_of(table)
    sent = {"do": "undo", "entry": entries_of(table.alpha, table.bravo), "reason": " "}
    refused = client.post(here, sent)
    assert refused.status_code == 422
    assert html_of(refused).count("Give a reason") == 1
    happen(table.alpha, SupplyPointsSpent(amount=given[0], rule="R41"), act="edit", battle="", step=None)
    refused = client.post(here, sent | {"reason": "not they"})
    assert refused.status_code == 422
    assert b'value="not they"' in refused.content
    assert f"{table.alpha}: " in text_of(refused)
    assert points_of(table) == [0, given[1]]


def test_only_awards_of_the_campaign_by_who_organizes(client, table, here):
    founding = table.alpha.entries.first().pk
    for entries in ([], [founding], ["x"], ["9" * 5000], [10**9]):
        assert client.post(here, {"do": "undo", "entry": entries, "reason": "why"}).status_code == 422
    awarded(table, {table.alpha: Gift(supply_points=2)})
    sent = {"do": "undo", "entry": entries_of(table.alpha), "reason": "why"}
    table.alpha.enlistment.delete()
    assert "is not in the campaign" in text_of(client.post(here, sent))
    assert now(table.alpha).supply_points == 7
    client.force_login(table.ada)
    assert client.post(here, sent).status_code == 404


def test_constant_queries(client, table, here):
    awarded(table, {table.alpha: Gift(supply_points=2)})
    one = queries_of(client, here)
    for points in (1, 3):
        awarded(table, {now(each): Gift(supply_points=points) for each in (table.alpha, table.bravo)})
    assert queries_of(client, here) == one


def test_only_what_was_shown_is_given(client, table, here):
    before, sent = points_of(table), {"supply_points": 2, "experience": 1, "registers": [str(table.alpha.pk)]}
    sent |= {"reason": "why", "do": "give"}
    shown = f"position-{table.alpha.pk}"
    assert client.post(here, sent).status_code == 200  # it shows what would be given first
    assert client.post(here, sent | {shown: "x"}).status_code == 422
    assert points_of(table) == before
    units = {f"asked-{table.alpha.pk}": 1, f"units-{table.alpha.pk}": ["2"]}
    given = client.post(here, sent | units | {shown: now(table.alpha).position})
    assert given.status_code == 302
    assert list(table.alpha.dossiers.filter(experience=1).values_list("key", flat=True)) == ["2"]


def test_a_group_ticks_its_registers(client, table, here):
    third = enlisted(table.campaign, table.mia, "Third Patrol")
    about = {"actor": table.cora, "campaign": table.campaign}
    team = save_team(**about, team_id=uuid4(), name="Rim Alliance", colour="teal", emblem="star")
    assign_registers(**about, teams={table.alpha.pk: team.pk, third.pk: team.pk})
    names = [group.name for group in groups_of(table.campaign, list(registers_of(table.campaign)))]
    assert names == ["All", "Rim Alliance"]
    sent = {"do": "look", "supply_points": 2, "experience": 0, "reason": "First round", "groups": [f"team:{team.pk}"]}
    shown = client.post(here, sent)
    assert {each.register for each in shown.context["previews"]} == {table.alpha, third}
    assert html_of(shown).count("checked") == 2


def test_those_who_played_the_last_round(table):
    enlisted(table.campaign, table.mia, "Third Patrol")
    enlisted(table.campaign, table.cora, "Fourth Patrol")
    battle = planned(table)
    played = Round.objects.create(campaign=table.campaign, number=1, due=battle.date, size=600, state="created")
    Pairing.objects.create(round=played, place=0, blue=table.alpha, red=table.bravo, battle=battle)
    registers = list(registers_of(table.campaign))
    assert [group.value for group in groups_of(table.campaign, registers)] == ["all"]
    in_play(battle)
    [_all, group] = groups_of(table.campaign, registers)
    assert (group.value, set(group.registers)) == ("round", {table.alpha.pk, table.bravo.pk})
