"""Random battles, revised at random: whatever is decided, the books balance, and nothing is written by halves."""

from random import Random
from typing import Any

import pytest

from bench.simulated_battles import play
from bench.simulation import Supply, answer
from campaign.battles.models import Amendment, Battle
from campaign.battles.report_data import Facts
from campaign.battles.services import amendments
from campaign.battles.services.replay.decisions import ways_out
from campaign.battles.services.replay.plan import ReplayConflict
from campaign.battles.services.reports import BattleReport
from campaign.battles.services.sequence import PLAYER
from campaign.models import Campaign, Membership
from catalogue.snapshot import rulebook
from registers import projection
from registers.models import Register
from rules.core.violations import RuleViolation
from rules.post_battle.dialogue import Context
from tests.campaign.battles.amending import balanced, planned
from tests.registers.factories import make_player
from tests.thoroughness import examples


def all_states() -> dict[Any, Any]:
    return {register.pk: projection.state_of(register) for register in Register.objects.all()}


def report_of(battle: Battle, random: Random, *, other: bool) -> BattleReport:
    """The report as it stands, or with one more or one less defeated unit on each side."""
    facts = {}
    for side in battle.sides.all():
        report = Facts(**side.report)
        if other and side.register:
            unit = random.choice(list(side.army["fielded"]))
            if unit in report.defeated:
                report.defeated.remove(unit)
            elif unit not in report.marked:
                report.defeated.append(unit)
                report.contesting[:] = [key for key in report.contesting if key != unit]
        facts[side.colour] = report
    points = {side.colour: side.victory_points for side in battle.sides.all()}
    return BattleReport(
        winner=battle.winner, facts=facts, victory_points=points, mission=battle.mission, notes=battle.notes
    )


def settle(actor: Any, amendment: Amendment, random: Random, supply: Supply) -> ReplayConflict | None:
    """Decide whatever is asked at random, and leave out what can be; where it still stops."""
    for _ in range(60):
        halt = planned(amendment).halt
        if halt is None:
            return None
        amendment.refresh_from_db()
        seen = {
            "actor": actor, "amendment_id": amendment.pk, "seen": len(amendment.decisions), "halt_digest": halt.digest,
        }  # fmt: skip
        if ways_out(halt):
            amendments.leave_out(**seen)
        elif halt.question:
            given = answer(halt.question, Context(halt.book, halt.state), random, supply)
            try:
                amendments.decide(**seen, answer=given, source=PLAYER)
            except RuleViolation:
                continue
        else:
            return halt
    return planned(amendment).halt


@pytest.mark.parametrize("seed", [3, pytest.param(8, marks=pytest.mark.nightly)])
def test_the_books_balance_whatever_is_revised(book, seed):
    play(battles=examples(gate=2, nightly=4), seed=seed)
    random, supply = Random(seed), Supply(rulebook())
    actor = make_player("organizer")
    Membership.objects.create(campaign=Campaign.objects.get(), user=actor, role="organizer")
    applied = 0
    for battle in Battle.objects.order_by("number"):
        before = all_states()
        same = {"actor": actor, "battle_id": battle.pk, "reason": "Seen again."}
        amendment = amendments.open_amendment(**same, what="report", report=report_of(battle, random, other=False))
        plan = planned(amendment)
        assert (plan.halt, plan.empty) == (None, True)
        amendments.drop(actor=actor, amendment_id=amendment.pk)
        try:
            amendment = amendments.open_amendment(**same, what="report", report=report_of(battle, random, other=True))
        except RuleViolation:
            continue
        halt = settle(actor, amendment, random, supply)
        assert all_states() == before
        if halt is None:
            plan = planned(amendment)
            amendments.apply(actor=actor, amendment_id=amendment.pk, digest=plan.digest)
            after = {reached.register.pk: reached.after for reached in plan.registers}
            assert all_states() == before | after
            applied += 1
        else:
            amendments.drop(actor=actor, amendment_id=amendment.pk)
            assert all_states() == before
        assert balanced()
    assert applied
    last = Battle.objects.order_by("number").last()
    amendment = amendments.open_amendment(actor=actor, battle_id=last.pk, what="annul", reason="A rehearsal.")
    amendments.apply(actor=actor, amendment_id=amendment.pk, digest=planned(amendment).digest)
    assert balanced()
