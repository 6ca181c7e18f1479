"""Notices on the home page about corrections of a user's Registers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from accounts.models import User
from registers.keys import entry_address
from registers.ledger.session import effects_of_entry, rulebook_for
from registers.ledger.text import names_of, sentence, who_did
from registers.models import CorrectionNotice, EntryType, LedgerEntry
from rules.core.translation import gettext
from rules.register.effects import Noted
from rules.register.state import RegisterState

#: Most effects that a notice names; the entry lists all of them.
MOST_NAMED = 3


def notices_for(user: User, states: Mapping[UUID, RegisterState]) -> list[dict[str, Any]]:
    """Return the notices for a user's Registers, oldest first, in one query; `states` name their units."""
    notices = CorrectionNotice.objects.filter(entry__register__owner=user).select_related(
        "entry__actor", "entry__register", "entry__undoes"
    )
    return [
        {
            "entry": entry.pk,
            "text": _text(entry, states.get(entry.register_id, RegisterState())),
            "who": who_did(entry.actor, None),
            "reason": entry.reason,
            "href": entry_address(entry.register_id, entry.position),
        }
        for entry in (notice.entry for notice in notices)
    ]


def _text(entry: LedgerEntry, state: RegisterState) -> str:
    places: dict[str, Any] = {"register": entry.register}
    if entry.act == EntryType.UNDO:
        if entry.undoes and entry.undoes.answers:
            return gettext("An award to {register} was undone.", **places)
        return gettext("A correction of {register} was undone.", **places)
    book = rulebook_for(entry.register)
    names = names_of(book, state)
    sentences = [sentence(each, names, book) for each in effects_of_entry(entry) if not isinstance(each, Noted)]
    places["changes"] = "; ".join(sentences[:MOST_NAMED]) + (" …" if len(sentences) > MOST_NAMED else "")
    if entry.answers:
        return gettext("Your Register {register} received an award: {changes}", **places)
    return gettext("Your Register {register} was corrected: {changes}", **places)
