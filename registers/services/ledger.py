"""The ledger of a Register: append what happened, add it up, take an act back.

Whoever writes holds the lock of the Register, from `lock` to the end of the transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from accounts.models import User
from catalogue.snapshot import rulebook
from registers.models import Act, Entry, Register
from rules.building import combat_potential_left
from rules.cards import MERCENARY
from rules.effects import Effect, FieldTaken, from_data, to_data
from rules.equipment import all_slots, bearer, fits
from rules.force import Dossier, Force, fold
from rules.language import gettext, ngettext
from rules.post_battle.aid_requests import held_at_most
from rules.refusal import Problem, refuse, refuse_any
from rules.rulebook import Rulebook
from rules.terms import Terms
from rules.wording import unit_label

from .rows import force_of, forces_of, write_difference

__all__ = [
    "append",
    "book_for",
    "effects_of",
    "force_of",
    "forces_of",
    "held",
    "in_stead",
    "lock",
    "replay",
    "take_back",
]


def lock(*keys: UUID) -> list[Register]:
    """The Registers with these primary keys and their owners, in the order given, locked until the transaction ends.

    They are locked in primary-key order, whatever the order given, so that two people never wait for each
    other. Raises Register.DoesNotExist for an unknown key, and TransactionManagementError outside `atomic`.
    """
    rows = Register.objects.select_for_update(of=("self",)).select_related("owner")
    found = {register.pk: register for register in rows.filter(pk__in=keys).order_by("pk")}
    if missing := set(keys) - found.keys():
        raise Register.DoesNotExist(f"No Register {missing}")
    return [found[key] for key in keys]


def held(register: Register) -> Force:
    """The Force of a locked Register: its rows are read once, and every act appended keeps it up to date.

    Nobody else writes them while the lock is held, so a walk of several steps need not ask the database again;
    the position says of which state of the rows this is.
    """
    if register.held is None or register.held[0] != register.position:
        register.held = register.position, force_of(register)
    return register.held[1]


def in_stead(actor: User, register: Register) -> User | None:
    """The person in whose stead somebody acts on a Register: its owner, unless they are the owner."""
    return None if register.owner_id == actor.pk else register.owner


def book_for(register: Register, terms: Terms | None = None) -> Rulebook:
    """The catalogue as this Register plays it: by the terms of its campaign, or by others that are given.

    Its Story Arcs are the printed ones and those that were taken in.
    """
    book: Rulebook = rulebook().under(terms or register.terms, frozenset(register.arcs_taken_in))
    return book


def append(
    *,
    actor: User | None,
    register: Register,
    act: str,
    effects: Sequence[Effect],
    battle: str = "",
    step: int | None = None,
    answers: Iterable[Any] = (),
    by_hand: Iterable[int] = (),
    reason: str = "",
    acting_for: User | None = None,
) -> Entry:
    """Let `effects` happen to a locked Register: an entry at the next position, and the rows that follow.

    `answers` are those that led to the effects, `by_hand` the places among them that were typed from the
    table. `register` itself is brought up to date. Checks no rule: whoever appends has asked them.
    """
    before = held(register)
    return _write(
        Entry(
            actor=actor,
            acting_for=acting_for,
            register=register,
            act=act,
            battle=battle,
            step=step,
            effects=[to_data(effect) for effect in effects],
            answers=list(answers),
            rolled_by_hand=list(by_hand),
            reason=reason,
        ),
        before,
        fold(effects, before),
    )


def replay(entries: Iterable[Entry]) -> Force:
    """The sum of a whole ledger, oldest entry first; what was taken back does not count."""
    return fold(effect for entry in _that_count(entries) for effect in effects_of(entry))


def effects_of(entry: Entry) -> list[Effect]:
    """The effects that an entry keeps."""
    return [from_data(data) for data in entry.effects]


def take_back(
    *, actor: User | None, register: Register, entry: Entry, reason: str = "", acting_for: User | None = None
) -> Entry:
    """Undo an entry of a locked Register: a new entry names it, and the rows become the sum of the others.

    An entry that was taken back already changes nothing; its undo is returned. Refuses an undo, the opening
    entry, and whatever later entries have built upon: a unit that joined, points that were spent, a slot that
    was filled, the Paragon or the Faction of those who came after.
    """
    if undone := Entry.objects.filter(undoes=entry).first():
        return undone
    if entry.act in (Act.UNDO, Act.OPEN):
        raise refuse("", gettext("This cannot be taken back."))
    before = held(register)
    own = Entry.objects.filter(register=register).order_by("position")
    rest = [other for other in own if other.pk != entry.pk]
    after = _rest_of(rest)
    refuse_any(_built_upon(book_for(register), before, after))
    return _write(
        Entry(
            actor=actor,
            acting_for=acting_for,
            register=register,
            act=Act.UNDO,
            battle=entry.battle,
            step=entry.step,
            reason=reason,
            undoes=entry,
        ),
        before,
        after,
    )


def _write(entry: Entry, before: Force, after: Force) -> Entry:
    register = entry.register
    register.position += 1
    entry.position = register.position
    entry.save(force_insert=True)
    write_difference(register, before, after)
    register.held = register.position, after
    return entry


def _that_count(entries: Iterable[Entry]) -> Iterator[Entry]:
    everything = list(entries)
    undone = {entry.undoes_id for entry in everything}
    return (entry for entry in everything if entry.pk not in undone)


def _rest_of(entries: Collection[Entry]) -> Force:
    """The sum of what is left, refused as soon as it makes no sense: a later act needs what is taken back."""
    force = Force()
    for entry in _that_count(entries):
        effects = effects_of(entry)
        takes_the_field = any(isinstance(effect, FieldTaken) for effect in effects)
        if (force.in_field and takes_the_field) or (entry.step is not None and not force.in_field):
            raise _needed(entry)
        try:
            force = fold(effects, force)
        except (KeyError, ValueError):
            raise _needed(entry) from None
        owed = [dossier.owed for dossier in force.dossiers.values()]
        if min(force.supply_points, force.combat_potential, force.command_cards_owed, *owed) < 0:
            raise _needed(entry)
    return force


def _needed(entry: Entry) -> Exception:
    return refuse(
        "",
        gettext(
            "This cannot be taken back: entry {position} ({act}) builds on it.",
            position=entry.position,
            act=entry.get_act_display(),
        ),
    )


def _built_upon(book: Rulebook, before: Force, after: Force) -> Iterator[Problem]:
    """What stands without the ground it was built on, though every entry by itself could happen.

    What was wrong before, say by a newer catalogue, is no hindrance.
    """
    yield from _homeless(book, after)
    left = combat_potential_left(book, after)
    if left < 0 and left < combat_potential_left(book, before):
        yield Problem(
            "R2",
            ngettext(
                "Without it the Register would be {number} point above its Combat Potential.",
                "Without it the Register would be {number} points above its Combat Potential.",
                -left,
            ),
        )
    if after.commissioned and not (after.paragon and after.faction and after.name and after.story_arc):
        yield Problem("R10", gettext("A commissioned Register needs it."))
    for slug in sorted(set(after.assets)):
        if after.assets.count(slug) > max(held_at_most(book, book.assets[slug]), before.assets.count(slug)):
            yield Problem(
                "R43", gettext("{asset} has been requested again since.", asset=book.assets[slug].name), slug
            )
    for key, dossier in after.dossiers.items():
        was = before.dossiers.get(key) or before.fallen.get(key) or before.reassigned[key]
        yield from _broken(book, after, was, dossier)


def _homeless(book: Rulebook, force: Force) -> Iterator[Problem]:
    cards = [book.units[dossier.card] for dossier in force.dossiers.values() if not dossier.faction]
    if not force.paragon and any(card.rank == "commander" for card in cards):
        yield Problem(
            "R6", gettext("The Paragon can be taken back only when no other commander has joined since.")
        )
    if not force.faction and any(card.faction != MERCENARY for card in cards):
        yield Problem(
            "R3", gettext("This unit settled the Faction of those who joined since: take them back first.")
        )


def _broken(book: Rulebook, force: Force, was: Dossier, now: Dossier) -> Iterator[Problem]:
    name = unit_label(book, force, now.key)
    for slug in sorted(set(now.setbacks)):
        single = book.setbacks[slug].second != "stacks"
        if single and now.setbacks.count(slug) > max(1, was.setbacks.count(slug)):
            yield Problem(
                "R36",
                gettext(
                    "{name} has gained {setback} again since.", name=name, setback=book.setbacks[slug].name
                ),
                now.key,
            )
    slots = all_slots(bearer(book, force, now))
    fitting = fits(slots, [book.upgrades[slug] for slug in now.upgrades])
    if was.commendations != now.commendations and not fitting:
        yield Problem("R8", gettext("{name} has filled its slot.", name=name), now.key)
