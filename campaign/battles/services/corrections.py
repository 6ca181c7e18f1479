"""Check that a correction of a Register fits the battles it fights or has fought."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import groupby, permutations
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext

from campaign.battles.models import Battle, Side
from campaign.battles.report_data import book_of, report_of
from campaign.battles.services.locks import lock_battles
from campaign.battles.services.sequence import advance_sides, fits
from campaign.battles.state_machine import FOUGHT
from registers.ledger.session import rulebook_for
from registers.models import LedgerEntry, Register
from registers.projection import StateChange
from rules.core.violations import Violation
from rules.post_battle.dialogue import Context
from rules.post_battle.steps import EDITING
from rules.register.labels import unit_label
from rules.register.state import RegisterState, everyone


def hindrances(changes: Sequence[StateChange]) -> Iterator[tuple[Register, Violation]]:
    """Yield the violations that corrected Registers, which are locked, would cause in their battles."""
    by_key = {change.register.pk: change for change in changes}
    battles = Side.objects.filter(register__in=by_key).values("battle")
    sides = Side.objects.filter(battle__in=battles).select_related("battle", "register")
    for _battle, both in groupby(sides.order_by("battle_id", "colour"), attrgetter("battle_id")):
        for side, other in permutations(both):
            if side.register_id and (change := by_key.get(side.register_id)):
                for violation in _hindrances(change, side, other):
                    yield change.register, violation


def _hindrances(change: StateChange, side: Side, other: Side) -> Iterator[Violation]:
    """Yield the violations of one change, as seen from a side of a battle.

    A unit of an army cannot be struck, because the battle's history names it (R19). A battle in play keeps its army
    (R19), and the answers of a running step must stay valid (R11).
    """
    register, before, after = change
    gone = everyone(before).keys() - everyone(after).keys()
    left = before.dossiers.keys() - after.dossiers.keys()
    fielded = side.army.get("fielded", {})
    fights = side.open and side.battle.status in FOUGHT
    for key in sorted(fielded.keys() & (left if fights else gone)):
        name = unit_label(rulebook_for(register), before, key)
        text = gettext("%(unit)s is in the army of %(battle)s.") % {"unit": name, "battle": side.battle}
        yield Violation("R19", text, f"{key}.place")
    in_sequence = side.open and side.battle.status == Battle.Status.SEQUENCE
    if fights or (in_sequence and side.step <= EDITING):  # assets leave in step 8 (R47)
        yield from _taken_from(side, before, after)
    if in_sequence and _runs(side, other, before) and not _runs(side, other, after):
        text = gettext(
            "Step %(step)s of the sequence is not finished, and its answers would no longer fit. "
            "Finish the step, or undo its answers first."
        ) % {"step": side.step}
        yield Violation("R11", text)


def _taken_from(side: Side, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    """Yield a violation for anything else the army uses that the change takes away: assets in use (R21), and the
    Story Arc of its Agenda or of its Turning Point Mission (R22, R23).
    """
    book = rulebook_for(side.own_register)
    brought = Counter(side.army.get("assets", ()))
    for slug in (brought - Counter(after.assets)) - (brought - Counter(before.assets)):
        text = gettext("%(asset)s is in use in %(battle)s. Finish step %(step)s of its sequence first.") % {
            "asset": book.assets[slug].name,
            "battle": side.battle,
            "step": EDITING,
        }
        yield Violation("R21", text, "assets")
    fights_for_it = side.army.get("agenda") or side.battle.owner == side.colour
    if fights_for_it and after.story_arc != before.story_arc:
        text = gettext("This Story Arc is in use in %(battle)s. Finish step %(step)s of its sequence first.")
        yield Violation("R23", text % {"battle": side.battle, "step": EDITING}, "story_arc")


def reset_open_questions(sender: object, entries: Collection[LedgerEntry], **_signal: Any) -> None:
    """Invalidate open forms in the running sequences of corrected Registers: their questions may have changed.

    If a sequence no longer asks anything, it continues once the correction is committed. It cannot continue earlier:
    that locks the battle first, and the Register is locked already.
    """
    registers = {entry.register_id for entry in entries}
    sides = Side.objects.filter(register__in=registers, open=True, battle__status=Battle.Status.SEQUENCE)
    if battles := set(sides.values_list("battle", flat=True)):
        sides.update(turn=F("turn") + 1)
        transaction.on_commit(partial(_continue, battles))


@transaction.atomic
def _continue(keys: Collection[UUID]) -> None:
    advance_sides(*lock_battles(Q(pk__in=keys)))


def _runs(side: Side, other: Side, state: RegisterState) -> bool:
    book = book_of(side)
    return fits(Context(book, state), report_of(book, side.battle, side, other), side, side.answers)
