"""Building a Register: acts in any order and repeatedly, until it is commissioned (R10).

`position` is the ledger position that the player saw, or None if that does not matter.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from catalogue.snapshot import rulebook
from registers.ledger.session import (
    Decide,
    LedgerSession,
    check_may_edit,
    counting_entries,
    effects_of_entry,
    on_behalf_of,
    record_entry,
    rulebook_for,
)
from registers.models import EntryType, LedgerEntry, Register
from registers.starters import starter_effects
from rules.core.campaign_rules import STANDARD_RULES, CampaignRules
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, raise_if_any, refuse
from rules.post_battle.aid_requests import CHOOSE_AID, aid_request, ask
from rules.post_battle.dialogue import Context, Progress, run
from rules.register import building as rules
from rules.register.effects import Effect, FactionChosen, UnitAdded, UpgradeAdded, to_data
from rules.register.state import RegisterState


def open_register(
    *,
    actor: User,
    owner: User,
    faction: str = "",
    campaign_rules: CampaignRules = STANDARD_RULES,
    register_id: UUID | None = None,
) -> Register:
    """Open a Register of `owner` by these campaign rules, with or without a Faction (R1, R3).

    A form sent twice has the same `register_id`. Refuses a Faction that the campaign rules do not allow (R3).
    """
    with transaction.atomic():
        session, register, _ = opened(
            actor=actor, owner=owner, faction=faction, campaign_rules=campaign_rules, register_id=register_id
        )
        session.commit()
    return register


def opened(
    *, actor: User, owner: User, faction: str, campaign_rules: CampaignRules, register_id: UUID | None
) -> tuple[LedgerSession, Register, bool]:
    """Open a Register without committing; returns the session that locks it, the Register, and whether it is new."""
    effects = rules.open_register(
        combat_potential=campaign_rules.combat_potential, supply_points=campaign_rules.supply_points
    )
    if faction:
        effects += rules.choose_faction(rulebook().under(campaign_rules), RegisterState(), faction)
    register, new = (
        Register.objects.select_for_update(of=("self",))
        .select_related("owner")
        .get_or_create(pk=register_id or uuid4(), defaults={"owner": owner, "campaign_rules": campaign_rules})
    )
    if register.owner != owner:
        raise refuse("", gettext("This Register belongs to another player. Start again with New Register."))
    session = LedgerSession([register])
    if new:
        session.stage(register, actor=actor, act=EntryType.OPEN, effects=effects)
    return session, register, new


def add_unit(
    *, actor: User, register_id: UUID, position: int | None, card: str, upgrades: Sequence[str] = (), name: str = ""
) -> Register:
    """Add a unit with the upgrades it joins with.

    Refuses what `rules.register.building.add_unit` refuses (R2 to R8).
    """
    decide = partial(rules.add_unit, card_slug=card, upgrades=upgrades, name=name)
    return record_entry(actor=actor, register_id=register_id, position=position, word=EntryType.UNIT, decide=decide)


def add_starter(*, actor: User, register_id: UUID, position: int | None) -> Register:
    """Add the units of the ready-made starter of the Register's Faction, each as an entry of its own (R10).

    Refuses a Register that has units already, and one whose Faction or campaign rules allow no starter.
    """
    with transaction.atomic():
        session, register, is_current = _session(actor, register_id, position)
        if is_current:
            if not (units := starter_effects(rulebook_for(register), session.state(register))):
                raise refuse("R10", gettext("There is no starter for this Register. Add your own units."))
            for effects in units:
                session.stage(register, actor=actor, act=EntryType.UNIT, effects=effects)
            session.commit()
    return register


def change_unit(
    *, actor: User, register_id: UUID, position: int | None, unit: str, upgrades: Sequence[str], name: str
) -> Register:
    """Change the name of a unit, and the upgrades it joined with, until the Register is commissioned (R7, R10).

    Refuses what `add_unit` refuses, and to change the upgrades of an imported unit.
    """
    with transaction.atomic():
        session, register, is_current = _session(actor, register_id, position)
        if not is_current:
            return register
        book, before = rulebook_for(register), session.state(register)
        about = _entries_of_unit(session, register, unit)
        joined = next((entry for entry in about if entry.act == EntryType.UNIT), None)
        if joined is None:
            raise refuse("R7", gettext("This unit was imported. Remove it and add it again to change its upgrades."))
        card = rules.the_dossier(before, unit).card
        without = rules.without_unit(before, unit)
        # Where a points update has put the Register above its Combat Potential, changes may not raise it further (R2).
        allowed = max(before.combat_potential, rules.combat_potential_spent(book, before))
        without = replace(without, combat_potential=allowed)
        if any(isinstance(effect, FactionChosen) for effect in effects_of_entry(joined)):
            without = replace(without, faction="")
        effects = rules.add_unit(book, without, card, upgrades=upgrades, name=name)
        renamings = [entry for entry in about if entry.act == EntryType.EDIT]
        session.stage_undo(register, renamings, actor=actor)
        change = LedgerEntry(
            actor=actor, on_behalf_of=on_behalf_of(actor, register), act=EntryType.UNIT, undoes=joined,
            effects=[to_data(effect) for effect in effects],
        )  # fmt: skip
        session.stage_replacements(register, [change])
        raise_if_any(rules.changed_unit_violations(book, before, session.state(register), unit))
        session.commit()
    return register


def remove_unit(*, actor: User, register_id: UUID, position: int | None, unit: str) -> Register:
    """Undo that a unit joined, with its names and Aid Requests, until the Register is commissioned (R10).

    Refuses to remove the Paragon before other commanders (R6), and the unit that decided the Faction before the others.
    """
    with transaction.atomic():
        session, register, is_current = _session(actor, register_id, position)
        if is_current:
            rules.the_dossier(session.state(register), unit)
            about = _entries_of_unit(session, register, unit)
            session.stage_undo(register, about, actor=actor)
            session.commit()
    return register


def upgrades_joined_with(register: Register, unit: str) -> list[str] | None:
    """Return the upgrades with which a unit joined a Register being built; None for an imported unit."""
    entries = register.entries.filter(act=EntryType.UNIT, undone_by__isnull=True)
    for entry in entries:
        effects = effects_of_entry(entry)
        if any(isinstance(effect, UnitAdded) and effect.unit == unit for effect in effects):
            return [effect.upgrade for effect in effects if isinstance(effect, UpgradeAdded)]
    return None


def _session(actor: User, register_id: UUID, position: int | None) -> tuple[LedgerSession, Register, bool]:
    """Lock a Register being built; return whether the player saw its present position. Refuses a commissioned one."""
    session = LedgerSession.lock(register_id)
    register = session.registers[register_id]
    check_may_edit(actor, register)
    if is_current := position in (None, register.position):
        _check_not_commissioned(register.commissioned)
        rules.check_in_barracks(session.state(register))
    return session, register, is_current


def _entries_of_unit(session: LedgerSession, register: Register, unit: str) -> list[LedgerEntry]:
    """Return the entries that count and have an effect on a unit."""
    return [
        entry
        for entry in counting_entries(session.entries(register))
        if any(getattr(effect, "unit", "") == unit for effect in effects_of_entry(entry))
    ]


def request_aid(*, actor: User, register_id: UUID, position: int | None, answers: Sequence[Any]) -> Register:
    """Make one Aid Request. `answers` are the request and then the answers to its questions (R10, R41 to R46).

    Refuses a commissioned Register, a request that breaks a rule, and one with a question still open.
    """

    @_while_building
    def decide(book: Rulebook, state: RegisterState) -> Sequence[Effect]:
        progress = aid_progress(book, state, answers)
        if progress.question:
            raise refuse(progress.question.rule, progress.question.text, progress.question.about)
        return progress.effects

    return record_entry(
        actor=actor, register_id=register_id, position=position, word=EntryType.AID, decide=decide, answers=answers
    )


def aid_progress(book: Rulebook, state: RegisterState, answers: Sequence[Any]) -> Progress:
    """Return the progress of an Aid Request after these answers, the request first. Refuses as `request_aid`."""
    context = Context(book, state)
    wish = ask(context).check(answers[0] if answers else {})
    if wish is None:
        raise RuleViolation([CHOOSE_AID("request")])
    return run(context, aid_request(context, wish), answers[1:])


def choose_story_arc(*, actor: User, register_id: UUID, position: int | None, story_arc: str) -> Register:
    """Choose the Story Arc. Refuses one that is not in the campaign, and a commissioned Register (R10, R49)."""
    decide = _while_building(lambda book, state: rules.begin_story_arc(book, story_arc))
    return record_entry(actor=actor, register_id=register_id, position=position, word=EntryType.ARC, decide=decide)


def name_register(*, actor: User, register_id: UUID, position: int | None, name: str) -> Register:
    """Name the Register, or rename it later (R10, R11). Refuses an empty or overlong name."""
    return record_entry(
        actor=actor, register_id=register_id, position=position, word=EntryType.NAME,
        decide=lambda book, state: rules.name_register(name),
    )  # fmt: skip


def commission(*, actor: User, register_id: UUID, position: int | None, name: str | None = None) -> Register:
    """Commission the Register, with a `name` or its own. Refuses an incomplete one (R3, R4, R10) and a long name."""

    @_while_building
    def decide(book: Rulebook, state: RegisterState) -> Sequence[Effect]:
        if name is None or name.strip() == state.name:
            return rules.commission(book, state)
        commissioned = rules.commission(book, replace(state, name=name.strip()))
        return [*rules.name_register(name), *commissioned]

    return record_entry(
        actor=actor, register_id=register_id, position=position, word=EntryType.COMMISSION, decide=decide
    )


def discard(*, actor: User, register_id: UUID, position: int | None) -> Register:
    """Discard a Register while building: it leaves all lists, its ledger stays. Refuses a commissioned one (R10)."""
    with transaction.atomic():
        register = LedgerSession.lock(register_id).registers[register_id]
        if register.discarded:
            return register
        return record_entry(
            actor=actor, register_id=register_id, position=position, word=EntryType.DISCARD,
            decide=lambda book, state: rules.discard(state),
        )  # fmt: skip


def restore(*, actor: User, register_id: UUID) -> Register:
    """Undo that a draft was discarded. Doing it again changes nothing. Refuses users who may not change it."""
    with transaction.atomic():
        session = LedgerSession.lock(register_id)
        register = session.registers[register_id]
        check_may_edit(actor, register)
        if register.discarded:
            entries = [each for each in session.entries(register) if each.act == EntryType.DISCARD]
            session.stage_undo(register, entries[-1:], actor=actor)
            session.commit()
    return register


def undo_edit(*, actor: User, register_id: UUID, position: int | None, entry: int) -> Register:
    """Undo a unit, an import or an Aid Request by its position, before the Register is commissioned (R10)."""
    with transaction.atomic():
        session, register, is_current = _session(actor, register_id, position)
        if not is_current:
            return register
        taken = [
            each
            for each in session.entries(register)
            if each.position == entry and each.act in (EntryType.UNIT, EntryType.TAKE_OVER, EntryType.AID)
        ]
        if not taken:
            raise refuse("R10", gettext("This was undone already, or it cannot be undone."))
        session.stage_undo(register, taken, actor=actor)
        session.commit()
    return register


def _while_building(decide: Decide) -> Decide:
    """Return the decision, with a check that the Register is not commissioned yet (R10)."""

    def checked(book: Rulebook, state: RegisterState) -> Sequence[Effect]:
        _check_not_commissioned(state.commissioned)
        return decide(book, state)

    return checked


def _check_not_commissioned(commissioned: bool) -> None:
    if commissioned:
        raise refuse("R10", gettext("The Register is complete. Use Edit Register to change it."))
