"""Import an event from its file: read it, check that it is consistent and proved, save it (E23)."""

import zoneinfo
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from core import own_process
from core.moments import day_of, moment_of
from members.models import Role
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.tournaments.bracket import cut_violation
from rules.tournaments.results import ENDINGS, GIVEN_UP, Ending
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Round, SubmittedList, Team, UnpairedLoss
from tournaments.models.event import new_seed
from tournaments.queries.exchange import ENTRY, EVENT_FILE, FIELDS, LIST, MOMENTS, NEW_OPTIONS, content_of
from tournaments.services import verification
from tournaments.services.log import log_line
from uploads.waiting_files import WaitingFiles

Data = Mapping[str, Any]
MB = 1024**2
#: An event of 300 players with nine rounds and all army lists has 2 MB.
MOST_BYTES = 8 * MB
WAITING = WaitingFiles("event.json", MOST_BYTES)
#: Players times Swiss rounds: 512 players and eight rounds. Each round is drawn again to prove it (E23), which takes
#: longer than linear time in the players.
MOST_DRAWN = 512 * 8
#: Seconds that an upload waits for another one; seconds of the processor that proving may take, and how many times as
#: long it may take on a busy machine.
LONGEST_WAIT, LONGEST_PROOF, PATIENCE = 10, 60, 2
#: How many violations are shown.
SHOWN = 8
#: What a forged file can cause although it fits the schema.
NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def read(text: bytes) -> dict[str, Any]:
    """Return the contents of a file as the schema describes them. Refuses a file that is too large, not JSON, of
    another kind or a newer version, with values that no event has, or with more draws than a site proves.
    """
    if len(text) > MOST_BYTES:
        raise too_big()
    content = EVENT_FILE.read(text)
    content["event"] = NEW_OPTIONS | content["event"]
    content.setdefault("teams", [])
    for each in content["entries"]:
        each.setdefault("trophies", [])
        each.setdefault("checked_in_on", None)
        if each["list"]:
            each["list"].setdefault("typed_deck", None)
    for each in (*content["entries"], *content["standings"]):
        each["ticket"] = None if each["ticket"] is None else str(each["ticket"])  # a number in version 1
    swiss = sum(each["stage"] == "swiss" for each in content["rounds"])
    if len(content["entries"]) * swiss > MOST_DRAWN:
        too_many = _("This event is too large to prove: players times Swiss rounds can be %(most)d at most.")
        raise refuse("", too_many % {"most": MOST_DRAWN}, "file")
    return content


def too_big() -> RuleViolation:
    """Return the refusal of a file that is too large."""
    return refuse("", _("An event file has at most %(most)d MB.") % {"most": MOST_BYTES // MB}, "file")


# --- Checking -------------------------------------------------------------------------------------------------------


def prove(content: Data) -> None:
    """Refuse a file with `violations`. Drawing all its rounds again can take a minute, so this runs in a process of its
    own, and is refused after `LONGEST_PROOF`.
    """
    try:
        found = own_process.run(
            lambda _ask: violations(content), queue="event-file", wait=LONGEST_WAIT, seconds=LONGEST_PROOF,
            patience=PATIENCE,
        )  # fmt: skip
    except (own_process.Busy, own_process.TooLong):
        raise refuse("", _("Proving this event takes too long now. Try again in a minute."), "file") from None
    raise_if_any(found)


def violations(content: Data) -> list[Violation]:
    """Return the first few reasons why a file cannot be imported: an event that neither runs nor is finished,
    references that lead nowhere, and whatever does not follow from the results and, once finished, the seed.
    """
    if not (found := list(islice(_references(content), SHOWN))):
        try:
            found = [Violation("E23", text) for text in islice(verification.differences(content), SHOWN)]
        except NONSENSE as wrong:
            text = _("This file has values that are not valid in an event (%(why)s).") % {"why": repr(wrong)[:120]}
            found = [Violation("", text)]
    return found


def _references(content: Data) -> Iterator[Violation]:
    if (content["event"]["state"], content["seed"] is None) not in (("finished", False), ("running", True)):
        yield Violation("E23", _("Only running and finished events can be imported."))
        return
    yield from _event_faults(content["event"])
    numbers = [each["number"] for each in content["entries"]]
    if len(numbers) != len(set(numbers)):
        yield Violation("", _("Two players have the same number."))
    members = [number for team in content["teams"] for number in team["members"]]
    names = {team["name"] for team in content["teams"]}
    if len(members) != len(set(members)) or not set(members) <= set(numbers) or len(names) < len(content["teams"]):
        yield Violation("", _("A team has a player of another team, or somebody who is not in the event."))
    if [each["number"] for each in content["rounds"]] != list(range(1, len(content["rounds"]) + 1)):
        yield Violation("", _("The rounds are not numbered 1, 2, 3 …"))
    stages = [each["stage"] for each in content["rounds"]]
    if stages != sorted(stages, key=Round.Stage.values.index):
        yield Violation("", _("A Swiss round follows the bracket."))
    playing = {each["number"] for each in content["entries"] if each["ticket"] is not None}
    if any(each["state"] == Entry.State.PLAYING and each["ticket"] is None for each in content["entries"]):
        yield Violation("E34", _("A player has no ticket."))
    last = len(content["rounds"]) if content["seed"] is None else 0
    endings = ENDINGS[RuleSet(content["event"]["rule_set"])]
    for each in content["rounds"]:
        yield from _round_faults(each, playing, endings, may_be_open=each["number"] == last)
    yield from _log_faults(content["log"])
    yield from _moment_faults(content)


def _event_faults(event: Data) -> Iterator[Violation]:
    if event["time_zone"] not in zoneinfo.available_timezones():
        yield Violation("", _("The time zone is unknown."))
    if event["cut"] and cut_violation(event["cut"]):
        yield Violation("E38", _("The cut is not a power of two."))


def _round_faults(each: Data, playing: set[int], endings: tuple[str, ...], *, may_be_open: bool) -> Iterator[Violation]:
    words, is_open = {"number": each["number"]}, each["state"] != Round.State.CLOSED
    if is_open and not may_be_open:
        yield Violation("", _("Round %(number)s is not closed.") % words)
    places = [game["place"] for game in each["games"]]
    if len(places) != len(set(places)):
        yield Violation("", _("Round %(number)s has two games in one place.") % words)
    paired = Counter(game[name] for game in each["games"] for name in ("first", "second") if game[name] is not None)
    paired.update(set(each["unpaired_losses"]) & paired.keys())
    if not paired.keys() | set(each["unpaired_losses"]) <= playing:
        yield Violation("", _("Round %(number)s has a player who is not in the event.") % words)
    if any(count > 1 for count in paired.values()) or len(each["unpaired_losses"]) != len(set(each["unpaired_losses"])):
        yield Violation("", _("A player is in round %(number)s twice.") % words)
    for game in each["games"]:
        if fault := _game_fault(game, each["stage"], endings, is_open=is_open):
            yield Violation("", _("Round %(number)s, game %(game)s: %(fault)s") % {
                "number": each["number"], "game": game["place"], "fault": fault,
            })  # fmt: skip


def _game_fault(game: Data, stage: str, endings: tuple[str, ...], *, is_open: bool) -> str:
    pair, result = (game["first"], game["second"]), game["result"]
    if game["second"] is None:
        if result or (game["first"] is None and stage == Round.Stage.SWISS):
            return str(_("a bye has one player and no result."))
        return ""
    if game["first"] is None or not result:
        return "" if is_open and game["first"] is not None else str(_("it has no result."))
    if result["how"] not in endings:
        return str(_("a game cannot end that way under these rules."))
    if any(result[name] not in (None, *pair) for name in ("winner", "by", "blue", "roll")):
        return str(_("the result names somebody else."))
    lost_by_both = result["how"] == Ending.NO_SHOW and result["winner"] is None and Ending.DRAW not in endings
    if result["how"] in GIVEN_UP and result["by"] is None and not (lost_by_both and stage == Round.Stage.SWISS):
        return str(_("it does not say who conceded or did not appear."))
    return ""


def _log_faults(log: list[Data]) -> Iterator[Violation]:
    moments = [moment for line in log if (moment := moment_of(line["at"]))]
    if moments != sorted(moments):
        yield Violation("", _("The log is not in order."))
    if moments and moments[-1] > timezone.now():
        yield Violation("", _("The log is ahead of this site's clock. Check the clocks of both sites."))
    for line in log:
        facts = line["facts"]
        if line["kind"] == LogKind.CORRECTED and not (
            {"round", "game", "before", "after"} <= facts.keys() and isinstance(facts["before"], dict)
        ):
            yield Violation("E31", _("The log has a correction without its game."))
        if line["kind"] == LogKind.CUT and "seeds" not in facts:
            yield Violation("E38", _("The log has a cut without its seeds."))


def _moment_faults(content: Data) -> Iterator[Violation]:
    texts = [
        content["made_at"],
        *(content["event"][name] for name in ("starts_at", "registration_deadline", "created_at")),
    ]
    texts += [line["at"] for line in content["log"]]
    texts += [each["registered_at"] for each in content["entries"]] + [each["started_at"] for each in content["rounds"]]
    if not all(map(moment_of, filter(None, texts))):
        yield Violation("", _("The file contains a date that is not valid, or not between 2000 and 2100."))


# --- Importing ------------------------------------------------------------------------------------------------------


def import_event(*, actor: User, content: Data, key: UUID) -> Event:
    """Import a finished or running event from the contents of a file (`read`), all or nothing; `actor` organizes
    it, and its players have no accounts. It is a copy with an id of its own, so that nobody can take the place of the
    real event, and everybody can import it. `key` is that of the form and becomes the id: the same form imports once.
    A running event goes on with a new seed, since its own is secret; the log says so.
    Refuses a file whose standings or draws are not proved (E23).
    """
    lines = LogLine.objects.filter(event=key, kind=LogKind.IMPORTED, actor=actor)
    if before := lines.select_related("event").first():
        return before.event
    prove(content)
    try:
        with transaction.atomic():
            return _import(actor, content, key)
    except (DataError, IntegrityError) as error:
        why = str(error).splitlines()[0][:160]
        text = _("This file has values that are not valid in an event (%(why)s). Nothing was changed.") % {"why": why}
        raise refuse("", text) from error


def _import(actor: User, content: Data, key: UUID) -> Event:
    fields = {name: content["event"][name] for name in FIELDS}
    fields |= {name: _parsed(content["event"][name]) for name in MOMENTS}
    fields["seed"] = bytes.fromhex(content["seed"]) if content["seed"] else new_seed()
    event, new = Event.objects.get_or_create(pk=key, defaults={**fields, "origin": UUID(content["event"]["id"])})
    if not new:
        return event
    event.memberships.create(user=actor, role=Role.ORGANIZER)
    entries = _import_entries(event, content)
    _import_rounds(event, content, entries)
    LogLine.objects.bulk_create(
        LogLine(event=event, kind=line["kind"], reason=line["reason"], facts=line["facts"], at=_parsed(line["at"]))
        for line in content["log"]
    )
    log_line(actor, event, LogKind.IMPORTED, file=str(key), made_at=content["made_at"])
    _read_again(event, content)
    if content["seed"] is None:
        drawn = [each["number"] for each in content["entries"] if each["ticket"] is not None]
        log_line(actor, event, LogKind.OVERRIDE, rule="E23", new_seed=True, tickets=drawn)
    return event


def _import_entries(event: Event, content: Data) -> dict[int | None, Entry]:
    teams = Team.objects.bulk_create(Team(event=event, name=team["name"]) for team in content["teams"])
    team_of = {number: row for row, team in zip(teams, content["teams"], strict=True) for number in team["members"]}
    rows = Entry.objects.bulk_create(
        Entry(
            event=event,
            registered_at=_parsed(each["registered_at"]),
            checked_in_on=day_of(each["checked_in_on"]),
            team=team_of.get(each["number"]),
            **{name: each[name] for name in (*ENTRY, "trophies")},
        )
        for each in content["entries"]
    )
    entries: dict[int | None, Entry] = {entry.number: entry for entry in rows}
    SubmittedList.objects.bulk_create(
        SubmittedList(
            entry=entries[each["number"]],
            command_hand=submitted["command_hand"] or [],
            battle_deck=submitted["battle_deck"] or [],
            typed_deck=submitted["typed_deck"] or [],
            **{name: submitted[name] for name in (*LIST, "units")},
        )
        for each in content["entries"]
        if (submitted := each["list"])
    )
    return entries


def _import_rounds(event: Event, content: Data, entries: Mapping[int | None, Entry]) -> None:
    rounds = Round.objects.bulk_create(
        Round(
            event=event, number=each["number"], stage=each["stage"], state=each["state"],
            started_at=_parsed(each["started_at"]), minutes=each["minutes"],
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
    """Refuse an event that, exported as stored, is not as in the file, except cards that the file hides (E10)."""
    stored = content_of(Event.objects.get(pk=event.pk), EventRole(None, Role.ORGANIZER))
    for one, other in zip(stored["entries"], content["entries"], strict=False):
        if one["list"] and other["list"]:
            hidden = (name for name in ("command_hand", "battle_deck", "typed_deck") if other["list"][name] is None)
            one["list"].update(dict.fromkeys(hidden))
    same = content.keys() - {"version", "made_at", "made_by"} - (set() if content["seed"] else {"commitment"})
    if different := [name for name in content if name in same and stored[name] != content[name]]:
        text = _("%(part)s of this file cannot be stored as it is. Nothing was changed.") % {"part": different[0]}
        raise refuse("", text)


def _parsed(text: Any) -> Any:
    return moment_of(text) if text else None
