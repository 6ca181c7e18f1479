"""What the Registers keep about a person, for that person to take away."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from accounts.models import User
from config.together import Row, Together

from .models import Dossier, Entry, Register

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
    registers, dossiers, entries, elsewhere = _KEPT.ask(user=user.pk)
    units: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in dossiers:
        units[row["register"]].append(
            {"key": row["key"], "name": row["name"], "biography": row["biography"], "picture": _shown(row)}
        )
    ledgers: defaultdict[str, list[Row]] = defaultdict(list)
    for row in entries:
        ledgers[row["register"]].append({name: row[name] for name in _ENTRY})
    own = [
        {
            "name": row["name"],
            "faction": row["faction"],
            "opened": row["created_at"],
            "biography": row["biography"],
            "units": units[row["pk"]],
            "ledger": ledgers[row["pk"]],
        }
        for row in registers
    ]
    return {"own": own, "acts in others": elsewhere}


def _registers(user: int) -> QuerySet[Register, Any]:
    owned = Register.objects.filter(owner=user).order_by("created_at")
    return owned.values("pk", "name", "faction", "created_at", "biography")


def _dossiers(user: int) -> QuerySet[Dossier, Any]:
    theirs = Dossier.objects.filter(register__owner=user)
    return theirs.values("register", "key", "name", "biography", "picture", "picture__alt")


def _entries(user: int) -> QuerySet[Entry, Any]:
    return Entry.objects.filter(register__owner=user).order_by("position").values("register", *_ENTRY)


def _elsewhere(user: int) -> QuerySet[Entry, Any]:
    acts = Entry.objects.filter(actor=user).exclude(register__owner=user).order_by("created_at")
    return acts.values("register__name", *_ENTRY)


_KEPT = Together({"user": int}, _registers, _dossiers, _entries, _elsewhere)


def _shown(dossier: Row) -> dict[str, str] | None:
    """What its picture shows, and where it is."""
    if dossier["picture"] is None:
        return None
    address = reverse("registers:picture", args=[dossier["register"], dossier["picture"], "full"])
    return {"alt": dossier["picture__alt"], "address": address}
