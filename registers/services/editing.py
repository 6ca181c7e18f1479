"""Edits of a Register outside battles (R11); biographies, pictures and owners, which no ledger has."""

from collections.abc import Collection, Mapping
from functools import partial
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from core.db.rows import update
from registers.access import check_not_frozen, may_edit
from registers.ledger.session import LedgerSession, check_may_edit, record_entry
from registers.markdown import too_large
from registers.models import Dossier, EntryType, Register
from rules.core.violations import RuleViolation, refuse
from rules.post_battle import edit_register
from rules.register.building import next_story_arc
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures

LONGEST_BIOGRAPHY = 20_000


def edit(*, actor: User, register_id: UUID, position: int | None, change: Mapping[str, Any]) -> Register:
    """Make one edit in the form that `rules.post_battle.edit_register.edit` takes (R11).

    An old `position` changes nothing.
    """
    if (checked := edit_register.EditRegister(rule="R11", text="").check(change)) is None:
        raise RuleViolation([edit_register.NOTHING_TO_EDIT()])
    decide = partial(edit_register.edit, change=checked)
    answers = [change]
    return record_entry(
        actor=actor, register_id=register_id, position=position, word=EntryType.EDIT, decide=decide, answers=answers
    )


def choose_next_arc(*, actor: User, register_id: UUID, position: int | None, story_arc: str) -> Register:
    """Continue a complete campaign that has been extended since (R49). An old `position` changes nothing."""
    decide = partial(next_story_arc, story_arc=story_arc)
    return record_entry(actor=actor, register_id=register_id, position=position, word=EntryType.ARC, decide=decide)


def change_owner(*, registers: Collection[Register], owner: User) -> None:
    """Make `owner` the owner of these locked Registers. Callers record who gave them to whom."""
    for register in registers:
        register.owner = owner
    Register.objects.bulk_update(registers, ["owner"])


def mark_of(text: str) -> str:
    """Return a mark of the text that a form was loaded with, for the form to send back."""
    return sha256(text.encode()).hexdigest()[:16]


def write_biography(*, actor: User, register_id: UUID, text: str, key: str = "", before: str | None = None) -> None:
    """Write the biography, in Markdown, of a Register, or of the Dossier with this key; it is in no ledger.

    `before` is the mark of the text the form was loaded with (None: any). Refuses users who may not change the
    Register, a text that was changed since, and one too long, with a NUL, or with tables that are `too_large`.
    """
    if len(text) > LONGEST_BIOGRAPHY or "\0" in text:
        longest = gettext(
            "Shorten the biography to %(longest_biography)s characters or fewer, and remove control characters."
        ) % {"longest_biography": LONGEST_BIOGRAPHY}
        raise refuse("", longest, "biography")
    if why := too_large(text):
        raise refuse("", why, "biography")
    with transaction.atomic():
        register = LedgerSession.lock(register_id).registers[register_id]
        check_may_edit(actor, register, texts=True)
        subject: Register | Dossier = register.dossiers.get(key=key) if key else register
        if before not in (None, mark_of(subject.biography)) and text != subject.biography:
            changed = gettext(
                "Someone else has changed this biography. Open it in another tab, copy what you want to keep, "
                "and save again."
            )
            raise refuse("", changed, "biography")
        update(subject, biography=text)


def set_portrait(
    *, actor: User, register: Register, key: str, sent: bytes, alt: str, picture_id: UUID | None = None
) -> Picture:
    """Give the Dossier this picture, replacing its own. Refuses users who may not edit, and what `uploads` refuses."""
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        return pictures.show(
            actor=actor, on=_locked_dossier(actor, register, key), drawn=image, alt=alt, picture_id=picture_id
        )  # fmt: skip


@transaction.atomic
def remove_portrait(*, actor: User, register: Register, key: str) -> None:
    """Remove the Dossier's picture, if it has one. Refuses users who may not edit the Register."""
    pictures.take_off(on=_locked_dossier(actor, register, key))


@transaction.atomic
def focus_portrait(*, actor: User, register: Register, key: str, point: tuple[int, int] | None) -> None:
    """Set the point in view of the Dossier's picture, in percent. Refuses users who may not edit the Register."""
    pictures.set_focus(picture=_locked_dossier(actor, register, key).picture, point=point)


def _locked_dossier(actor: User, register: Register, key: str) -> Dossier:
    """Return the Dossier, its Register locked before permissions are checked."""
    locked = LedgerSession.lock(register.pk).registers[register.pk]
    check_not_frozen(locked, texts=True)
    if not may_edit(actor, locked):
        raise refuse("", gettext("Only the player of a Register can change its pictures."))
    return locked.dossiers.select_related("picture").get(key=key)
