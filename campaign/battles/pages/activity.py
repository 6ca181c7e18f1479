"""The activity log in words, which are made from the facts of each event when it is read."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import CharField, Prefetch, QuerySet, Value
from django.db.models.functions import Cast
from django.utils.dateparse import parse_date, parse_time
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _, ngettext

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.report_changes import changes_in_words
from campaign.models import Activity, ActivityKind, Campaign, Membership
from campaign.models.activity import CORRECTION, DONE, UNDONE, Action
from campaign.queries.campaign_rules import name_words, value_words
from catalogue.snapshot import rulebook
from core.activity_log import Presenters
from core.sentences import said
from registers.keys import entry_address, key_in
from registers.ledger.text import who_did
from registers.models import LedgerEntry, Register
from registers.queries.changes import EntryKey, changes_of
from rules.core import values
from rules.core.campaign_rules import BY_NAME
from rules.core.translation import sentences_of

#: Characters of a commitment: enough to find it on the page of the battle's dice.
SEAL_SHOWN = 12


class LogContext(values.Value):
    """What presenters need beside a line: names by key (as text), and what each correction changed, in words."""

    called: Mapping[str, str]
    changes: Mapping[EntryKey, str]


class ActivityLine(values.KeywordValue):
    """One event as a list shows it. `act` is what was done with a battle, `note` the reason in the actor's words,
    `seal` the beginning of the commitment made for the battle's dice.
    """

    at: datetime
    who: str
    text: str
    note: str = ""
    act: str = ""
    seal: str = ""
    about: str = ""
    href: str = ""


#: One presenter for each kind of line, and for what was done with a battle one that takes the names of its sides.
PRESENTERS: Presenters[Callable[[Activity, LogContext], str]] = Presenters()
BATTLE_PRESENTERS: Presenters[Callable[[Mapping[str, Any], Mapping[str, str]], str]] = Presenters()

SENTENCES = sentences_of(__file__)
#: The facts that choose a sentence, where that is not `what`.
CHOSEN_BY = {ActivityKind.STATUS: "status", ActivityKind.DETAILS: "name", ActivityKind.LIFECYCLE: "act"}


def of_battle(battle: Battle) -> QuerySet[Activity]:
    """Return the events of a battle, newest first, ready for `activity_lines`. Its sides must be prefetched."""
    return battle.activity.select_related("actor", "on_behalf_of")


def latest(battle: Battle, act: Action) -> ActivityLine | None:
    """Return the last time this was done with a battle; None if it never was."""
    return next(iter(activity_lines(of_battle(battle).filter(facts__act=str(act))[:1])), None)


def of_campaign(campaign: Campaign) -> QuerySet[Activity]:
    """Return the events of a campaign, ready for `activity_lines`: with the sides of the battles."""
    sides = Prefetch("battle__sides", Side.objects.select_related("register"))
    return campaign.activity.select_related("actor", "on_behalf_of", "battle").prefetch_related(sides)


def activity_lines(events: Iterable[Activity]) -> list[ActivityLine]:
    """Return the events in words: three queries at most, for names and for what corrections changed."""
    events = list(events)
    # An imported file may name Registers of other campaigns.
    own = LedgerEntry.objects.filter(register__enlistment__campaign__in={event.campaign_id for event in events})
    context = LogContext(_names_in(events), changes_of(filter(None, map(_entry_of, events)), own))
    return [_line(event, context) for event in events]


def _entry_of(event: Activity) -> EntryKey | None:
    """Return the ledger entry that an event is about: that of a correction or an award."""
    key, position = key_in(str(event.facts.get("register"))), event.facts.get("entry")
    corrected = event.kind == ActivityKind.CORRECTED and key and isinstance(position, int)
    return (key, position) if corrected else None  # type: ignore[return-value]


def _names_in(events: Iterable[Activity]) -> Mapping[str, str]:
    # An imported file may contain anything.
    people = {user for event in events if isinstance(user := event.facts.get("user"), int)}
    registers = {key for event in events if (key := key_in(str(event.facts.get("register"))))}
    if not (people or registers):
        return {}
    key = Cast("pk", CharField())
    named = User.objects.filter(pk__in=people).values_list(key, "username", "known_as")
    # Nobody but its player reads of a draft.
    finished = Register.objects.filter(pk__in=registers, commissioned=True)
    others = finished.order_by().values_list(key, "name", Value(""))
    unnamed = str(Register())
    return {key: known_as or name or unnamed for key, name, known_as in named.union(others)}


def _line(event: Activity, context: LogContext) -> ActivityLine:
    battle, kind = event.battle, ActivityKind(event.kind)
    about, href = "", ""
    if battle:
        about, href = _("Battle %(number)s") % {"number": battle.number}, battle.get_absolute_url()
    elif kind == ActivityKind.CORRECTED:
        about, href = _("History"), entry_address(event.facts.get("register"), event.facts.get("entry"))
    return ActivityLine(
        at=event.at,
        who=who_did(event.actor, event.on_behalf_of),
        text=_text(event, kind, context),
        note=event.facts.get("reason", ""),
        act=event.facts.get("act", ""),
        seal=event.facts.get("commitment", "")[:SEAL_SHOWN],
        about=about,
        href=href,
    )


def _text(event: Activity, kind: ActivityKind, context: LogContext) -> str:
    if kind in PRESENTERS:
        return PRESENTERS[kind](event, context)
    return _say(SENTENCES["lines"][kind], event.facts, _named(event, context), CHOSEN_BY.get(kind, "what"))


def _say(found: str | Mapping[str, str], facts: Mapping[str, Any], words: Mapping[str, Any], name: str = "what") -> str:
    """Return a sentence, or of several the one for the value of a fact. Raises KeyError for a value that has none."""
    return said(found if isinstance(found, str) else found[facts[name]], words)


class _Places(dict[str, Any]):
    """The places of a sentence; those that an imported file lacks are empty."""

    def __missing__(self, place: str) -> str:
        return ""


def _named(event: Activity, context: LogContext) -> _Places:
    """Return the facts of an event, and the names of the person it is about (or its actor) and of the Register."""
    facts = event.facts
    who = context.called.get(str(facts.get("user", "")), event.actor.get_username() if event.actor else "")
    register = context.called.get(str(facts.get("register")), _("A Register"))
    role = dict(Membership.Role.choices).get(facts.get("role"), "")
    return _Places(facts, who=who, author=who, register=register, role=role)


@PRESENTERS.presents(ActivityKind.CORRECTED)
def _corrected(event: Activity, context: LogContext) -> str:
    facts = event.facts
    entry, done = _entry_of(event), str(facts.get("done"))
    changes = context.changes.get(entry, "") if entry else ""
    if changes:
        changes = f" ({changes})" if done == UNDONE else f": {changes}"
    own = _(" An organizer did this on their own Register.") if facts.get("own") else ""
    texts = SENTENCES["corrected"]
    text = texts.get(str(facts.get("what")), {}).get(done, texts[CORRECTION][DONE])
    return said(text, {**_named(event, context), "changes": changes}) + own


@PRESENTERS.presents(ActivityKind.JOINED)
def _joined(event: Activity, context: LogContext) -> str:
    without_account = event.facts.get("placeholder")
    text = _("%(who)s was added, without an account.") if without_account else _("%(who)s joined.")
    return text % _named(event, context)


@PRESENTERS.presents(ActivityKind.CAMPAIGN_RULES)
def _campaign_rules(event: Activity, context: LogContext) -> str:
    name, before, after = (event.facts[fact] for fact in ("name", "before", "after"))
    book = rulebook()
    try:
        was, now = (value_words(book, name, value) for value in (before, after))
        title = name_words(name)
    except KeyError:  # a switch or a value that no longer exists
        title, was, now = name, before, after
    if name in BY_NAME:
        return _("House rule “%(name)s”: %(now)s") % {"name": title, "now": now}
    return _("%(name)s: %(was)s → %(now)s") % {"name": title, "was": was, "now": now}


@PRESENTERS.presents(ActivityKind.ARC)
def _arc(event: Activity, context: LogContext) -> str:
    facts = event.facts
    return _("Story Arc %(arc)s, version %(version)s: %(what)s.") % {
        "arc": facts.get("arc", ""), "version": facts.get("version", ""), "what": _(facts.get("what", "")),
    }  # fmt: skip


@PRESENTERS.presents(ActivityKind.PHASE)
def _phase(event: Activity, context: LogContext) -> str:
    facts, texts = event.facts, SENTENCES["phase"]
    size = facts.get("size")
    words = {
        "name": facts.get("name", ""),
        "first": _day(str(facts.get("first_day", ""))),
        "last": _day(str(facts.get("last_day", ""))),
        "size": _(", %(points)s points") % {"points": size} if size else "",
    }
    return said(texts.get(str(facts.get("what")), texts["changed"]), words)


@PRESENTERS.presents(ActivityKind.ROUND)
def _round(event: Activity, context: LogContext) -> str:
    facts = event.facts
    number = facts.get("battles")
    count = number if isinstance(number, int) else 0
    sentence = ngettext(
        "Round %(number)s paired: %(count)s battle, due %(due)s.",
        "Round %(number)s paired: %(count)s battles, due %(due)s.",
        count,
    )
    return sentence % {"number": facts.get("number", ""), "count": count, "due": _day(str(facts.get("due", "")))}


@PRESENTERS.presents(ActivityKind.BATTLE)
def _battle(event: Activity, context: LogContext) -> str:
    if event.battle is None:
        raise ValueError(f"Event {event.pk} is about a battle but has none")
    sides = {side.colour: side.name for side in event.battle.sides.all()}
    act = Action(event.facts["act"])
    if act in BATTLE_PRESENTERS:
        return BATTLE_PRESENTERS[act](event.facts, sides)
    return _say(SENTENCES["battle"][act], event.facts, {"side": sides.get(event.facts.get("colour"), "")})


@BATTLE_PRESENTERS.presents(Action.PLAN)
def _planned(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    where = _(", %(place)s") % {"place": facts["place"]} if facts["place"] else ""
    when = ", ".join(filter(None, [_day(facts["date"]), _clock(facts.get("time"))]))
    return _("Planned: %(blue)s against %(red)s, %(size)s points, %(date)s%(where)s.") % {
        **sides, "size": facts["size"], "date": when, "where": where,
    }  # fmt: skip


@BATTLE_PRESENTERS.presents(Action.REPLAN)
def _replanned(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    before, after, parts = facts["before"], facts["after"], []
    if "size" in after:
        parts.append(_("%(before)s → %(after)s points") % {"before": before["size"], "after": after["size"]})
    if "date" in after:
        parts.append(f"{_day(before['date'])} → {_day(after['date'])}")
    if "time" in after:
        clocks = [_clock(each["time"]) or _("no time") for each in (before, after)]
        parts.append(" → ".join(clocks))
    if "time_zone" in after and after["time_zone"] and before["time_zone"]:
        parts.append(_("time zone %(zone)s") % {"zone": after["time_zone"].replace("_", " ")})
    if "place" in after:
        parts.append(_("in %(place)s") % {"place": after["place"]} if after["place"] else _("no location"))
    if "mission" in after:
        arc = rulebook().story_arcs.get(after["mission"])
        parts.append(
            _("Turning Point Mission %(name)s") % {"name": arc.turning_point.name}
            if arc
            else _("no Turning Point Mission")
        )
    if "arrangements" in after:
        parts.append(_("notes changed"))
    return _("Plan changed: %(changes)s.") % {"changes": ", ".join(parts)}


@BATTLE_PRESENTERS.presents(Action.BEGIN)
def _begun(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    begins = _("The battle begins.")
    return f"{begins} {_replanned(facts, sides)}" if "after" in facts else begins


@BATTLE_PRESENTERS.presents(Action.CHOOSE_ARMY)
def _army_chosen(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    words = {"side": sides[facts["colour"]]}
    if facts["to"] == Battle.Status.PLANNED:
        return _("%(side)s chose an army.") % words
    if facts["from"] == Battle.Status.PLANNED:
        return _("%(side)s chose an army. Both armies are ready.") % words
    return _("%(side)s changed the army.") % words


@BATTLE_PRESENTERS.presents(Action.CHOOSE_AGENDA)
def _agenda_chosen(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    words = {"side": sides[facts["colour"]]}
    if facts["agenda"] is None:
        return _("%(side)s changes its Agenda.") % words
    if not (agenda := rulebook().agendas.get(facts["agenda"])):
        return _("%(side)s brings no Agenda.") % words
    return _("%(side)s brings the Agenda %(agenda)s.") % {**words, "agenda": agenda.name}


@BATTLE_PRESENTERS.presents(Action.REPORT)
def _reported(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    blue, red = (facts["victory_points"].get(colour, 0) for colour in (Side.BLUE, Side.RED))
    winner = sides.get(facts["winner"])
    result = _("%(winner)s won") % {"winner": winner} if winner else _("a draw")
    result += f", {blue}–{red}" if blue or red else ""  # else nobody entered them
    if facts["from"] == Battle.Status.IN_PLAY:
        return _("Reported: %(result)s.") % {"result": result}
    return " ".join([_("Report changed: %(result)s.") % {"result": result}, *_changes(facts, sides)])


def _changes(facts: Mapping[str, Any], sides: Mapping[str, str]) -> list[str]:
    """Return what a rewritten report changed, as one sentence, or nothing."""
    changes = changes_in_words(facts.get("changes") or {}, sides)
    return [_("Changed: %(changes)s.") % {"changes": "; ".join(changes)}] if changes else []


@BATTLE_PRESENTERS.presents(Action.SETTLE)
def _settled(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    what = "dispute" if facts.get("from") == Battle.Status.DISPUTED else "report"
    return _(SENTENCES["settled"][f"{what}_played" if facts.get("played") else what])


@BATTLE_PRESENTERS.presents(Action.AMEND)
def _revised(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    played = _(" The organizer who did this also played.") if facts.get("played") else ""
    text = said(SENTENCES["amended"][facts["what"]], {"side": sides.get(facts["colour"], "")}) + played
    return " ".join([text, *_changes(facts, sides)])


@BATTLE_PRESENTERS.presents(Action.CANCEL)
def _canceled(facts: Mapping[str, Any], sides: Mapping[str, str]) -> str:
    return _("Canceled by an organizer who played. The report was dropped.") if facts.get("played") else _("Canceled.")


def _day(text: str) -> str:
    day = parse_date(text)
    return date_format(day) if day else text


def _clock(text: str | None) -> str:
    time = parse_time(text) if text else None
    return time_format(time) if time else ""
