"""What corrections and awards changed, in a few words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from core.db.prepared import Prepared
from registers.keys import entry_address
from registers.ledger.session import effects_of_entry, rulebook_for
from registers.ledger.text import LABELS, Names, names_of, sentence, value_words, who_did
from registers.models import CorrectionNotice, Dossier, EntryType, LedgerEntry
from rules.core.rulebook import Rulebook
from rules.register import effects as e
from rules.register.state import RegisterState

#: A Register, by primary key, and the position of an entry in its ledger.
EntryKey = tuple[UUID, int]
#: How many changes of an entry are named; its page lists all.
MOST_NAMED = 3


def changes_of(keys: Iterable[EntryKey], among: QuerySet[LedgerEntry]) -> dict[EntryKey, str]:
    """Return what each of these ledger entries changed ("SP 5 → 7, Boba: Experience 12 → 9"), in two queries.

    `among` are the entries that may be read; others are left out, and so are entries that changed no value. Of an undo
    these are the changes that it undid.
    """
    if not (wanted := set(keys)):
        return {}
    which = reduce(or_, (Q(register=register, position=position) for register, position in wanted))
    entries = list(among.filter(which).order_by("pk").select_related("register", "undoes"))
    effects = {(entry.register_id, entry.position): _effects(entry) for entry in entries}
    units = Q(pk=None)
    for (register, _position), found in effects.items():
        units |= Q(register=register, key__in={getattr(effect, "unit", "") for effect in found})
    dossiers = list(Dossier.objects.filter(units).values_list("register", "key", "name", "unit_id"))
    shown = {}
    for entry in entries:
        key = (entry.register_id, entry.position)
        book = rulebook_for(entry.register)
        names = {
            unit: name or book.units[card].name
            for register, unit, name, card in dossiers
            if register == entry.register_id
        }
        if words := [_in_short(effect, names, book) for effect in effects[key]]:
            shown[key] = _first(words, ", ")
    return shown


def _effects(entry: LedgerEntry) -> Sequence[e.Effect]:
    about = entry.undoes if entry.act == EntryType.UNDO and entry.undoes else entry
    return [effect for effect in effects_of_entry(about) if not isinstance(effect, e.Noted)]


def _in_short(effect: e.Effect, names: Mapping[str, str], book: Rulebook) -> str:
    """Return an effect in a few words; a corrected value as "old → new"."""
    is_list = isinstance(effect, e.Corrected) and isinstance(effect.new, list | tuple) and effect.field != "trait"
    if not isinstance(effect, e.Corrected) or effect.field == "dossier" or is_list:
        return sentence(replace(effect, why=""), names, book)
    words = Names(names, book)
    old, new = (value_words(effect.field, value, words) for value in (effect.old, effect.new))
    if effect.agenda:
        what = gettext("Progress of %(agenda)s") % {"agenda": words.called("agenda", effect.agenda)}
    elif effect.unit:
        what = f"{words.called('unit', effect.unit)}: {gettext(LABELS[effect.field])}"
    else:
        what = gettext(LABELS[effect.field])
    return f"{what} {old} → {new}"


def _first(words: Sequence[str], separator: str) -> str:
    return separator.join(words[:MOST_NAMED]) + (" …" if len(words) > MOST_NAMED else "")


def notices_for(user: User, states: Mapping[UUID, RegisterState]) -> list[dict[str, Any]]:
    """Return the notices for a user's Registers, oldest first, in two queries; `states` name their units."""
    keys = list(_noticed(user.pk))
    entries = LedgerEntry.objects.filter(pk__in=keys).order_by("pk").select_related("actor", "register", "undoes")
    return [
        {
            "entry": entry.pk,
            "text": _text(entry, states.get(entry.register_id, RegisterState())),
            "who": who_did(entry.actor, None),
            "reason": entry.reason,
            "href": entry_address(entry.register_id, entry.position),
        }
        for entry in (entries if keys else ())
    ]


@Prepared
def _noticed(owner: int) -> QuerySet[CorrectionNotice, int]:
    return CorrectionNotice.objects.filter(entry__register__owner__pk=owner).values_list("entry", flat=True)


def _text(entry: LedgerEntry, state: RegisterState) -> str:
    places: dict[str, Any] = {"register": entry.register}
    if EntryType.CORRECT not in (entry.act, entry.undoes and entry.undoes.act) or not _effects(entry):
        return gettext("A battle of %(register)s was amended.") % places
    if entry.act == EntryType.UNDO:
        if entry.undoes and entry.undoes.answers:
            return gettext("An award to %(register)s was undone.") % places
        return gettext("A correction of %(register)s was undone.") % places
    book = rulebook_for(entry.register)
    names = names_of(book, state)
    places["changes"] = _first([sentence(each, names, book) for each in _effects(entry)], "; ")
    if entry.answers:
        return gettext("Your Register %(register)s received an award: %(changes)s") % places
    return gettext("Your Register %(register)s was corrected: %(changes)s") % places
