"""Corrections of Registers: one entry each, with a reason, that can be undone."""

from dataclasses import replace

import pytest
from django.db import transaction
from django.db.models import Q

from registers import campaign_side, projection
from registers.campaign_side import CampaignSide
from registers.ledger import session
from registers.ledger.verification import differences
from registers.models import EntryType, Register
from registers.services import building
from registers.services.corrections import RulesBroken, correct, redo_correction, undo_correction
from rules.adjustments.corrections import WantedValue
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import CommendationAwarded, CommendationOwed, Corrected, Noted
from tests.registers.ledgers import append, lock

XP = WantedValue("experience", 3, unit="2")


@pytest.fixture(autouse=True)
def everybody_may(monkeypatch):
    """Rooms above say who may correct a Register."""
    monkeypatch.setattr(campaign_side, "campaigns", CampaignSide(managed_by=lambda user: Q(pk__isnull=False)))


def fixed(register: Register, *wishes: WantedValue, **more) -> Register:
    words = {"position": register.position, "reason": "typed wrong", **more}
    correct(actor=register.owner, register_id=register.pk, wishes=wishes, **words)
    return Register.objects.get(pk=register.pk)


def append_award(register: Register) -> None:
    """The Commendation is awarded in a battle that was fought since."""
    owed = CommendationOwed(unit="2", rule="R15")
    award = CommendationAwarded(unit="2", commendation="resilient", rule="R15")
    with transaction.atomic():
        [locked] = lock(register.pk)
        append(actor=None, register=locked, act=EntryType.EDIT, effects=[owed, award])


def balanced(register: Register) -> bool:
    return not list(differences(Register.objects.get(pk=register.pk)))


def test_is_one_entry_with_old_and_new(founded, other):
    wishes = [XP, WantedValue("supply_points", 2), WantedValue("name", "Ashen Patrol")]
    entry = correct(
        actor=other, register_id=founded.pk, position=founded.position, wishes=wishes, reason=" typed wrong "
    )
    assert (entry.act, entry.actor, entry.on_behalf_of, entry.reason, entry.position) == (
        EntryType.CORRECT, other, founded.owner, "typed wrong", founded.position + 1,
    )  # fmt: skip
    assert session.effects_of_entry(entry) == [
        Corrected(unit="2", field="experience", old=0, new=3),
        Corrected(field="supply_points", old=5, new=2),
    ]
    assert balanced(founded)


def test_a_dossier_comes_and_goes(founded):
    new = WantedValue("dossier", {"card": "stormtroopers", "name": "Late", "setbacks": ["downtrodden"]}, unit="new")
    register = fixed(founded, new)
    assert register.dossiers.get(key="4").name == "Late"
    register = fixed(register, WantedValue("dossier", None, unit="4"))
    assert not register.dossiers.filter(key="4").exists()
    assert balanced(founded)


def test_nothing_to_change_writes_nothing(founded):
    assert fixed(founded, WantedValue("supply_points", 5)).position == founded.position


def test_the_same_form_twice_counts_once(founded):
    new = WantedValue("dossier", {"card": "stormtroopers"}, unit="new")
    once, twice = fixed(founded, new), fixed(founded, new)
    assert (once.position, twice.position) == (founded.position + 1,) * 2
    with pytest.raises(RuleViolation, match="changed since"):
        fixed(founded, XP)
    with pytest.raises(RuleViolation, match="changed since"):
        fixed(founded, new, reason="another")


def test_needs_a_reason_of_some_letters(founded):
    for reason in (" ", "x" * 501, "a\0"):
        with pytest.raises(RuleViolation) as caught:
            fixed(founded, XP, reason=reason)
        assert [violation.about for violation in caught.value.violations] == ["reason"]


def test_what_no_row_can_hold_is_refused_whoever_insists(founded):
    with pytest.raises(RuleViolation) as caught:
        fixed(founded, WantedValue("supply_points", -1), WantedValue("experience", 99, unit="2"), override=True)
    assert [(p.rule, p.about) for p in caught.value.violations] == [("R1", "supply_points"), ("R12", "2.experience")]
    assert balanced(founded)


def test_what_the_rules_forbid_is_let_stand_on_purpose(founded):
    wishes = [
        WantedValue("experience", 30, unit="2"),
        WantedValue("veteran_rank", 3, unit="2"),
        WantedValue("name", "Vet", unit="2"),
    ]
    with pytest.raises(RulesBroken) as caught:
        fixed(founded, *wishes)
    assert [(p.rule, p.about) for p in caught.value.violations] == [("R13", "2.experience")]
    entry = fixed(founded, *wishes, override=True).entries.last()
    assert session.effects_of_entry(entry)[-1] == Noted(rule="R13", why="corrected despite the rule")
    assert balanced(founded)


def test_more_assets_than_may_be_held(founded):
    register = fixed(founded, WantedValue("assets", ["medevac"] * 3), override=True)
    assert [asset.asset_id for asset in register.assets.all()] == ["medevac"] * 3
    assert balanced(founded)


def test_nothing_happens_to_one_that_was_discarded(empty):
    register = building.discard(actor=empty.owner, register_id=empty.pk, position=None)
    with pytest.raises(RuleViolation, match="was deleted"):
        fixed(register, WantedValue("supply_points", 1))


class TestUndo:
    def test_the_rows_are_as_before(self, founded):
        before = projection.state_of(founded)
        register = fixed(founded, XP, WantedValue("dossier", None, unit="3"), override=True)
        entry = register.entries.last()
        for _ in range(2):
            undo_correction(actor=founded.owner, register_id=founded.pk, entry_id=entry.pk, reason="it was right")
        assert projection.state_of(Register.objects.get(pk=founded.pk)) == before
        assert [(e.act, e.reason) for e in founded.entries.all()][-2:] == [
            ("correct", "typed wrong"), ("undo", "it was right"),
        ]  # fmt: skip
        assert balanced(founded)

    def test_not_what_a_later_correction_stands_on(self, founded):
        entry = fixed(founded, XP).entries.last()
        fixed(Register.objects.get(pk=founded.pk), WantedValue("experience", 4, unit="2"))
        with pytest.raises(RuleViolation, match="depends on it"):
            undo_correction(actor=founded.owner, register_id=founded.pk, entry_id=entry.pk, reason="no")

    def test_and_back_again(self, founded):
        entry = fixed(founded, XP).entries.last()
        act = {"actor": founded.owner, "register_id": founded.pk, "entry_id": entry.pk, "reason": "no"}
        with pytest.raises(RuleViolation, match="Only an undone correction can be redone"):
            redo_correction(**act)
        undo_correction(**act)
        for _ in range(2):
            redo_correction(**act)
        assert projection.state_of(founded).dossiers["2"].experience == 3
        assert [(e.act, e.place) for e in founded.entries.order_by("position")][-3:] == [
            ("correct", entry.place), ("undo", entry.place), ("correct", entry.place),
        ]  # fmt: skip
        assert balanced(founded)

    def test_what_was_let_stand_stands_again(self, founded):
        """More of an asset than the rule says (R43): what rows hold otherwise is lifted for it again."""
        entry = fixed(founded, WantedValue("assets", ["medevac"] * 3), override=True).entries.last()
        act = {"actor": founded.owner, "register_id": founded.pk, "entry_id": entry.pk, "reason": "no"}
        undo_correction(**act)
        redo_correction(**act)
        assert projection.state_of(founded).assets == ("medevac",) * 3
        assert balanced(founded)

    def test_not_back_to_what_does_not_go_together(self, founded):
        wish = WantedValue("commendations", ["resilient"], unit="2")
        entry = fixed(founded, wish).entries.last()
        act = {"actor": founded.owner, "register_id": founded.pk, "entry_id": entry.pk, "reason": "no"}
        undo_correction(**act)
        append_award(founded)
        with pytest.raises(RuleViolation, match="no longer fit"):
            redo_correction(**act)
        assert balanced(founded)

    def test_only_corrections(self, founded):
        with pytest.raises(RuleViolation, match="Only a correction"):
            undo_correction(
                actor=founded.owner, register_id=founded.pk, entry_id=founded.entries.last().pk, reason="no"
            )


def test_rooms_above_are_asked(founded, monkeypatch):
    asked = []

    def check(changes):
        for register, before, after in changes:
            asked.append((before.supply_points, after.supply_points))
            yield register, Violation("R11", "not now")

    monkeypatch.setattr(campaign_side, "campaigns", replace(campaign_side.campaigns, hindrances=check))
    with pytest.raises(RuleViolation, match="not now"):
        fixed(founded, WantedValue("supply_points", 1))
    assert asked == [(5, 1)]
