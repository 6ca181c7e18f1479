"""What a correction may not break: the battle that is fought, and those that were."""

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse

from bench.speed import counted
from campaign.battles.models import Battle, Side
from campaign.battles.services import planning, sequence
from campaign.battles.services.contenders import Contender
from campaign.battles.services.reports import report_and_begin
from campaign.battles.services.sequence import TABLE
from campaign.enlistments.services.awards import give_awards, undo_awards
from catalogue.snapshot import as_written
from members.services import membership
from registers import projection
from registers.models import Register
from registers.services.awards import RegisterAward
from registers.services.corrections import correct, redo_correction, undo_correction
from rules.adjustments.awards import Gift
from rules.adjustments.corrections import WantedValue
from rules.core.violations import RuleViolation
from tests.at_once import behind
from tests.campaign.battles.amending import balanced
from tests.campaign.battles.closing import broken_by_points, closed
from tests.campaign.battles.fixes import fixed, staff
from tests.campaign.factories import army_chosen, complete, hold, in_play, planned, report_of
from tests.campaign.first_blood import begin
from tests.registers.views.corrections import typed
from tests.statements import without_catalogue


def refused(register: Register, *wishes: WantedValue) -> list[tuple[str, str]]:
    with pytest.raises(RuleViolation) as caught:
        fixed(register, *wishes)
    return [(violation.rule, violation.about) for violation in caught.value.violations]


def held(register: Register) -> list[str]:
    return list(projection.state_of(register).assets)


def test_an_army_in_play_keeps_its_units(table):
    in_play(planned(table))
    assert refused(table.alpha, WantedValue("place", "fallen", unit="2")) == [("R19", "2.place")]
    assert fixed(table.alpha, WantedValue("experience", 3, unit="2")).dossiers.get(key="2").experience == 3


def test_a_unit_that_stood_in_an_army_is_not_struck(table):
    army_chosen(planned(table))
    assert refused(table.alpha, WantedValue("dossier", None, unit="3")) == [("R19", "3.place")]
    assert fixed(table.alpha, WantedValue("place", "reassigned", unit="3")).dossiers.get(key="3").status == "reassigned"


def test_one_of_a_battle_that_is_over_is_not_struck_either(fought):
    closed(fought)
    other = next(key for key in fought.blue.army["fielded"] if key != fought.blue.register.paragon)
    assert refused(fought.blue.register, WantedValue("dossier", None, unit=other)) == [("R19", f"{other}.place")]


def test_assets_that_are_in_use_stay(table):
    """R21: step 8 takes them out of the Register (R47), and would not find them."""
    hold(table.alpha, "medevac", "contingency-plan")
    battle = in_play(planned(table), blue={"assets": ("medevac",)})
    assert held(fixed(table.alpha, WantedValue("assets", ("medevac",)))) == ["medevac"]
    assert refused(table.alpha, WantedValue("assets", ("contingency-plan",))) == [("R21", "assets")]
    planning.cancel(actor=table.cora, battle_id=battle.pk, reason="rain")
    assert held(fixed(table.alpha, WantedValue("assets", ("contingency-plan",)))) == ["contingency-plan"]


def test_what_gave_an_asset_that_is_in_use_is_not_undone(table):
    """R21."""
    given = fixed(table.alpha, WantedValue("assets", ("medevac",))).entries.last()
    in_play(planned(table), blue={"assets": ("medevac",)})
    with pytest.raises(RuleViolation) as caught:
        undo_correction(actor=staff(), register_id=table.alpha.pk, entry_id=given.pk, reason="never had it")
    assert [(violation.rule, violation.about) for violation in caught.value.violations] == [("R21", "assets")]


def test_assets_may_go_once_step_8_has_asked_for_them(fought):
    """R47."""
    register = fought.blue.own_register
    hold(register, "medevac")
    army = fought.blue.army | {"assets": ["medevac"]}
    Side.objects.filter(pk=fought.blue.pk).update(army=army, step=8, answers=[])
    assert refused(register, WantedValue("assets", ())) == [("R21", "assets"), ("R11", "")]
    Side.objects.filter(pk=fought.blue.pk).update(step=9)
    assert held(fixed(register, WantedValue("assets", ()))) == []


def test_one_that_is_not_there_anyway_hinders_nothing(fought):
    """R21: who corrects something else is not kept from it by what they did not do."""
    Side.objects.filter(pk=fought.blue.pk).update(army=fought.blue.army | {"assets": ["medevac"]})
    assert fixed(fought.blue.own_register, WantedValue("supply_points", 9)).supply_points == 9


def test_a_story_arc_is_kept_while_it_is_fought_for(table):
    """R23: the Agenda that was brought is of that arc. Who has brought none may get another arc."""
    in_play(planned(table), blue={"agenda": "gather-intelligence"})
    assert refused(table.alpha, WantedValue("story_arc", "a-pirates-life")) == [("R23", "story_arc")]
    assert fixed(table.bravo, WantedValue("story_arc", "a-pirates-life")).story_arc_id == "a-pirates-life"


def test_and_while_it_is_its_mission(table):
    """R22."""
    complete(table.alpha, 2)
    in_play(planned(table, owner="blue"))
    assert refused(table.alpha, WantedValue("story_arc", "a-pirates-life")) == [("R23", "story_arc")]


def test_a_step_that_is_begun_has_to_fit(fought):
    """Step 1 asks of the reward of an Agenda only as long as the Agenda is not complete (R25)."""
    fought.answer("blue", ["corps", "heavy"], TABLE)
    assert fixed(fought.blue.register, WantedValue("supply_points", 9)).supply_points == 9
    complete = WantedValue("progress", 3, agenda=fought.blue.report["agenda"])
    assert refused(fought.blue.register, complete) == [("R11", "")]


def test_a_step_that_fitted_no_longer_before_hinders_nothing(fought):
    broken_by_points(fought)
    with as_written():
        assert fixed(fought.blue.register, WantedValue("supply_points", 9)).supply_points == 9


def test_a_form_of_a_running_step_is_old_once_the_register_is_corrected(fought):
    turns = fought.blue.turn, fought.red.turn
    fixed(fought.blue.register, WantedValue("supply_points", 9))
    assert (fought.blue.turn, fought.red.turn) == (turns[0] + 1, turns[1])


@pytest.mark.django_db(transaction=True)
def test_a_side_that_is_asked_nothing_any_more_walks_on(book):
    """In step 1 the Agenda alone asks, and no more once it is complete (R25): red has still to answer."""
    fought = begin()
    assert (fought.blue.step, fought.red.step) == (1, 3)
    fixed(fought.blue.register, WantedValue("progress", 3, agenda=fought.blue.report["agenda"]))
    assert (fought.blue.step, fought.red.step) == (3, 3)
    assert fought.question("blue") is not None
    assert balanced()


@pytest.mark.parametrize("runs", [True, False])
def test_whatever_corrects_a_register_lets_its_sequence_walk_on(fought, runs, django_capture_on_commit_callbacks):
    """Each of them once, as soon as it stands; and nothing is locked where no sequence runs."""
    if not runs:
        closed(fought)
    register, campaign, organizer = fought.blue.own_register, fought.battle.campaign, fought.ada_organizes()
    values = {"actor": organizer, "reason": "late"}

    def corrections() -> Iterator[Callable[[], object]]:
        last = {**values, "register_id": register.pk}
        wish = WantedValue("supply_points", 9)
        yield lambda: correct(**last, position=position_of(register), wishes=[wish])
        entry = register.entries.last().pk
        yield lambda: undo_correction(**last, entry_id=entry)
        yield lambda: redo_correction(**last, entry_id=entry)
        award = {register.pk: RegisterAward(Gift(supply_points=1), position_of(register))}
        yield lambda: give_awards(**values, campaign=campaign, awards=award)
        given = [register.entries.last().pk]
        yield lambda: undo_awards(**values, campaign=campaign, entries=given)

    walks = []
    for act in corrections():
        with django_capture_on_commit_callbacks() as scheduled:
            act()
        walks.append(len(scheduled))
    assert walks == [int(runs)] * 5


def test_as_many_statements_where_two_battles_walk_on_as_where_one_does(table, django_capture_on_commit_callbacks):
    """Once it stands, all of them are locked, read and written at once (law 8)."""
    for register in (table.alpha, table.bravo):
        battle = planning.plan_battle(
            actor=table.cora, campaign=table.campaign, size=600, blue=Contender(register_id=register.pk),
            red=Contender(guest_name="Sal", guest_points=500),
        )  # fmt: skip
        in_play(battle)
        report_and_begin(actor=register.owner, battle_id=battle.pk, version=None, report=report_of())
        assert Battle.objects.get(pk=battle.pk).status == "sequence"
    taken = []
    for registers in ([table.alpha], [table.alpha, table.bravo]):
        awards = {each.pk: RegisterAward(Gift(supply_points=1), position_of(each)) for each in registers}
        with counted() as statements, django_capture_on_commit_callbacks(execute=True) as walks:
            give_awards(actor=table.cora, campaign=table.campaign, awards=awards, reason="late")
        taken.append((len(walks), len(without_catalogue(statements))))
    assert taken[0] == taken[1]


@pytest.mark.django_db(transaction=True)
def test_with_what_walks_on_it_takes_no_more_than_it_may(book, client):
    """In transactions of their own, for the requests of other tests end before anything walks on (N+1 only)."""
    fought = begin()
    client.force_login(fought.ada_organizes())
    register = fought.blue.own_register
    correct_it = reverse("registers:correct", args=[register.pk])
    assert client.post(correct_it, typed(register, supply_points=9)).status_code == 302
    back = reverse("registers:undo", args=[register.pk, position_of(register)])
    assert client.post(back, {"reason": "late"}).status_code == 302
    award = {
        "supply_points": 2, "experience": 0, "registers": [str(register.pk)], "reason": "late", "do": "give",
        f"position-{register.pk}": position_of(register),
    }  # fmt: skip
    address = reverse("campaign:award", args=[fought.battle.campaign_id])
    assert client.post(address, award).status_code == 302
    steps = fought.blue.step
    done = {f"agenda.{fought.blue.report['agenda']}": 3}
    assert client.post(correct_it, typed(Register.objects.get(pk=register.pk), **done)).status_code == 302
    assert fought.blue.step > steps


def position_of(register: Register) -> int:
    return Register.objects.get(pk=register.pk).position


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["answer", "undo"])
def test_a_form_that_waits_for_a_correction_is_old_after_it(book, act):
    """A correction has the lock of the Register alone: which turn it is, is asked once the answer has it, too."""
    fought = begin()
    fought.answer("blue", ["corps", "heavy"], TABLE)
    side = fought.blue
    values = {"actor": fought.ada, "turn": side.turn}
    late = {
        "answer": lambda: sequence.answer(**values, side_id=side.pk, answer="3"),
        "undo": lambda: sequence.undo_answers(**values, battle_id=side.battle_id, colour="blue"),
    }
    behind(lambda: fixed(side.own_register, WantedValue("supply_points", 9)), late[act])
    after = fought.blue
    assert (after.turn, after.step, after.answers) == (side.turn + 1, side.step, side.answers)


def test_undone_twice_it_is_asked_anew_once(fought):
    turn, points = fought.blue.turn, fought.blue.own_register.supply_points
    entry = fixed(fought.blue.register, WantedValue("supply_points", 9)).entries.last()
    values = {"actor": staff(), "register_id": fought.blue.register_id, "entry_id": entry.pk, "reason": "no"}
    found = []
    for _ in range(2):
        register = undo_correction(**values)
        found.append((fought.blue.turn, register.position, register.supply_points))
    assert found == [(turn + 2, entry.position + 1, points)] * 2


def test_who_organizes_no_more_corrects_no_more(table):
    """The page was drawn while they did; who may is asked again once the Register is locked."""
    register, wish = table.alpha, WantedValue("reputation", 7)
    values = {"actor": table.cora, "register_id": register.pk, "reason": "counted twice"}
    entry = correct(**values, position=register.position, wishes=[wish])
    register, entry = entry.register, entry.pk
    membership.hand_over(actor=table.cora, group=table.campaign, user=table.ada)
    for act in (
        lambda: correct(**values, position=register.position, wishes=[WantedValue("reputation", 8)]),
        lambda: undo_correction(**values, entry_id=entry),
        lambda: redo_correction(**values, entry_id=entry),
    ):
        with pytest.raises(RuleViolation, match="Only organizers can correct a Register"):
            act()
    assert Register.objects.get(pk=register.pk).position == register.position
    assert undo_correction(**values | {"actor": table.ada}, entry_id=entry).position == register.position + 1
