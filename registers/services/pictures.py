"""The picture of a Dossier. It is no part of the game: it may change at any time and stands in no ledger."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from registers.access import may_edit
from registers.models import Dossier, Register
from rules.refusal import refuse
from uploads.images import drawn
from uploads.models import Picture
from uploads.services import pictures

from .ledger import LedgerSession


def show_of_dossier(
    *, actor: User, register: Register, key: str, sent: bytes, alt: str, picture_id: UUID | None = None
) -> Picture:
    """Let the Dossier with this key have this picture, in place of the one it has. The same one twice changes nothing.

    Refuses who may not edit the Register, and what `uploads` refuses: a file that is too big or no picture, and one
    that nobody described. Raises Dossier.DoesNotExist.
    """
    alt, image = pictures.described(alt), drawn(sent)
    with transaction.atomic():
        return pictures.show(
            actor=actor, on=_locked(actor, register, key), drawn=image, alt=alt, picture_id=picture_id
        )  # fmt: skip


@transaction.atomic
def remove_of_dossier(*, actor: User, register: Register, key: str) -> None:
    """Let the Dossier with this key have no picture. Doing it again changes nothing.

    Refuses who may not edit the Register. Raises Dossier.DoesNotExist.
    """
    pictures.take_off(on=_locked(actor, register, key))


def _locked(actor: User, register: Register, key: str) -> Dossier:
    """The Dossier, its Register locked. Only then is it asked who may edit it: another may be taking it over."""
    locked = LedgerSession.lock(register.pk).registers[register.pk]
    if not may_edit(actor, locked):
        raise refuse("", gettext("Only who plays a Register decides on its pictures."))
    return locked.dossiers.select_related("picture").get(key=key)
