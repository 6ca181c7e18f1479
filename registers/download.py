"""What the Registers keep about a person, for that person to take away."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.urls import reverse

from accounts.models import User

from .models import Dossier, Entry

_ENTRY = (
    "position",
    "act",
    "battle",
    "step",
    "effects",
    "answers",
    "reason",
    "undoes__position",
    "created_at",
)


def registers_of(user: User) -> dict[str, Any]:
    """Their Registers, each with its whole ledger, which says all the rest; and what they did in others'."""
    ledgers: defaultdict[Any, list[dict[str, Any]]] = defaultdict(list)
    for entry in Entry.objects.filter(register__owner=user).order_by("position").values("register", *_ENTRY):
        ledgers[entry.pop("register")].append(entry)
    owned = user.registers.prefetch_related("dossiers__picture").order_by("created_at")
    elsewhere = Entry.objects.filter(actor=user).exclude(register__owner=user).order_by("created_at")
    return {
        "own": [
            {
                "name": register.name,
                "faction": register.faction,
                "opened": register.created_at,
                "biography": register.biography,
                "units": [
                    {
                        "key": each.key,
                        "name": each.name,
                        "biography": each.biography,
                        "picture": _picture_of(each),
                    }
                    for each in register.dossiers.all()
                ],
                "ledger": ledgers[register.pk],
            }
            for register in owned
        ],
        "acts in others": list(elsewhere.values("register__name", *_ENTRY)),
    }


def _picture_of(dossier: Dossier) -> dict[str, str] | None:
    """What its picture shows, and where it is."""
    picture = dossier.picture
    if picture is None:
        return None
    address = reverse("registers:picture", args=[dossier.register_id, picture.pk, "full"])
    return {"alt": picture.alt, "address": address}
