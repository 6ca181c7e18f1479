"""Writing ledgers: sessions that stage and commit entries, replay, and limits on undoing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from catalogue.snapshot import rulebook
from registers.access import check_not_frozen, may_correct
from registers.ledger.hash_chain import ChainEntry, digest_of, normalized
from registers.models import EntryType, LedgerEntry, Register
from registers.projection import StateChange, states_of, write_differences
from rules.adjustments.corrections import FOREIGN_PARAGON
from rules.core.campaign_rules import CampaignRules
from rules.core.card_types import MERCENARY
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation, raise_if_any, refuse
from rules.register.building import check_in_barracks, combat_potential_left
from rules.register.effects import Effect, FieldTaken, from_data, to_data
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState, replay
from rules.register.upgrade_slots import all_slots, bearer, fits


def violations_of_later_entries(book: Rulebook, before: RegisterState, after: RegisterState) -> Iterator[Violation]:
    """Yield a violation for everything in `after` that lacks what it depends on, unless it was wrong in `before`."""
    yield from _homeless(book, after)
    left = combat_potential_left(book, after)
    if left < 0 and left < combat_potential_left(book, before):
        yield Violation(
            "R2",
            ngettext(
                "Undoing this would put the Register %(number)s point above its Combat Potential.",
                "Undoing this would put the Register %(number)s points above its Combat Potential.",
                -left,
            )
            % {"number": -left},
        )
    if after.commissioned and not (after.paragon and after.faction and after.name and after.story_arc):
        yield Violation("R10", gettext("A finished Register needs this."))
    elif after.paragon and after.paragon not in after.dossiers:
        yield FOREIGN_PARAGON()
    for slug in sorted(set(after.assets)):
        if after.assets.count(slug) > max(book.held_at_most(book.assets[slug]), before.assets.count(slug)):
            yield Violation(
                "R43",
                gettext("%(asset)s was requested again later. Undo that first.") % {"asset": book.assets[slug].name},
                slug,
            )
    for key, dossier in after.dossiers.items():
        was = {**before.fallen, **before.reassigned, **before.dossiers}.get(key, Dossier(key, dossier.card))
        yield from _broken(book, after, was, dossier)


def _homeless(book: Rulebook, state: RegisterState) -> Iterator[Violation]:
    cards = [book.units[dossier.card] for dossier in state.dossiers.values() if not dossier.faction]
    if not state.paragon and any(card.rank == "commander" for card in cards):
        yield Violation(
            "R6", gettext("The Paragon cannot be undone: another commander has joined since. Undo that first.")
        )
    if not state.faction and any(card.faction != MERCENARY for card in cards):
        yield Violation("R3", gettext("This unit set the Faction of units that joined later. Undo those first."))


def _broken(book: Rulebook, state: RegisterState, was: Dossier, now: Dossier) -> Iterator[Violation]:
    name = unit_label(book, state, now.key)
    for slug in sorted(set(now.setbacks)):
        single = book.setbacks[slug].second != "stacks"
        if single and now.setbacks.count(slug) > max(1, was.setbacks.count(slug)):
            yield Violation(
                "R36",
                gettext("%(name)s gained %(setback)s again later. Undo that first.")
                % {"name": name, "setback": book.setbacks[slug].name},
                now.key,
            )
    slots = all_slots(bearer(book, state, now))
    fitting = fits(slots, [book.upgrades[slug] for slug in now.upgrades])
    if was.commendations != now.commendations and not fitting:
        yield Violation(
            "R8", gettext("The slot of %(name)s has been filled. Undo that first.") % {"name": name}, now.key
        )


#: A ledger entry, as a model instance or as its columns.
Kept = TypeVar("Kept", LedgerEntry, ChainEntry)


class BelowZero(ValueError):
    """More is spent or lost than there is."""


class LedgerSession:
    """A unit of work on locked Registers: their states, their ledgers, and entries staged until `commit`.

    Callers check the rules first. A session ends with the transaction that holds its locks. Staging updates `position`
    and `digest` of a Register at once; `commit` writes its other columns.
    """

    def __init__(self, registers: Iterable[Register]) -> None:
        self.registers: dict[UUID, Register] = {register.pk: register for register in registers}
        self._written: dict[UUID, RegisterState] | None = None
        self._states: dict[UUID, RegisterState] = {}
        self._entries: dict[UUID, list[LedgerEntry]] | None = None
        self._staged: dict[UUID, list[LedgerEntry]] = {}

    @classmethod
    def lock(cls, *keys: UUID) -> "LedgerSession":
        """Lock the Registers with these primary keys, in a transaction. Raises Register.DoesNotExist."""
        found = {register.pk: register for register in lock_registers(Register.objects.filter(pk__in=keys))}
        if missing := set(keys) - found.keys():
            raise Register.DoesNotExist(f"No Register {missing}")
        return cls(found[key] for key in keys)

    def state(self, register: Register) -> RegisterState:
        """Return the state of a Register, including staged entries. The first call reads the rows of all Registers."""
        if self._written is None:
            self._written = states_of(self.registers.values())
        return self._states.get(register.pk, self._written[register.pk])

    def entries(self, register: Register) -> list[LedgerEntry]:
        """Return the whole ledger of a Register, oldest first, with staged entries. Reads all ledgers once."""
        if self._entries is None:
            self._entries = {pk: [] for pk in self.registers}
            for entry in LedgerEntry.objects.filter(register__in=self.registers).order_by("register", "position"):
                self._entries[entry.register_id].append(entry)
            for pk, staged in self._staged.items():
                self._entries[pk] += staged
        return list(self._entries[register.pk])

    def staged(self, register: Register) -> list[LedgerEntry]:
        """Return the staged entries of a Register."""
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
        for_owner: bool = True,
    ) -> LedgerEntry:
        """Stage an entry and return it. `by_hand` are the indexes of `answers` typed in from the table. An actor who is
        not the owner of the Register acts for the owner, unless `for_owner` is false.
        """
        entry = LedgerEntry(
            actor=actor,
            on_behalf_of=on_behalf_of(actor, register) if actor and for_owner else None,
            act=act,
            battle=battle,
            step=step,
            effects=[to_data(effect) for effect in effects],
            answers=list(answers),
            rolled_by_hand=list(by_hand),
            reason=reason,
        )
        self._stage(register, _numbered(register, [entry]), replay(effects, self.state(register)))
        return entry

    def stage_undo(
        self, register: Register, entries: Sequence[LedgerEntry], *, actor: User | None, reason: str = ""
    ) -> list[LedgerEntry]:
        """Stage the undo of entries of a Register, in this order; return the undo of each, an existing one unchanged.
        Refuses the undo of an undo, of the opening entry, and of anything that later entries build on.
        """
        everything = self.entries(register)
        undos = {entry.undoes_id: entry for entry in everything if entry.undoes_id}
        new: list[LedgerEntry] = []
        owner = on_behalf_of(actor, register) if actor else None
        for entry in entries:
            if entry.pk in undos:
                continue
            if entry.act in (EntryType.UNDO, EntryType.OPEN):
                raise refuse("", gettext("This cannot be undone."))
            undos[entry.pk] = LedgerEntry(
                actor=actor, on_behalf_of=owner, act=EntryType.UNDO, battle=entry.battle, step=entry.step,
                reason=reason, undoes=entry,
            )  # fmt: skip
            new.append(undos[entry.pk])
        if new:
            numbered = _numbered(register, new)
            after = _rest_of([*everything, *numbered])
            raise_if_any(violations_of_later_entries(rulebook_for(register), self.state(register), after))
            self._stage(register, numbered, after)
        return [undos[entry.pk] for entry in entries]

    def stage_replacements(self, register: Register, entries: Sequence[LedgerEntry]) -> None:
        """Stage entries that replace others (`LedgerEntry.undoes`), in the order of the ledger.

        Each has all fields but Register, position and digest, and `place` too if it replaces none. Refuses entries
        after which the ledger cannot be replayed.
        """
        new = _numbered(register, entries)
        self._stage(register, new, _rest_of([*self.entries(register), *new]))

    def commit(self, *registers: Register) -> None:
        """Write the staged entries of these Registers, or of all, and update their rows."""
        staged = [register for register in registers or self.registers.values() if self.staged(register)]
        if not staged or self._written is None:
            return
        LedgerEntry.objects.bulk_create(entry for register in staged for entry in self._staged[register.pk])
        write_differences(
            [StateChange(register, self._written[register.pk], self._states[register.pk]) for register in staged]
        )
        for register in staged:
            self._written[register.pk] = self._states[register.pk]
            del self._staged[register.pk]

    def _stage(self, register: Register, entries: Sequence[LedgerEntry], after: RegisterState) -> None:
        self.state(register)  # read the rows before anything is staged
        _link(register, entries)
        self._states[register.pk] = after
        self._staged.setdefault(register.pk, []).extend(entries)
        if self._entries is not None:
            self._entries[register.pk] += entries


def lock_registers(registers: QuerySet[Register]) -> list[Register]:
    """Lock these Registers until the transaction ends, in primary-key order, and return them with their owners."""
    return list(registers.select_for_update(of=("self",)).select_related("owner").order_by("pk"))


def on_behalf_of(actor: User, register: Register) -> User | None:
    """Return the user for whom `actor` acts on a Register: its owner, or None if they are the owner."""
    return None if register.owner_id == actor.pk else register.owner


def rulebook_for(register: Register, campaign_rules: CampaignRules | None = None) -> Rulebook:
    """Return the rulebook for a Register: by its campaign's rules or `campaign_rules`, with its custom Story Arcs."""
    book: Rulebook = rulebook().under(campaign_rules or register.campaign_rules, frozenset(register.adopted_arcs))
    return book


def replay_entries(entries: Iterable[Kept]) -> RegisterState:
    """Return the state that a whole ledger adds up to, each entry in its place, without undone entries."""
    return replay(effect for entry in counting_entries(entries) for effect in effects_of_entry(entry))


def counting_entries(entries: Iterable[Kept]) -> list[Kept]:
    """Return the entries of a whole ledger that count, sorted by place. Undone entries and undos do not count."""
    everything = list(entries)
    undone = {entry.undoes_id for entry in everything if entry.undoes_id}
    left = (entry for entry in everything if entry.pk not in undone and entry.act != EntryType.UNDO)
    return sorted(left, key=lambda entry: (entry.place, entry.position))


def apply_effects(effects: Iterable[Effect], state: RegisterState) -> RegisterState:
    """Return the Register's state after these effects.

    Raises KeyError or ValueError (BelowZero) if the effects cannot be applied.
    """
    state = replay(effects, state)
    numbers = [state.supply_points, state.combat_potential, state.reputation, state.command_cards_owed]
    for dossier in state.dossiers.values():
        numbers += [dossier.owed, dossier.experience]
    if min(numbers) < 0:
        raise BelowZero(min(numbers))
    return state


def effects_of_entry(entry: LedgerEntry | ChainEntry) -> list[Effect]:
    """Return the effects of an entry."""
    return [from_data(data) for data in entry.effects]


def _numbered(register: Register, entries: Sequence[LedgerEntry]) -> Sequence[LedgerEntry]:
    for position, entry in enumerate(entries, register.position + 1):
        entry.register, entry.position = register, position
        entry.place = entry.undoes.place if entry.undoes else entry.place or position
    return entries


def _link(register: Register, entries: Sequence[LedgerEntry]) -> None:
    now = timezone.now()
    for entry in entries:
        entry.created_at = now
        normalized(entry)
        entry.digest = digest_of(entry, register.digest, entry.undoes.position if entry.undoes else None)
        register.position, register.digest = entry.position, entry.digest


def _rest_of(entries: Iterable[LedgerEntry]) -> RegisterState:
    """Return the state that a whole ledger adds up to. Refuses if an entry depends on one that was undone."""
    state = RegisterState()
    for entry in counting_entries(entries):
        effects = effects_of_entry(entry)
        takes_the_field = any(isinstance(effect, FieldTaken) for effect in effects)
        if (state.in_field and takes_the_field) or (entry.step is not None and not state.in_field):
            raise _needed(entry)
        try:
            state = apply_effects(effects, state)
        except (KeyError, ValueError):
            raise _needed(entry) from None
    return state


def _needed(entry: LedgerEntry) -> Exception:
    return refuse(
        "",
        gettext("This cannot be undone: entry %(position)s (%(act)s) depends on it. Undo that first.")
        % {"position": entry.position, "act": entry.get_act_display()},
    )


Decide = Callable[[Rulebook, RegisterState], Sequence[Effect]]


def record_entry(
    *, actor: User, register_id: UUID, position: int | None, word: str, decide: Decide, answers: Sequence[object] = ()
) -> Register:
    """Lock a Register, call `decide` for the effects, write them to the ledger, and return the Register.

    An outdated `position` changes nothing. Refuses users who may not change it, and a Register in a battle (R11).
    """
    with transaction.atomic():
        session = LedgerSession.lock(register_id)
        register = session.registers[register_id]
        check_may_edit(actor, register)
        if position not in (None, register.position):
            return register
        stage(actor=actor, session=session, register=register, word=word, decide=decide, answers=answers)
        session.commit()
    return register


def check_may_edit(actor: User, register: Register, *, texts: bool = False) -> None:
    """Refuse users who may not change a locked Register (it may have a new owner since the page was loaded), and a
    Register whose campaign lets nobody change it now, or its `texts` (`campaign_side.Frozen`).
    """
    check_not_frozen(register, texts=texts)
    if actor.pk != register.owner_id and not may_correct(actor, register):
        raise refuse("", gettext("Only its player and organizers of its campaign can change a Register."))


def stage(
    *,
    actor: User,
    session: LedgerSession,
    register: Register,
    word: str,
    decide: Decide,
    answers: Sequence[object] = (),
) -> None:
    """Stage one act on a Register of a session, which the caller commits. Refuses a Register in a battle (R11) or
    discarded (R10).
    """
    state = session.state(register)
    check_in_barracks(state)
    session.stage(register, actor=actor, act=word, effects=decide(rulebook_for(register), state), answers=answers)
