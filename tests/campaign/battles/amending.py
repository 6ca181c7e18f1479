"""Revisions of First Blood."""

from dataclasses import replace
from typing import Any

from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.report_data import Facts
from campaign.battles.services import amendments, army, planning, sequence
from campaign.battles.services.replay.plan import Plan
from campaign.battles.services.replay.replay import plan_of
from campaign.battles.services.reports import BattleReport, report_and_begin
from campaign.enlistments.services.awards import give_awards
from registers import projection
from registers.ledger.verification import differences
from registers.models import Register
from registers.services.awards import RegisterAward
from rules.adjustments.awards import Gift
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Choose, Confirm, Question, Roll
from rules.register.state import RegisterState
from tests.campaign.factories import agendas_chosen
from tests.campaign.first_blood import Fought, choose_army
from tests.once import once


def balanced() -> bool:
    """Whether the rows of every Register are the sum of its ledger."""
    return not [found for register in Register.objects.all() for found in differences(register)]


def states(fought: Fought) -> dict[str, RegisterState]:
    """Both Registers as they are, by colour."""
    return {colour: projection.state_of(fought.side(colour).own_register) for colour in ("blue", "red")}


def report_with(fought: Fought, winner: str = "blue", **changes: dict[str, Any]) -> BattleReport:
    """The report as it stands, with other facts by colour."""
    facts = {
        colour: replace(Facts(**fought.side(colour).report), **changes.get(colour, {})) for colour in ("blue", "red")
    }
    return BattleReport(winner=winner, facts=facts, victory_points={})


def corrected(fought: Fought, winner: str = "blue", **changes: dict[str, Any]) -> Amendment:
    """A revision of the report, which ada opens as an organizer."""
    return amendments.open_amendment(
        actor=fought.ada_organizes(), battle_id=fought.battle.pk, what="report", reason="A slip of the pen.",
        report=report_with(fought, winner, **changes),
    )  # fmt: skip


def undo_amendment(fought: Fought, what: str, colour: str = "blue", step: int | None = None) -> Amendment:
    """Open an amendment that undoes something."""
    return amendments.open_amendment(
        actor=fought.ada_organizes(), battle_id=fought.battle.pk, what=what, reason="A wrong tap.",
        colour=colour, step=step,
    )  # fmt: skip


def awarded(fought: Fought, gift: Gift) -> None:
    """Blue's Register gets it from ada, who organizes."""
    blue = fought.blue.own_register
    give_awards(
        actor=fought.ada_organizes(), campaign=fought.battle.campaign, reason="prize of the season",
        awards={blue.pk: RegisterAward(gift, blue.position)},
    )  # fmt: skip


def decide(fought: Fought, amendment: Amendment, answer: Any, source: str = "player") -> Amendment:
    """Answer what the revision asks."""
    return amendments.decide(**halted(fought, amendment), answer=answer, source=source)


def halted(fought: Fought, amendment: Amendment) -> dict[str, Any]:
    """Who says what about the place where a revision stops by now, for its services."""
    amendment.refresh_from_db()
    halt = planned(amendment).halt
    return {
        "actor": fought.ada, "amendment_id": amendment.pk, "seen": len(amendment.decisions),
        "halt_digest": halt.digest if halt else "",
    }  # fmt: skip


def planned(amendment: Amendment) -> Plan:
    """What it comes to now."""
    return plan_of(Amendment.objects.select_related("battle__campaign").get(pk=amendment.pk))


def applied(fought: Fought, amendment: Amendment) -> Amendment:
    """Apply it as it was seen."""
    return amendments.apply(actor=fought.ada, amendment_id=amendment.pk, digest=planned(amendment).digest)


def annulled(fought: Fought) -> Fought:
    """It was a rehearsal."""
    organizer, battle = fought.ada_organizes(), fought.battle.pk
    applied(
        fought, amendments.open_amendment(actor=organizer, battle_id=battle, what="annul", reason="It was a rehearsal.")
    )
    fought.battle.refresh_from_db()
    return fought


@once
def fights_a_guest(fought: Fought, keys: list[str], defeated: list[str], *, owner: str = "") -> Battle:
    """Another battle of blue's Register, with these units, walked to its end with as little as can be answered.

    `owner`: whose Turning Point Mission it is.
    """
    blue = fought.blue.own_register
    battle = planning.plan_battle(
        actor=fought.ada, campaign=fought.battle.campaign, size=600,
        blue=planning.Contender(register_id=blue.pk), red=planning.Contender(guest_name="Cyd"), owner=owner,
    )  # fmt: skip
    choose_army(fought.ada, battle.sides.get(colour="blue"), keys)
    agendas_chosen(battle)
    army.begin(actor=fought.ada, battle_id=battle.pk)
    report = BattleReport(winner="blue", facts={"blue": Facts(defeated=defeated)}, victory_points={})
    report_and_begin(actor=fought.ada, battle_id=battle.pk, version=None, report=report)
    while True:
        side, other = (
            Side.objects.select_related("register", "battle").get(battle=battle, colour=colour)
            for colour in ("blue", "red")
        )
        question = None if side.done else sequence.running_step(side, other).question
        if question is None:
            return Battle.objects.get(pk=battle.pk)
        given = least(question)
        sequence.answer(actor=fought.ada, side_id=side.pk, turn=side.turn, answer=given)


def least(question: Question) -> Any:
    """An answer that does as little as can be."""
    match question:
        case Roll(pools=pools):
            return {pool.key: ["blank"] * pool.count for pool in pools}
        case Confirm():
            return False
        case Choose(options=[first, *_], decline=""):
            return first.value
        case Award(dues=dues):
            return {due.unit: {"commendation": None} | ({"name": "Veterans"} if due.needs_name else {}) for due in dues}
    return None
