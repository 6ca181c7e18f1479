"""Read the state of Registers from their rows. `writing` is the way back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Model, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from registers.models import (
    AgendaProgress,
    Dossier,
    DossierCommendation,
    DossierKeyword,
    DossierSetback,
    DossierUpgrade,
    Register,
    RegisterAsset,
    RegisterCommandCard,
    RequestCount,
    Status,
)
from rules import force as f
from rules.force import Force

#: The columns of a Dossier that are called in its row as in `rules.force.Dossier`.
DOSSIER_COLUMNS = ("name", "faction", "affiliation", "experience", "veteran_rank", "training", "owed")


def state_of(register: Register) -> Force:
    """Return the state of a Register, read from its rows: two queries, whatever its size."""
    return states_of([register])[register.pk]


def states_of(registers: Collection[Register]) -> dict[UUID, Force]:
    """Return the states of Registers by primary key: two queries, however many there are.

    The columns of the Registers themselves are taken from `registers`, as they are.
    """
    keys = [register.pk for register in registers]
    lists = {row["pk"]: row for row in _lists().filter(pk__in=keys)}
    dossiers: dict[tuple[UUID, str], dict[str, f.Dossier]] = {}
    for row in _dossiers().filter(register__in=keys):
        dossiers.setdefault((row["register_id"], row["status"]), {})[row["key"]] = _dossier(row)
    return {
        register.pk: _state(
            register,
            lists.get(register.pk, {}),
            *(dossiers.get((register.pk, status), {}) for status in _STATUSES),
        )
        for register in registers
    }


def outline_of(register: Register) -> Force:
    """Return what the row of a Register alone says of its state: no units, no lists. No query."""
    return _state(register, {}, {}, {}, {})


_STATUSES = (Status.SERVING, Status.FALLEN, Status.REASSIGNED)


@cache  # of a queryset that is never evaluated itself: to build its subqueries takes longer than to run it
def _dossiers() -> QuerySet[Dossier, dict[str, Any]]:
    """The Dossiers in the order in which they joined, with what each gathered, oldest first."""
    rows: QuerySet[Dossier, dict[str, Any]] = Dossier.objects.values(
        "register_id",
        "status",
        "key",
        "unit_id",
        *DOSSIER_COLUMNS,
        upgrade_cards=_list("dossier", DossierUpgrade, "upgrade_id"),
        granted=_list("dossier", DossierUpgrade, "upgrade_id", by_commendation=True),
        commendation_cards=_list("dossier", DossierCommendation, "commendation_id"),
        setback_cards=_list("dossier", DossierSetback, "setback_id"),
        keywords_gained=_list("dossier", DossierKeyword, "keyword"),
    )
    return rows


@cache
def _lists() -> QuerySet[Register, Any]:
    """What hangs on Registers besides their Dossiers, oldest first."""
    return Register.objects.order_by().values(
        "pk",
        asset_cards=_list("register", RegisterAsset, "asset_id"),
        cards_unlocked=_list("register", RegisterCommandCard, "command_card_id"),
        agendas_counted=_list("register", AgendaProgress, JSONObject(what="agenda_id", count="progress")),
        requests_counted=_list("register", RequestCount, JSONObject(what="request", count="count")),
    )


def _list(owner: str, model: type[Model], value: str | JSONObject, **only: Any) -> ArraySubquery:
    """One value of each row of `model` that belongs to the outer row, in the order of their keys."""
    rows = model._default_manager.filter(**{owner: OuterRef("pk")}, **only).order_by("pk")
    return ArraySubquery(rows.values(value) if isinstance(value, str) else rows.values(row=value))


def _dossier(row: Mapping[str, Any]) -> f.Dossier:
    return f.Dossier(
        key=row["key"],
        card=row["unit_id"],
        upgrades=tuple(row["upgrade_cards"]),
        by_commendation=tuple(row["granted"]),
        setbacks=tuple(row["setback_cards"]),
        commendations=tuple(row["commendation_cards"]),
        keywords=tuple(row["keywords_gained"]),
        **{name: row[name] for name in DOSSIER_COLUMNS},
    )


def _state(
    register: Register,
    lists: Mapping[str, Any],
    serving: dict[str, f.Dossier],
    fallen: dict[str, f.Dossier],
    reassigned: dict[str, f.Dossier],
) -> Force:
    return Force(
        name=register.name,
        faction=register.faction,
        commissioned=register.commissioned,
        discarded=register.discarded,
        combat_potential=register.combat_potential,
        supply_points=register.supply_points,
        reputation=register.reputation,
        story_arc=register.story_arc_id or "",
        arcs_ended=register.arcs_ended,
        saga_complete=register.saga_complete,
        agendas={row["what"]: row["count"] for row in lists.get("agendas_counted", ())},
        assets=tuple(lists.get("asset_cards", ())),
        dossiers=serving,
        fallen=fallen,
        reassigned=reassigned,
        paragon=register.paragon,
        trait=_trait(register),
        command_cards=tuple(lists.get("cards_unlocked", ())),
        command_cards_owed=register.command_cards_owed,
        requests={row["what"]: row["count"] for row in lists.get("requests_counted", ())},
        next_key=register.next_key,
        in_field=_field(register),
    )


def _trait(register: Register) -> f.Trait | None:
    if register.trait_id is None:
        return None
    return f.Trait(register.trait_id, register.trait_games_left, register.trait_fresh)


def _field(register: Register) -> f.Field | None:
    if not register.in_field_battle:
        return None
    return f.Field(register.in_field_battle, register.in_field_trait, register.in_field_progressions)
