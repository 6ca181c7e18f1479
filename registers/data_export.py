"""Personal data of a user in Registers, for their download."""

from typing import Any

from django.db.models import Prefetch
from django.urls import reverse

from accounts.models import User
from registers.models import Dossier, LedgerEntry, Register

_ENTRY = ("position", "act", "battle", "step", "effects", "answers", "reason", "created_at")


def registers_of(user: User) -> dict[str, Any]:
    """Return the user's Registers with their whole ledgers, and the user's acts in Registers of others."""
    ledgers = Prefetch("entries", LedgerEntry.objects.select_related("undoes").order_by("position"))
    own = Register.objects.filter(owner=user).order_by("created_at")
    elsewhere = LedgerEntry.objects.filter(actor=user).exclude(register__owner=user).order_by("created_at")
    return {
        "own": [_register(each) for each in own.prefetch_related("dossiers__picture", "painted_units", ledgers)],
        "acts in others": [
            {"register__name": entry.register.name, **_entry(entry)}
            for entry in elsewhere.select_related("register", "undoes")
        ],
    }


def _register(register: Register) -> dict[str, Any]:
    return {
        "name": register.name,
        "faction": register.faction,
        "opened": register.created_at,
        "biography": register.biography,
        "units": [
            {"key": each.key, "name": each.name, "biography": each.biography, "picture": _picture(each)}
            for each in register.dossiers.all()
        ],
        "painted": [{"key": each.key, "at": each.at} for each in register.painted_units.all()],
        "ledger": [_entry(entry) for entry in register.entries.all()],
    }


def _entry(entry: LedgerEntry) -> dict[str, Any]:
    values = {name: getattr(entry, name) for name in _ENTRY}
    return values | {"undoes__position": entry.undoes.position if entry.undoes else None}


def _picture(dossier: Dossier) -> dict[str, str] | None:
    if dossier.picture is None:
        return None
    address = reverse("registers:photo", args=[dossier.register_id, dossier.picture_id, "full"])
    return {"alt": dossier.picture.alt, "address": address}
