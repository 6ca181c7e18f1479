"""The ledger of a Register: append what happened, add it up, take an act back.

Whoever writes holds the lock of the Register, from `lock` to the end of the transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Required, TypedDict, TypeVar, Unpack
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from catalogue.snapshot import rulebook
from config.together import Changes
from registers.chain import Written, as_kept, digest_of
from registers.models import Act, Entry, Register
from rules.effects import Effect, FieldTaken, from_data, to_data
from rules.force import Force, fold
from rules.language import gettext
from rules.refusal import refuse, refuse_any
from rules.rulebook import Rulebook
from rules.terms import Terms

from .grounds import built_upon
from .rows import outline_of, state_of, states_of
from .writing import Change, write_differences

__all__ = [
    "BelowZero",
    "LedgerSession",
    "added",
    "append",
    "book_for",
    "built_upon",
    "effects_of",
    "force_of",
    "forces_of",
    "held",
    "hold",
    "in_stead",
    "lock",
    "lock_all",
    "lock_registers",
    "note",
    "note_anew",
    "note_undone",
    "open_books",
    "outline_of",
    "replay",
    "state_of",
    "states_of",
    "take_all_back",
    "take_back",
    "that_count",
    "write",
    "written",
]

#: An entry, as a row or as its columns.
Kept = TypeVar("Kept", Entry, Written)


class BelowZero(ValueError):
    """More is spent or taken than there is."""


class LedgerSession:
    """A unit of work on locked Registers: their states, their ledgers, and what is staged until `commit` writes it.

    It asks no rule of the game: callers have done that. It lives no longer than the transaction that holds the locks.
    Staging moves `position` and `digest` of a Register on at once; its other columns change with `commit`.
    """

    def __init__(self, registers: Iterable[Register]) -> None:
        """Work on Registers that are locked already, for example along with their battle."""
        self.registers: dict[UUID, Register] = {register.pk: register for register in registers}
        self._written: dict[UUID, Force] | None = None
        self._states: dict[UUID, Force] = {}
        self._entries: dict[UUID, list[Entry]] | None = None
        self._staged: dict[UUID, list[Entry]] = {}

    @classmethod
    def lock(cls, *keys: UUID) -> LedgerSession:
        """Lock the Registers with these primary keys until the transaction ends; `registers` keeps the order given.

        Raises Register.DoesNotExist for an unknown key, and TransactionManagementError outside `atomic`.
        """
        found = {register.pk: register for register in lock_registers(Register.objects.filter(pk__in=keys))}
        if missing := set(keys) - found.keys():
            raise Register.DoesNotExist(f"No Register {missing}")
        return cls(found[key] for key in keys)

    def state(self, register: Register) -> Force:
        """Return the state of a Register, staged entries included. The rows of all Registers are read once."""
        if self._written is None:
            self._written = states_of(self.registers.values())
        return self._states.get(register.pk, self._written[register.pk])

    def entries(self, register: Register) -> list[Entry]:
        """Return the whole ledger of a Register, oldest first, staged entries included.

        The ledgers of all Registers are read once.
        """
        if self._entries is None:
            self._entries = {pk: [] for pk in self.registers}
            for entry in Entry.objects.filter(register__in=self.registers).order_by("register", "position"):
                self._entries[entry.register_id].append(entry)
            for pk, staged in self._staged.items():
                self._entries[pk] += staged
        return list(self._entries[register.pk])

    def staged(self, register: Register) -> list[Entry]:
        """Return the entries of a Register that `commit` is going to write."""
        return list(self._staged.get(register.pk, ()))

    def stage(
        self,
        register: Register,
        *,
        actor: User | None,
        act: str,
        effects: Sequence[Effect],
        battle: str = "",
        step: int | None = None,
        answers: Iterable[Any] = (),
        by_hand: Iterable[int] = (),
        reason: str = "",
        on_behalf_of: User | None = None,
    ) -> Entry:
        """Stage an entry at the next position of a Register, and return it.

        `answers` are those that led to the effects, `by_hand` the places among them that were typed from the table.
        """
        entry = Entry(
            actor=actor,
            acting_for=on_behalf_of,
            act=act,
            battle=battle,
            step=step,
            effects=[to_data(effect) for effect in effects],
            answers=list(answers),
            rolled_by_hand=list(by_hand),
            reason=reason,
        )
        self._stage(register, _numbered(register, [entry]), fold(effects, self.state(register)))
        return entry

    def stage_undo(
        self,
        register: Register,
        entries: Sequence[Entry],
        *,
        actor: User | None,
        reason: str = "",
        on_behalf_of: User | None = None,
    ) -> list[Entry]:
        """Stage the undo of entries of a Register, in this order. Returns the undo of each.

        An entry that is undone already stays so; the entry that undid it is returned. Refuses an undo, the opening
        entry, and whatever later entries have built upon: a unit that joined, points that were spent, a slot that
        was filled, the Paragon or the Faction of those who came after.
        """
        everything = self.entries(register)
        undos = {entry.undoes_id: entry for entry in everything if entry.undoes_id}
        new: list[Entry] = []
        for entry in entries:
            if entry.pk in undos:
                continue
            if entry.act in (Act.UNDO, Act.OPEN):
                raise refuse("", gettext("This cannot be taken back."))
            undos[entry.pk] = Entry(
                actor=actor, acting_for=on_behalf_of, act=Act.UNDO, battle=entry.battle, step=entry.step,
                reason=reason, undoes=entry,
            )  # fmt: skip
            new.append(undos[entry.pk])
        if new:
            numbered = _numbered(register, new)
            after = _rest_of([*everything, *numbered])
            refuse_any(built_upon(book_for(register), self.state(register), after))
            self._stage(register, numbered, after)
        return [undos[entry.pk] for entry in entries]

    def stage_replacements(self, register: Register, entries: Sequence[Entry]) -> None:
        """Stage entries that take the places of others in the ledger of a Register (`Entry.undoes`).

        They come in the order in which they shall stand in the ledger, and say everything but their Register,
        position and digest; `place` too where they take nobody's place. Refuses a sum that makes no sense.
        """
        new = _numbered(register, entries)
        self._stage(register, new, _rest_of([*self.entries(register), *new]))

    def commit(self) -> None:
        """Write the staged entries and the rows that follow from them. Commit again for what is staged afterwards."""
        registers = [register for pk, register in self.registers.items() if self._staged.get(pk)]
        if not registers or self._written is None:
            return
        Entry.objects.bulk_create(entry for register in registers for entry in self._staged[register.pk])
        write_differences(
            [
                Change(register, self._written[register.pk], self._states[register.pk])
                for register in registers
            ]
        )
        self._staged.clear()
        self._written |= self._states

    def _stage(self, register: Register, entries: Sequence[Entry], after: Force) -> None:
        self.state(register)  # as the rows have it, before any of it is staged
        _link(register, entries)
        self._states[register.pk] = after
        self._staged.setdefault(register.pk, []).extend(entries)
        if self._entries is not None:
            self._entries[register.pk] += entries


def lock_registers(registers: QuerySet[Register]) -> list[Register]:
    """Lock these Registers until the transaction ends, in primary-key order, and return them with their owners."""
    return list(registers.select_for_update(of=("self",)).select_related("owner").order_by("pk"))


lock_all = lock_registers
#: The same by their old names.
force_of, forces_of = state_of, states_of


def lock(*keys: UUID) -> list[Register]:
    """The Registers with these primary keys and their owners, in the order given, locked until the transaction ends.

    They are locked in primary-key order, whatever the order given, so that two people never wait for each
    other. Raises Register.DoesNotExist for an unknown key, and TransactionManagementError outside `atomic`.
    """
    found = {register.pk: register for register in lock_all(Register.objects.filter(pk__in=keys))}
    if missing := set(keys) - found.keys():
        raise Register.DoesNotExist(f"No Register {missing}")
    return [found[key] for key in keys]


def held(register: Register) -> Force:
    """The Force of a locked Register: its rows are read once, and every act appended keeps it up to date.

    Nobody else writes them while the lock is held, so a walk of several steps need not ask the database again;
    the position says of which state of the rows this is.
    """
    if register.held is None or register.held[0] != register.position:
        register.held = register.position, state_of(register)
    return register.held[1]


def hold(registers: Collection[Register]) -> None:
    """Read the Forces of Registers at once, for `held` to give."""
    forces = states_of(registers)
    for register in registers:
        register.held = register.position, forces[register.pk]


def written(register: Register) -> list[Entry]:
    """The whole ledger of a Register, with what was noted: read once, as `held` is."""
    if register.written is None or register.written[0] != register.position:
        open_books([register])
    return register.written[1] if register.written else []


def open_books(registers: Collection[Register]) -> None:
    """Read the ledgers of Registers at once, for `written` to give."""
    ledgers: dict[UUID, list[Entry]] = {register.pk: [] for register in registers}
    for entry in Entry.objects.filter(register__in=ledgers).order_by("register", "position"):
        ledgers[entry.register_id].append(entry)
    for register in registers:
        noted = register.noted[1] if register.noted else []
        register.written = register.position, ledgers[register.pk] + noted


def in_stead(actor: User, register: Register) -> User | None:
    """The person in whose stead somebody acts on a Register: its owner, unless they are the owner."""
    return None if register.owner_id == actor.pk else register.owner


def book_for(register: Register, terms: Terms | None = None) -> Rulebook:
    """The catalogue as this Register plays it: by the terms of its campaign, or by others that are given.

    Its Story Arcs are the printed ones and those that were taken in.
    """
    book: Rulebook = rulebook().under(terms or register.terms, frozenset(register.arcs_taken_in))
    return book


class Happening(TypedDict, total=False):
    """What an entry of a locked Register says. `answers` are those that led to the effects, `by_hand` the places among
    them that were typed from the table.
    """

    actor: Required[User | None]
    register: Required[Register]
    act: Required[str]
    effects: Required[Sequence[Effect]]
    battle: str
    step: int | None
    answers: Iterable[Any]
    by_hand: Iterable[int]
    reason: str
    acting_for: User | None


def append(**happening: Unpack[Happening]) -> Entry:
    """Let effects happen to a locked Register: an entry at the next position, and the rows that follow.

    The Register itself is brought up to date. Checks no rule: whoever appends has asked them.
    """
    entry = note(**happening)
    write(entry.register)
    return entry


def note(**happening: Unpack[Happening]) -> Entry:
    """The same, but entry and rows are not written before `write`: several acts that follow one from the other cost
    no more than one. `held` knows of them at once.
    """
    register, effects = happening["register"], happening["effects"]
    entry = Entry(
        actor=happening["actor"],
        acting_for=happening.get("acting_for"),
        act=happening["act"],
        battle=happening.get("battle", ""),
        step=happening.get("step"),
        effects=[to_data(effect) for effect in effects],
        answers=list(happening.get("answers", ())),
        rolled_by_hand=list(happening.get("by_hand", ())),
        reason=happening.get("reason", ""),
    )
    _note(register, _numbered(register, [entry]), fold(effects, held(register)))
    return entry


def write(
    *registers: Register, together: Changes | None = None, then: Callable[[str], None] | None = None
) -> None:
    """Write what was noted of locked Registers at once: all entries, the rows that follow from all of them, and the
    changes that stand in `together`. `then` may add to those what needs the keys of the entries: it is told what the
    statement calls them.
    """
    together = Changes() if together is None else together
    entries: list[Entry] = []
    changes: list[Change] = []
    for register in registers:
        if register.noted:
            before, noted = register.noted
            register.noted = None
            entries += noted
            changes.append(Change(register, before, held(register)))
    if entries:
        called = together.insert(*entries)
        if then:
            then(called)
    together.write()
    if changes:
        write_differences(changes)


def note_anew(*, register: Register, entries: Sequence[Entry]) -> None:
    """Note entries that take the places of others in a locked Register (`Entry.undoes`), to be written at once.

    They are new, in the order in which they shall stand in the ledger, and say everything but their Register,
    position and digest; `place` too where they stand in nobody's. The rows become the sum with `write`.
    Refuses a sum that makes no sense, but asks no rule: whoever rewrites has done that.
    """
    new = _numbered(register, entries)
    _note(register, new, _rest_of([*written(register), *new]))


def replay(entries: Iterable[Kept]) -> Force:
    """The sum of a whole ledger, each entry in its place; what was taken back does not count."""
    return fold(effect for entry in that_count(entries) for effect in effects_of(entry))


def that_count(entries: Iterable[Kept]) -> list[Kept]:
    """The entries of a whole ledger that count, each in its place in the sum; an undo stands in none."""
    everything = list(entries)
    undone = {entry.undoes_id for entry in everything if entry.undoes_id}
    left = (entry for entry in everything if entry.pk not in undone and entry.act != Act.UNDO)
    return sorted(left, key=lambda entry: (entry.place, entry.position))


def added(effects: Iterable[Effect], force: Force) -> Force:
    """The Force after these effects. Raises KeyError or ValueError where they make no sense: what they speak of is not
    there, or more of it is taken than there is (BelowZero)."""
    force = fold(effects, force)
    numbers = [force.supply_points, force.combat_potential, force.reputation, force.command_cards_owed]
    for dossier in force.dossiers.values():
        numbers += [dossier.owed, dossier.experience]
    if min(numbers) < 0:
        raise BelowZero(min(numbers))
    return force


def effects_of(entry: Entry | Written) -> list[Effect]:
    """The effects that an entry keeps."""
    return [from_data(data) for data in entry.effects]


def take_back(
    *, actor: User | None, register: Register, entry: Entry, reason: str = "", acting_for: User | None = None
) -> Entry:
    """Undo an entry of a locked Register, as `take_all_back` does; its undo is returned."""
    [undo] = take_all_back(
        actor=actor, register=register, entries=[entry], reason=reason, acting_for=acting_for
    )
    return undo


def take_all_back(
    *,
    actor: User | None,
    register: Register,
    entries: Sequence[Entry],
    reason: str = "",
    acting_for: User | None = None,
) -> list[Entry]:
    """Undo entries of a locked Register, in this order: a new entry names each, and the rows become the sum of the
    others. Returns and refuses as `note_undone`.
    """
    undos = note_undone(actor=actor, register=register, entries=entries, reason=reason, acting_for=acting_for)
    write(register)
    return undos


def note_undone(
    *, actor: User | None, register: Register, entries: Sequence[Entry], reason: str, acting_for: User | None
) -> list[Entry]:
    """The same, to be written with others (`write`).

    One that was taken back already changes nothing; the undos of all are returned. Refuses an undo, the opening
    entry, and whatever later entries have built upon: a unit that joined, points that were spent, a slot that
    was filled, the Paragon or the Faction of those who came after.
    """
    undos = {entry.undoes_id: entry for entry in written(register) if entry.undoes_id}
    new = []
    for entry in entries:
        if entry.pk in undos:
            continue
        if entry.act in (Act.UNDO, Act.OPEN):
            raise refuse("", gettext("This cannot be taken back."))
        undos[entry.pk] = Entry(
            actor=actor, acting_for=acting_for, act=Act.UNDO, battle=entry.battle, step=entry.step, reason=reason,
            undoes=entry,
        )  # fmt: skip
        new.append(undos[entry.pk])
    if new:
        numbered = _numbered(register, new)
        after = _rest_of([*written(register), *numbered])
        refuse_any(built_upon(book_for(register), held(register), after))
        _note(register, numbered, after)
    return [undos[entry.pk] for entry in entries]


def _numbered(register: Register, entries: Sequence[Entry]) -> Sequence[Entry]:
    """New entries at the next positions of a Register, each in its place of the sum."""
    for position, entry in enumerate(entries, register.position + 1):
        entry.register, entry.position = register, position
        entry.place = entry.undoes.place if entry.undoes else entry.place or position
    return entries


def _note(register: Register, entries: Sequence[Entry], after: Force) -> None:
    """Keep numbered entries, each with its link of the chain, until they are written; the Force is `after` then."""
    before, noted = register.noted or (held(register), [])
    known = register.written if register.written and register.written[0] == register.position else None
    _link(register, entries)
    register.noted = before, [*noted, *entries]
    register.held = register.position, after
    register.written = (register.position, [*known[1], *entries]) if known else None


def _link(register: Register, entries: Sequence[Entry]) -> None:
    """Give numbered entries, which happen at once, their links of the chain."""
    now = timezone.now()
    for entry in entries:
        entry.created_at = now
        as_kept(entry)
        entry.digest = digest_of(entry, register.digest, entry.undoes.position if entry.undoes else None)
        register.position, register.digest = entry.position, entry.digest


def _rest_of(entries: Iterable[Entry]) -> Force:
    """The sum of a whole ledger, refused as soon as it makes no sense: a later act needs what is taken back."""
    force = Force()
    for entry in that_count(entries):
        effects = effects_of(entry)
        takes_the_field = any(isinstance(effect, FieldTaken) for effect in effects)
        if (force.in_field and takes_the_field) or (entry.step is not None and not force.in_field):
            raise _needed(entry)
        try:
            force = added(effects, force)
        except (KeyError, ValueError):
            raise _needed(entry) from None
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
