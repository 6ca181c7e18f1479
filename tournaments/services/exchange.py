"""Import an event from its file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from accounts.models import User
from members.models import Role
from rules.core.translation import gettext
from rules.core.violations import raise_if_any, refuse
from tournaments.access import EventRole
from tournaments.exchange.checking import violations
from tournaments.exchange.writing import FIELDS, MOMENTS, content_of
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Membership, Round, SubmittedList, UnpairedLoss
from tournaments.services.log import record

Data = Mapping[str, Any]


def import_event(*, actor: User, content: Data, key: UUID) -> Event:
    """Import a finished event from the contents of a file (`exchange.reading.read`), all or nothing; `actor` organizes
    it, and its players have no accounts. `key` is that of the form: the same form imports once. Refuses a file whose
    standings or draws are not proved (E23), and an event that is on this site already.
    """
    if before := _imported_by(actor, content, key):
        return before
    raise_if_any(violations(content))
    try:
        with transaction.atomic():
            return _import(actor, content, key)
    except (DataError, IntegrityError) as error:
        why = str(error).splitlines()[0][:160]
        text = gettext("This file has values that are not valid in an event ({why}). Nothing was changed.", why=why)
        raise refuse("", text) from error


def _imported_by(actor: User, content: Data, key: UUID) -> Event | None:
    lines = LogLine.objects.filter(event=content["event"]["id"], kind=LogKind.IMPORTED, actor=actor)
    line = lines.filter(facts__file=str(key)).select_related("event").first()
    return line.event if line else None


def _import(actor: User, content: Data, key: UUID) -> Event:
    fields = {name: content["event"][name] for name in FIELDS}
    fields |= {name: _moment(content["event"][name]) for name in MOMENTS}
    event, new = Event.objects.get_or_create(
        pk=UUID(content["event"]["id"]), defaults={**fields, "seed": bytes.fromhex(content["seed"])}
    )
    if not new:
        if before := _imported_by(actor, content, key):
            return before
        raise refuse("", gettext("This event is already on this site."))
    Membership.objects.create(event=event, user=actor, role=Role.ORGANIZER)
    entries = _import_entries(event, content)
    _import_rounds(event, content, entries)
    LogLine.objects.bulk_create(
        LogLine(event=event, kind=line["kind"], reason=line["reason"], facts=line["facts"], at=_moment(line["at"]))
        for line in content["log"]
    )
    record(actor=actor, event=event, kind=LogKind.IMPORTED, file=str(key), made_at=content["made_at"])
    _read_again(event, content)
    return event


def _import_entries(event: Event, content: Data) -> dict[int | None, Entry]:
    names = ("number", "name", "club", "state", "ticket", "army_points", "fixed_table", "replaceable")
    rows = Entry.objects.bulk_create(
        Entry(event=event, registered_at=_moment(each["registered_at"]), **{name: each[name] for name in names})
        for each in content["entries"]
    )
    entries: dict[int | None, Entry] = {entry.number: entry for entry in rows}
    fields = ("number", "faction", "battle_force", "points", "loadout_points", "units")
    SubmittedList.objects.bulk_create(
        SubmittedList(
            entry=entries[each["number"]],
            command_hand=submitted["command_hand"] or [],
            battle_deck=submitted["battle_deck"] or [],
            **{name: submitted[name] for name in fields},
        )
        for each in content["entries"]
        if (submitted := each["list"])
    )
    return entries


def _import_rounds(event: Event, content: Data, entries: Mapping[int | None, Entry]) -> None:
    rounds = Round.objects.bulk_create(
        Round(
            event=event, number=each["number"], stage=each["stage"], state=each["state"],
            started_at=_moment(each["started_at"]), minutes=each["minutes"],
        )
        for each in content["rounds"]
    )  # fmt: skip
    both = list(zip(rounds, content["rounds"], strict=True))
    Game.objects.bulk_create(_game(row, game, entries) for row, each in both for game in each["games"])
    UnpairedLoss.objects.bulk_create(
        UnpairedLoss(round=row, entry=entries[number]) for row, each in both for number in each["unpaired_losses"]
    )


def _game(row: Round, game: Data, entries: Mapping[int | None, Entry]) -> Game:
    imported = Game(
        round=row, place=game["place"], table=game["table"], mission=game["mission"], extension=game["extension"],
        first=entries.get(game["first"]), second=entries.get(game["second"]),
    )  # fmt: skip
    if result := game["result"]:
        imported.state, imported.version = Game.State.CONFIRMED, 1
        imported.how, imported.agreed = result["how"], result["agreed"]
        for name in ("winner", "by", "blue", "roll"):
            setattr(imported, name, entries.get(result[name]))
        imported.first_points, imported.second_points = result["points"]
        imported.first_tokens, imported.second_tokens = result["tokens"]
    return imported


def _read_again(event: Event, content: Data) -> None:
    """Export the event as it was stored, and refuse one that is not what the file says. Cards that the file keeps to
    itself (E10) are not there.
    """
    stored = content_of(Event.objects.get(pk=event.pk), EventRole(None, Role.ORGANIZER))
    for one, other in zip(stored["entries"], content["entries"], strict=False):
        if one["list"] and other["list"]:
            hidden = (name for name in ("command_hand", "battle_deck") if other["list"][name] is None)
            one["list"].update(dict.fromkeys(hidden))
    if different := [name for name in content if name != "made_at" and stored[name] != content[name]]:
        text = gettext("{part} of this file cannot be stored as it is. Nothing was changed.", part=different[0])
        raise refuse("", text)


def _moment(text: Any) -> Any:
    return datetime.fromisoformat(text) if text else None
