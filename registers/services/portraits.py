"""Pictures of Dossiers. Not part of the game: they may change at any time and are in no ledger."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from registers.access import may_edit
from registers.ledger.session import LedgerSession
from registers.models import Dossier, Register
from rules.core.violations import refuse
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures


def set_portrait(
    *, actor: User, register: Register, key: str, sent: bytes, alt: str, picture_id: UUID | None = None
) -> Picture:
    """Give the Dossier this picture, replacing its own. Refuses users who may not edit, and what `uploads` refuses."""
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        return pictures.show(
            actor=actor, on=_locked(actor, register, key), drawn=image, alt=alt, picture_id=picture_id
        )  # fmt: skip


@transaction.atomic
def remove_portrait(*, actor: User, register: Register, key: str) -> None:
    """Remove the Dossier's picture, if it has one. Refuses users who may not edit the Register."""
    pictures.take_off(on=_locked(actor, register, key))


def _locked(actor: User, register: Register, key: str) -> Dossier:
    """Return the Dossier, its Register locked before permissions are checked."""
    locked = LedgerSession.lock(register.pk).registers[register.pk]
    if not may_edit(actor, locked):
        raise refuse("", gettext("Only the player of a Register can change its pictures."))
    return locked.dossiers.select_related("picture").get(key=key)
