"""The rows of a Register: read them as a state, and write changes."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Model, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject

from core.db.prepared import Prepared
from registers import models
from rules.register import state as f
from rules.register.state import Dossier as Unit, RegisterState, everyone

#: Columns of a Dossier that have the same name in `rules.register.state.Dossier`.
DOSSIER_COLUMNS = ("name", "faction", "affiliation", "experience", "veteran_rank", "training", "owed")


def state_of(register: models.Register) -> RegisterState:
    """Return the state of a Register, read from its rows. Two queries, whatever its size."""
    return states_of([register])[register.pk]


def states_of(registers: Collection[models.Register]) -> dict[UUID, RegisterState]:
    """Return the states of Registers by primary key. Two queries, however many. Columns are used as loaded."""
    keys = [register.pk for register in registers]
    lists = {row["pk"]: row for row in _lists(keys)}
    dossiers: dict[tuple[UUID, str], dict[str, Unit]] = {}
    for row in _dossiers(keys):
        dossiers.setdefault((row["register_id"], row["status"]), {})[row["key"]] = _dossier(row)
    states = {}
    for register in registers:
        by_status = (dossiers.get((register.pk, status), {}) for status in _STATUSES)
        states[register.pk] = _state(register, lists.get(register.pk, {}), *by_status)
    return states


def outline_of(register: models.Register) -> RegisterState:
    """Return the part of a state that is in the Register's own row: no units, no lists. No query."""
    return _state(register, {}, {}, {}, {})


_STATUSES = (models.UnitStatus.SERVING, models.UnitStatus.FALLEN, models.UnitStatus.REASSIGNED)


@Prepared
def _dossiers(registers: Collection[UUID]) -> QuerySet[models.Dossier, dict[str, Any]]:
    rows: QuerySet[models.Dossier, dict[str, Any]] = models.Dossier.objects.filter(register__pk__in=registers).values(
        "register_id",
        "status",
        "key",
        "unit_id",
        *DOSSIER_COLUMNS,
        upgrade_cards=_list("dossier", models.DossierUpgrade, "upgrade_id"),
        granted=_list("dossier", models.DossierUpgrade, "upgrade_id", by_commendation=True),
        commendation_cards=_list("dossier", models.DossierCommendation, "commendation_id"),
        setback_cards=_list("dossier", models.DossierSetback, "setback_id"),
        keywords_gained=_list("dossier", models.DossierKeyword, "keyword"),
    )
    return rows


@Prepared
def _lists(registers: Collection[UUID]) -> QuerySet[models.Register, Any]:
    return (
        models.Register.objects.order_by()
        .filter(pk__in=registers)
        .values(
            "pk",
            asset_cards=_list("register", models.RegisterAsset, "asset_id"),
            cards_unlocked=_list("register", models.RegisterCommandCard, "command_card_id"),
            agendas_counted=_list("register", models.AgendaProgress, JSONObject(what="agenda_id", count="progress")),
            requests_counted=_list("register", models.RequestCount, JSONObject(what="request", count="count")),
        )
    )


def _list(owner: str, model: type[Model], value: str | JSONObject, **only: Any) -> ArraySubquery:
    rows = model._default_manager.filter(**{owner: OuterRef("pk")}, **only).order_by("pk")
    return ArraySubquery(rows.values(value) if isinstance(value, str) else rows.values(row=value))


def _dossier(row: Mapping[str, Any]) -> Unit:
    return Unit(
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
    register: models.Register,
    lists: Mapping[str, Any],
    serving: dict[str, Unit],
    fallen: dict[str, Unit],
    reassigned: dict[str, Unit],
) -> RegisterState:
    trait = (register.trait_id or "", register.trait_games_left, register.trait_fresh)
    field = (register.in_field_battle, register.in_field_trait, register.in_field_progressions)
    return RegisterState(
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
        trait=f.Trait(*trait) if register.trait_id else None,
        command_cards=tuple(lists.get("cards_unlocked", ())),
        command_cards_owed=register.command_cards_owed,
        requests={row["what"]: row["count"] for row in lists.get("requests_counted", ())},
        next_key=register.next_key,
        in_field=f.Field(*field) if register.in_field_battle else None,
    )


class StateChange(NamedTuple):
    """A locked Register, with the state in its rows and the state to write."""

    register: models.Register
    before: RegisterState
    after: RegisterState


def write_differences(changes: Sequence[StateChange]) -> None:
    """Update the rows of locked Registers from `before`, which they hold, to `after`."""
    _write_registers(changes)
    _delete_dossiers(changes)
    keys = _write_dossiers(changes)
    for model, columns, listed in _REGISTER_LISTS:
        lists = {reg.pk: listed(after) for reg, before, after in changes if listed(before) != listed(after)}
        _write_lists(model, "register_id", columns, lists)
    for model, columns, gathered in _DOSSIER_LISTS:
        wanted: dict[int, list[Row]] = {}
        for register, before, after in changes:
            old = everyone(before)
            for key, dossier in everyone(after).items():
                if gathered(dossier) != (gathered(old[key]) if key in old else []):
                    wanted[keys[register.pk, key]] = gathered(dossier)
        _write_lists(model, "dossier_id", columns, wanted)
    for model, column, number, counts in _COUNTS:
        _write_counts(model, column, number, counts, changes)


_SAME_NAME = (
    "name", "faction", "commissioned", "discarded", "combat_potential", "supply_points", "reputation", "paragon",
    "command_cards_owed", "next_key", "arcs_ended", "saga_complete",
)  # fmt: skip


def _write_registers(changes: Sequence[StateChange]) -> None:
    changed = {"position", "digest"}
    for register, before, after in changes:
        was = _columns(before)
        for name, value in _columns(after).items():
            setattr(register, name, value)
            if value != was[name]:
                changed.add(name)
    models.Register.objects.bulk_update([change.register for change in changes], sorted(changed))


def _columns(state: RegisterState) -> dict[str, Any]:
    trait, field = state.trait, state.in_field
    return {
        **{name: getattr(state, name) for name in _SAME_NAME},
        "story_arc_id": state.story_arc or None,
        "trait_id": trait.slug if trait else None,
        "trait_games_left": trait.games_left if trait else 0,
        "trait_fresh": bool(trait and trait.fresh),
        "in_field_battle": field.battle if field else "",
        "in_field_trait": field.trait if field else "",
        "in_field_progressions": field.progressions if field else 0,
    }


def _delete_dossiers(changes: Sequence[StateChange]) -> None:
    gone = [
        Q(register=register, key__in=keys)
        for register, before, after in changes
        if (keys := everyone(before).keys() - everyone(after).keys())
    ]
    if gone:
        models.Dossier.objects.filter(reduce(or_, gone)).delete()


def _write_dossiers(changes: Sequence[StateChange]) -> dict[tuple[Any, str], int]:
    """Insert or update the Dossiers that differ; return their primary keys by Register and key."""
    rows = []
    for register, before, after in changes:
        old = _placed(before)
        for key, (status, dossier) in _placed(after).items():
            if (status, dossier) != old.get(key):
                own = {name: getattr(dossier, name) for name in DOSSIER_COLUMNS}
                rows.append(models.Dossier(register=register, key=key, status=status, unit_id=dossier.card, **own))
    # An upsert needs no primary keys, and leaves biographies and pictures alone.
    models.Dossier.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["register", "key"],
        update_fields=["status", "unit", *DOSSIER_COLUMNS],
    )
    return {(row.register_id, row.key): row.pk for row in rows}


def _placed(state: RegisterState) -> dict[str, tuple[str, Unit]]:
    groups = zip(_STATUSES, (state.dossiers, state.fallen, state.reassigned), strict=True)
    return {key: (status, dossier) for status, dossiers in groups for key, dossier in dossiers.items()}


Row = tuple[Any, ...]


def _single(items: Iterable[str]) -> list[Row]:
    return [(item,) for item in items]


#: Each list of a Register: its model, the columns of a value, and a function that returns the values in a state.
_REGISTER_LISTS: Sequence[tuple[type[Model], Sequence[str], Callable[[RegisterState], list[Row]]]] = (
    (models.RegisterAsset, ["asset_id"], lambda state: _single(state.assets)),
    (models.RegisterCommandCard, ["command_card_id"], lambda state: _single(state.command_cards)),
)
#: Each list of a Dossier: its model, the columns of a value, and a function that returns the values of a unit.
_DOSSIER_LISTS: Sequence[tuple[type[Model], Sequence[str], Callable[[Unit], list[Row]]]] = (
    (
        models.DossierUpgrade,
        ["upgrade_id", "by_commendation"],
        lambda dossier: [(slug, slug in dossier.by_commendation) for slug in dossier.upgrades],
    ),
    (models.DossierCommendation, ["commendation_id"], lambda dossier: _single(dossier.commendations)),
    (models.DossierSetback, ["setback_id"], lambda dossier: _single(dossier.setbacks)),
    (models.DossierKeyword, ["keyword"], lambda dossier: _single(dossier.keywords)),
)


def _write_lists(model: type[Model], owner: str, columns: Sequence[str], wanted: Mapping[Any, Sequence[Row]]) -> None:
    """Make the rows of `model` match `wanted`, which is keyed by the primary key of the owner.

    Primary keys keep the order: matching rows stay, new ones are appended. Rows are deleted before others are inserted,
    since a list may not have the same card twice even for a moment.
    """
    if not wanted:
        return
    left = {key: list(values) for key, values in wanted.items()}
    gone = []
    rows = model._default_manager.filter(**{f"{owner}__in": wanted}).order_by("pk")
    for pk, key, *row in rows.values_list("pk", owner, *columns):
        if left[key] and left[key][0] == tuple(row):
            left[key].pop(0)
        else:
            gone.append(pk)
    if gone:
        model._default_manager.filter(pk__in=gone).delete()
    model._default_manager.bulk_create(
        model(**{owner: key}, **dict(zip(columns, row, strict=True))) for key, values in left.items() for row in values
    )


#: Each count of a Register: its model, the columns for the item and the number, and the counts in a state.
_COUNTS: Sequence[tuple[type[Model], str, str, Callable[[RegisterState], Mapping[str, int]]]] = (
    (models.AgendaProgress, "agenda_id", "progress", lambda state: state.agendas),
    (models.RequestCount, "request", "count", lambda state: state.requests),
)


def _write_counts(
    model: type[Model],
    column: str,
    number: str,
    counts: Callable[[RegisterState], Mapping[str, int]],
    changes: Sequence[StateChange],
) -> None:
    gone: list[Q] = []
    rows: list[Model] = []
    for register, before, after in changes:
        if names := counts(before).keys() - counts(after).keys():
            gone.append(Q(**{"register": register, f"{column}__in": names}))
        rows += [
            model(**{"register": register, column: name, number: count})
            for name, count in counts(after).items()
            if counts(before).get(name) != count
        ]
    if gone:
        model._default_manager.filter(reduce(or_, gone)).delete()
    model._default_manager.bulk_create(
        rows, update_conflicts=True, unique_fields=["register", column], update_fields=[number]
    )
