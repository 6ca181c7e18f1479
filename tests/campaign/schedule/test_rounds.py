"""Pairing a round: the draft, its battles, and what is refused."""

from datetime import date
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.queries import data_of
from accounts.services.closing import delete_account
from campaign.access import campaign_role
from campaign.battles.models import Battle
from campaign.battles.services import planning
from campaign.enlistments.services import enlistments
from campaign.pages.campaign import overview_of
from campaign.schedule import queries
from campaign.schedule.models import Availability, Round
from campaign.schedule.pages import battles_of_round, to_plan_again
from campaign.schedule.services import rounds
from campaign.schedule.services.availability import move_to, set_availability
from campaign.schedule.services.phases import save_phase
from campaign.star_map.models import System
from campaign.star_map.queries import contested_by, holder_of_team, near_to, star_map_of
from campaign.star_map.services.star_map import give_system, start_map
from campaign.teams.services.teams import assign_registers, save_team
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import activity_rows, address, complete, enlisted, planned, side_of

DUE = date(2026, 5, 12)


@pytest.fixture
def league(table):
    """The campaign with a third and a fourth Register, of mia and of cora."""
    table.charlie = enlisted(table.campaign, table.mia, "Charlie")
    table.delta = enlisted(table.campaign, table.cora, "Delta")
    return table


def opened(table, **words) -> Round:
    values = {"due": DUE, "size": 800, "place": "The attic", **words}
    return rounds.open_draft(actor=table.cora, campaign=table.campaign, round_id=uuid4(), **values)


def change(act, table, found, **words):
    found.refresh_from_db()
    values = {"actor": table.cora, "campaign": table.campaign, "number": found.number, "version": found.version}
    return act(**{**values, **words})


def names(found) -> list[tuple[str, str | None]]:
    rows = found.pairings.select_related("blue", "red")
    return [(each.blue.name, each.red and each.red.name) for each in rows]


def created(table, **words) -> Round:
    return change(rounds.create_battles, table, opened(table, **words))


def test_all_battles_at_once(league):
    save_phase(
        actor=league.cora, campaign=league.campaign, phase_id=uuid4(), version=0, name="Season 1",
        first_day=date(2026, 5, 1), last_day=date(2026, 5, 31),
    )  # fmt: skip
    found = opened(league)
    for _ in range(2):  # the form comes twice
        found = change(rounds.create_battles, league, found, version=found.version)
    battles = Battle.objects.order_by("number")
    assert [(each.size, each.date, each.place, each.pairing.round) for each in battles] == [
        (800, DUE, "The attic", found)
    ] * 2
    assert [(side_of(each, "blue").name, side_of(each, "red").name) for each in battles] == names(found)
    assert (found.number, found.state, found.phase.name) == (1, "created", "Season 1")
    facts = {"number": 1, "battles": 2, "due": "2026-05-12"}
    assert activity_rows(league.campaign, "round") == [("round", league.cora, facts)]


def test_a_draft_comes_once_and_only_to_organizers(league):
    assert opened(league) == opened(league)
    with pytest.raises(RuleViolation, match="Only an organizer can pair a round"):
        rounds.open_draft(actor=league.ada, campaign=league.campaign, round_id=uuid4(), due=DUE, size=800)


def test_new_opponents_and_colors_each_round(league):
    met, blue = set(), []
    for _ in range(3):
        pairs = names(created(league))
        met |= {frozenset(pair) for pair in pairs}
        blue += [pair[0] for pair in pairs]
    assert len(met) == 6
    assert max(blue.count(name) for name in blue) <= 2


def test_each_has_the_bye_in_turn(league):
    league.campaign.enlistments.filter(register=league.delta).delete()
    with_bye = [next(blue for blue, red in names(created(league)) if red is None) for _ in range(3)]
    assert sorted(with_bye) == ["Ashen Patrol", "Charlie", "Dune Wardens"]


def test_only_who_can_play(league):
    with pytest.raises(RuleViolation, match="Fewer than two players said that they can play"):
        opened(league, only_available=True)
    for user in (league.ada, league.cora):
        set_availability(actor=user, campaign=league.campaign, number=1, can_play=True, weekdays=[3], note="after 7 pm")
    assert [set(pair) for pair in names(opened(league, only_available=True))] == [{"Ashen Patrol", "Delta"}]
    lines = queries.who_can_play(league.campaign, 1)
    assert [(line.user, line.days, line.note) for line in lines] == [
        (league.ada, "Thursday", "after 7 pm"), (league.cora, "Thursday", "after 7 pm"),
    ]  # fmt: skip


def test_who_must_play_the_turning_point_is_blue(table):  # R22
    complete(table.bravo, 3)
    battle = Battle.objects.get(pairing__round=created(table))
    assert (side_of(battle, "blue").register, battle.owner) == (table.bravo, "blue")


def test_changes(league):
    found = opened(league)
    first, second = names(found)
    key = {each.name: str(each.pk) for each in (league.alpha, league.bravo, league.charlie, league.delta)}
    change(rounds.swap, league, found, one=key[first[1]], other=key[second[1]])
    assert {frozenset(pair) for pair in names(found)} == {
        frozenset((first[0], second[1])), frozenset((second[0], first[1])),
    }  # fmt: skip
    pair = names(found)[0]
    change(rounds.swap, league, found, one=key[pair[0]], other=key[pair[1]])
    assert names(found)[0] == pair[::-1]
    change(rounds.leave_out, league, found, keys=[key[pair[0]]])
    assert names(found)[-1] == (pair[1], None)
    change(rounds.add, league, found, key=key[pair[0]])
    assert set(names(found)[-1]) == set(pair)
    change(rounds.remove_pairing, league, found, key=key[pair[0]])
    assert len(names(found)) == 1
    before = names(found)
    change(rounds.pair_again, league, found)
    assert {frozenset(each) for each in names(found)} == {frozenset(each) for each in before}


def test_pair_again_is_another_proposal(league):
    found = opened(league)
    before = {frozenset(pair) for pair in names(found)}
    seed = found.seed
    change(rounds.pair_again, league, found)
    found.refresh_from_db()
    assert not before & {frozenset(pair) for pair in names(found)}
    assert found.seed != seed


def test_an_outdated_draft_says_so(league):
    found = opened(league)
    for act, words in ((rounds.create_battles, {}), (rounds.swap, {"one": "a", "other": "b"}), (rounds.pair_again, {})):
        with pytest.raises(RuleViolation, match="The draft changed a moment ago"):
            change(act, league, found, version=0, **words)
    assert not Battle.objects.exists()


def test_what_cannot_be_planned_is_said_and_the_draft_stays(league):
    found = opened(league)
    before = names(found)
    league.campaign.memberships.filter(user=league.mia).update(role="viewer")
    with pytest.raises(RuleViolation) as caught:
        change(rounds.create_battles, league, found)
    pair = next(pair for pair in before if "Charlie" in pair)
    text = f"{pair[0]} against {pair[1]}: Charlie has no player in the campaign now. Choose another Register."
    assert [violation.text for violation in caught.value.violations] == [text]
    assert (names(found), Battle.objects.count()) == (before, 0)


def test_what_a_draft_refuses(league):
    found = opened(league)
    half = enlisted(league.campaign, league.ben, "Half Done", commissioned=False)
    for words, text in (
        ({"one": str(league.alpha.pk), "other": str(league.alpha.pk)}, "Choose two different Registers."),
        ({"one": str(league.alpha.pk), "other": str(uuid4())}, "This Register is no longer in the campaign."),
        ({"one": str(league.alpha.pk), "other": str(half.pk)}, "This Register is no longer in the campaign."),
    ):
        with pytest.raises(RuleViolation, match=text):
            change(rounds.swap, league, found, **words)
    rounds.delete_draft(actor=league.cora, campaign=league.campaign, number=1)
    with pytest.raises(RuleViolation, match="This draft was deleted a moment ago"):
        rounds.pair_again(actor=league.cora, campaign=league.campaign, number=1, version=1)
    created(league)
    with pytest.raises(RuleViolation, match="The battles of Round 1 exist already"):
        rounds.delete_draft(actor=league.cora, campaign=league.campaign, number=1)


def test_planned_battles_do_not_keep_anybody_away(table):  # R11
    planned(table)
    created(table)
    assert Battle.objects.count() == 2


def test_overdue(league):
    found = created(league, due=date(2026, 1, 2))
    lines, _byes = battles_of_round(found)
    assert [line.battle.is_over for line in lines] == [False, False]
    planning.cancel(actor=league.cora, battle_id=lines[0].battle.pk)
    [shown] = queries.created_rounds(league.campaign)
    assert (shown.battles, shown.open, shown.over, shown.is_late) == (2, 1, 1, True)
    assert [line.battle.is_over for line in battles_of_round(found)[0]] == [False, True]


def in_team(table, name, *own):
    """A team with these Registers."""
    about = {"actor": table.cora, "campaign": table.campaign}
    team = save_team(**about, team_id=uuid4(), name=name, colour="teal", emblem="star")
    assign_registers(**about, teams={each.pk: team.pk for each in own})
    return team


def test_teammates_do_not_meet(league):
    registers = (league.alpha, league.bravo, league.charlie, league.delta)
    in_team(league, "Red", *registers[:2])
    in_team(league, "Blue", *registers[2:])
    mates = {frozenset(("Ashen Patrol", "Dune Wardens")), frozenset(("Charlie", "Delta"))}
    assert not {frozenset(pair) for pair in names(opened(league))} & mates
    rounds.delete_draft(actor=league.cora, campaign=league.campaign, number=1)
    assert {frozenset(pair) for pair in names(opened(league, mates="together"))} == mates


class TestSystems:
    @pytest.fixture
    def mapped(self, table):
        """Alpha's team holds One, bravo's Two next to it; Three is free and next to Two, Four next to Three."""
        start_map(actor=table.cora, campaign=table.campaign, layout="6")
        one, two, three, four, *rest = table.campaign.systems.all()
        System.objects.filter(pk__in=[each.pk for each in rest]).delete()
        for system, name, own in ((one, "Red", table.alpha), (two, "Blue", table.bravo)):
            team = in_team(table, name, own)
            give_system(actor=table.cora, campaign=table.campaign, system_id=system.pk, holder=f"team:{team.pk}")
        table.systems = [one, two, three, four]
        return table

    def sides(self, table):
        return [holder_of_team(table.campaign.teams.get(name=name)) for name in ("Red", "Blue")]

    def stake(self, table, **words):
        return opened(table, **words).pairings.get().system

    def test_contested_systems_come_first(self, mapped):
        assert self.stake(mapped, stakes="contested") in mapped.systems[:2]
        ranks = contested_by(star_map_of(mapped.campaign), *self.sides(mapped))
        assert [ranks[each.pk] for each in mapped.systems] == [0, 0, 2, 2]

    def test_neighbors_are_near_to_both(self, mapped):
        assert self.stake(mapped, stakes="neighbors") in mapped.systems[:2]
        ranks = near_to(star_map_of(mapped.campaign), *self.sides(mapped))
        assert [ranks[each.pk] for each in mapped.systems] == [0, 0, 1, 2]

    def test_chosen_by_hand_and_kept(self, mapped):
        assert self.stake(mapped) is None
        found = Round.objects.get()
        blue, red = (str(key) for key in found.pairings.values_list("blue", "red").get())
        change(rounds.choose_systems, mapped, found, systems={blue: mapped.systems[3].pk, "nobody": None})
        change(rounds.swap, mapped, found, one=blue, other=red)
        change(rounds.create_battles, mapped, found)
        battle = Battle.objects.get()
        assert (battle.fought_for.system, battle.fought_for.automatic) == (mapped.systems[3], True)
        logged = battle.activity.filter(kind="map").values_list("actor", "facts")
        assert [*logged] == [(mapped.cora.pk, {"what": "fought_for", "system": mapped.systems[3].name})]
        lately = overview_of(mapped.campaign, mapped.cora)["events"]
        assert (lately[0].kind, [each for each in lately if each.battle]) == ("round", [])


def status(table, wished, register=None):
    planned_now = Battle.objects.filter(status="planned").values_list("pk", flat=True)
    enlistments.change_status(
        actor=table.cora, campaign=table.campaign, register_id=(register or table.bravo).pk, status=wished,
        planned=planned_now,
    )  # fmt: skip


def test_a_canceled_battle_is_planned_again(client, table):
    found = created(table, due=date(2026, 1, 2))
    canceled = Battle.objects.get()
    role = campaign_role(table.cora, table.campaign)
    assert to_plan_again(role, table.campaign, found) == []
    status(table, "withdrawn")
    assert to_plan_again(role, table.campaign, found) == []
    [line] = battles_of_round(found)[0]
    assert line.note == "Battle 1, 800 points: canceled. Dune Wardens was withdrawn."
    client.force_login(table.cora)
    status(table, "withdrawn", register=table.alpha)
    there = []
    for register in (table.bravo, table.alpha):  # the battle is offered once both are back
        answer = client.post(address(table, "campaign:register_status", register.pk), {"do": "bring_back"})
        there.append(answer.url)
    assert there == [table.campaign.get_absolute_url(), f"{found.get_absolute_url()}#again"]
    [pairing] = to_plan_again(role, table.campaign, found)
    for _ in range(2):  # the form comes twice
        rounds.plan_again(actor=table.cora, campaign=table.campaign, number=1, blue=pairing.blue_id)
    [line] = battles_of_round(found)[0]
    assert (line.battle.status, Battle.objects.count()) == ("planned", 2)
    assert line.battle != canceled
    assert line.battle.date >= timezone.localdate()
    with pytest.raises(RuleViolation, match="This pairing has no battle to plan again"):
        rounds.plan_again(actor=table.cora, campaign=table.campaign, number=1, blue=None)


class TestPhases:
    def save(self, table, **words):
        values = {
            "phase_id": uuid4(), "version": 0, "name": "Season 1", "first_day": date(2026, 1, 1),
            "last_day": date(2026, 3, 31), "size": 600, **words,
        }  # fmt: skip
        return save_phase(actor=table.cora, campaign=table.campaign, **values)

    def test_saved_once_and_changed(self, table):
        key = uuid4()
        for _ in range(2):
            phase = self.save(table, phase_id=key)
        self.save(table, phase_id=key, version=1, name="Season One", size=None)
        phase.refresh_from_db()
        assert (phase.name, phase.size, phase.version) == ("Season One", None, 2)
        found = [facts["what"] for _kind, _actor, facts in activity_rows(table.campaign, "phase")]
        assert found == ["added", "changed"]

    def test_the_size_of_its_days(self, table):
        self.save(table)
        days = (date(2025, 12, 31), date(2026, 1, 1), date(2026, 3, 31), date(2026, 4, 1))
        found = [queries.phase_with_size(table.campaign, day) for day in days]
        assert [each and each.size for each in found] == [None, 600, 600, None]

    def test_refused(self, table):
        self.save(table)
        for words, violation in (
            ({"name": " "}, Violation("", "Enter a name, such as Season 1.", "name")),
            (
                {"first_day": date(2026, 3, 31), "last_day": date(2026, 3, 30)},
                Violation("", "The last day is before the first day. Choose a later one.", "last_day"),
            ),
            ({"version": 3}, Violation("", "This phase was deleted a moment ago.")),
        ):
            with pytest.raises(RuleViolation) as caught:
                self.save(table, **{"first_day": date(2026, 5, 1), "last_day": date(2026, 5, 2), **words})
            assert caught.value.violations == (violation,)
        with pytest.raises(RuleViolation, match="Season 1 already covers"):
            self.save(table, first_day=date(2026, 3, 31), last_day=date(2026, 6, 30))


class TestAvailability:
    def say(self, table, user, note=""):
        set_availability(actor=user, campaign=table.campaign, number=1, can_play=True, note=note)

    def notes(self):
        return sorted(Availability.objects.values_list("user__username", "note"))

    def test_what_the_other_account_said_counts(self, table):
        self.say(table, table.ada, "Snow")
        self.say(table, table.ben, "Sand")
        move_to(table.ben, table.ada)
        assert self.notes() == [("ada", "Snow")]
        move_to(table.ada, table.ben)
        assert self.notes() == [("ben", "Snow")]

    def test_it_goes_with_the_account(self, table):
        self.say(table, table.mia, "Never on Thursdays")
        assert data_of(table.mia)["availability"][0]["note"] == "Never on Thursdays"
        delete_account(actor=table.mia, user=table.mia)
        assert self.notes() == []

    def test_refused(self, table):
        with pytest.raises(RuleViolation, match="Only players of the campaign can say when they play"):
            self.say(table, table.eve)
        created(table)
        with pytest.raises(RuleViolation, match="The battles of round 1 exist already"):
            self.say(table, table.ada)
