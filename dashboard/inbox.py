"""A player's tasks ("Your turn" on the home page), and what they wait for, each with a link to its page."""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts.models import User
from campaign import access
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.pages.sequence import waits_for
from campaign.battles.queries.battles import busy_side, side_to_choose
from campaign.battles.services.sequence import running_step
from campaign.battles.state_machine import OPEN, decides
from campaign.discussion.models import Notice
from campaign.models import Campaign, Enlistment, Membership
from campaign.organizer_tasks.queries import battle_tasks, campaigns_in_play, changed_at, load_sides
from campaign.queries.registers import by_name
from core.db.prepared import Prepared
from core.retention import DRAFT_UNTOUCHED
from dashboard.queries import Home
from registers.models import Register
from registers.queries.readiness import Lacking, lacking_of, outline, perhaps_unready
from rules.core.translation import sentences_of
from rules.core.values import KeywordValue, Value
from rules.post_battle.commendations import Award
from rules.post_battle.dialogue import Choose, Question, Roll
from rules.post_battle.steps import LAST_STEP
from rules.register.state import RegisterState
from tournaments.pages.inbox import tasks_in
from tournaments.queries.inbox import OwnEvent, own_events

_GONE = (Enlistment.Status.WITHDRAWN, Enlistment.Status.RETIRED)
#: The task of each step; `in_full` names it more precisely where the step's question does.
_STEPS = sentences_of(__file__)["steps"]
#: The task for each kind of question, where its step does not name it.
_CHOICES = sentences_of(__file__)["choices"]


class InboxItem(Value):
    """A task of a player or, if `idle`, something they wait for.

    `end` is shown at the end of the line ("5/10"). `sides` are the player's side and the other one, if a sequence asks
    a question. `first`: two players wait for it, so it comes before other tasks.
    """

    title: str
    note: str
    href: str
    end: str = ""
    idle: bool = False
    sides: tuple[Side, Side] | None = None
    first: bool = False


class OpenBattle(KeywordValue):
    """A battle that waits for a player or keeps them waiting.

    `organized`: the player organizes its campaign, and `amendment` is the one they have to decide about. `organizers`
    are the keys of all organizers. `deserted` are the keys of the sides whose player has left the campaign, is only a
    viewer now, or has no account any more.
    """

    sides: tuple[Side, Side]
    organized: bool
    amendment: UUID | None
    organizers: Collection[int]
    deserted: Collection[int]

    @property
    def battle(self) -> Battle:
        """The battle of its sides."""
        return self.sides[0].battle

    @property
    def disputed(self) -> bool:
        """Whether the player has to settle a dispute."""
        return self.organized and self.battle.status == Battle.Status.DISPUTED

    @property
    def left(self) -> bool:
        """Whether the player has to act for somebody who left."""
        return self.organized and any(side.open and side.pk in self.deserted for side in self.sides)

    def player_of(self, side: Side) -> User | None:
        """Return the owner of the side's Register, if they still play."""
        return None if side.pk in self.deserted else _owner(side)


class Badge(Value):
    """The number of a player's tasks, and a `tag` that changes whenever the list does."""

    number: int
    tag: str


def inbox_for(user: User, events: Iterable[OwnEvent] | None = None, home: Home | None = None) -> list[InboxItem]:
    """Return a player's tasks, disputes first, then those in events, and at the end what they wait for. At most eight
    queries; two if `events` and `home`, those of the player, are known.
    """
    own = own_events(user) if events is None else events
    if home:
        states = [(line.register, line.state) for line in home.registers]
    else:
        states = [(each, outline(each)) for each in perhaps_unready(user.pk)]
    states.sort(key=lambda row: by_name(row[0]))
    campaigns = home.campaigns if home else list(campaigns_in_play(user.pk))
    roles = {campaign.pk: campaign.role for campaign in campaigns}
    organized = [key for key, role in roles.items() if role == Membership.Role.ORGANIZER]
    battles = load_sides(_battles_of(user.pk, organized))
    roles |= {each.campaign_id: Membership.Role.ORGANIZER for each in battles if each.campaign.solo_id}
    every = [(roles.get(battle.campaign_id), battle) for battle in battles]
    fights = [fight for role, battle in every if _concerns(user, role, fight := _fight(role, battle))]
    in_campaigns = _in_campaigns(campaigns, battles, fights)
    found = [*_in_events(own), *_in_battles(user, fights), *_in_registers(states), *in_campaigns]
    return sorted(found, key=lambda item: (item.idle, not item.first))


def badge_of(waiting: Iterable[InboxItem]) -> Badge:
    """Return the badge for the page header."""
    listed = list(waiting)
    lines = [
        (item.title, item.note, item.href, item.end, item.idle, item.sides and item.sides[0].turn) for item in listed
    ]
    tag = hashlib.sha256(repr(lines).encode()).hexdigest()[:16]
    return Badge(sum(not item.idle for item in listed), tag)


def in_full(waiting: Iterable[InboxItem], states: Mapping[UUID, RegisterState]) -> list[InboxItem]:
    """Return the items with titles that name a sequence's question. `states` are of the player's Registers."""
    found = []
    for item in waiting:
        if item.sides:
            question = running_step(*item.sides, states[item.sides[0].own_register.pk]).question
            item = replace(item, title=_title(question) or item.title)
        found.append(item)
    return found


def _in_events(events: Iterable[OwnEvent]) -> Iterator[InboxItem]:
    now = timezone.now()
    for own in events:
        for task in tasks_in(own, now):
            yield InboxItem(task.title, task.note, task.href, idle=task.idle)


def _in_registers(states: Iterable[tuple[Register, RegisterState]]) -> Iterator[InboxItem]:
    for register, state in states:
        enlistment = getattr(register, "enlistment", None)
        if enlistment and (enlistment.status in _GONE or not enlistment.campaign.is_open):
            continue  # a Register that was withdrawn or retired, or whose campaign is over, has nothing to do
        lacking, where = lacking_of(register, state), f"{enlistment.campaign} · " if enlistment else ""
        founding, edit = (reverse(f"registers:{page}", args=[register.pk]) for page in ("building", "edit"))
        match lacking:
            case Lacking.COMMISSION:
                faction = register.get_faction_display() or gettext("no Faction yet")
                about = f"{where}{register}, {faction}"
                if timezone.now() - register.touched_at > DRAFT_UNTOUCHED:
                    since = gettext("unchanged since %(day)s") % {
                        "day": date_format(register.touched_at, "DATE_FORMAT")
                    }
                    delete = reverse("registers:delete", args=[register.pk])
                    yield InboxItem(gettext("Finish or delete your draft"), f"{about}, {since}", delete)
                else:
                    yield InboxItem(gettext("Finish building"), about, founding)
            case Lacking.STORY_ARC:
                about = gettext("%(register)s needs a new Story Arc (R49)") % {"register": register}
                yield InboxItem(gettext("Choose a Story Arc"), where + about, edit)
            case Lacking.CORPS:
                about = gettext("%(register)s needs at least 2 (R4)") % {"register": register}
                yield InboxItem(gettext("Add corps units"), where + about, edit)


def _in_campaigns(
    campaigns: Iterable[Any], battles: Iterable[Any], fights: Iterable[OpenBattle]
) -> Iterator[InboxItem]:
    """Yield notices, Registers to review, and a line for the other tasks of each campaign that the user organizes."""
    listed = {fight.battle.pk for fight in fights}
    others = [battle for battle in battles if battle.pk not in listed]
    tasks = Counter(task.campaign_id for task in battle_tasks(others) if task.counts)
    for campaign in campaigns:
        for notice in campaign.unseen:
            yield _notice(notice, campaign)
        if campaign.role != Membership.Role.ORGANIZER or not campaign.is_open:
            continue
        for register in campaign.approvals:
            title = gettext("Review %(register)s") % {"register": register["name"] or str(Register())}
            about = gettext("It can play in %(campaign)s once you approve it") % {"campaign": campaign}
            yield InboxItem(title, about, reverse("campaign:consent", args=[campaign.pk, register["key"]]))
        if number := tasks[campaign.pk] + campaign.absent + campaign.over:
            note = ngettext("%(n)s organizer task", "%(n)s organizer tasks", number) % {"n": number}
            title = gettext("Check %(campaign)s") % {"campaign": campaign}
            yield InboxItem(title, note, reverse("organizer_tasks:tasks", args=[campaign.pk]))


def _notice(notice: Mapping[str, Any], campaign: Campaign) -> InboxItem:
    who, href = notice["known_as"] or notice["by"], reverse("discussion:notice", args=[notice["key"]])
    if notice["kind"] == Notice.Kind.REMINDER:
        title = gettext("%(who)s reminds you of battle %(number)s") % {"who": who, "number": notice["battle"]}
    else:
        title = gettext("%(who)s mentioned you") % {"who": who}
    return InboxItem(title, str(campaign), href)


def _in_battles(user: User, fights: Iterable[OpenBattle]) -> Iterator[InboxItem]:
    for fight in fights:
        blue, red = fight.sides
        both = ((blue, red), (red, blue))
        fighters = [side.register.owner_id for side in (blue, red) if side.register]
        if fight.amendment:
            yield InboxItem(
                gettext("Decide on a correction"),
                _about(blue, red),
                reverse("battles:amendment", args=[fight.amendment]),
            )
        may_settle = decides(user, fighters, fight.organizers)
        if fight.disputed and may_settle:
            there = f"{blue.battle.get_absolute_url()}#dispute"
            yield InboxItem(gettext("Settle a dispute"), _about(blue, red), there, first=True)
            continue
        yield from _once(_at(fight, *each) for each in both if each[0].open and fight.player_of(each[0]) == user)
        if fight.left and (may_settle or blue.battle.status != Battle.Status.REPORTED):
            yield from _once(_in_stead(fight, *each) for each in both if _waits_for_an_organizer(fight, *each))


def _waits_for_an_organizer(fight: OpenBattle, side: Side, other: Side) -> bool:
    """Return whether a side has something to do that only an organizer can do."""
    if not side.open or side.pk not in fight.deserted:
        return False
    # Either player may start or report the battle, so the other one has the task already.
    starts = side.battle.status == Battle.Status.READY and side_to_choose([side, other]) is None
    either = starts or side.battle.status == Battle.Status.IN_PLAY
    return not _at(fight, side, other).idle and not (either and fight.player_of(other))


def _in_stead(fight: OpenBattle, side: Side, other: Side) -> InboxItem:
    item = _at(fight, side, other)
    sentence = gettext("%(battle)s; %(side)s has no player")
    note = sentence % {"battle": _about(side, other), "side": side.name}
    settles = side.battle.status == Battle.Status.REPORTED
    title = gettext("Settle the report") if settles else item.title
    # The battle's page, where the opponent can say that they act for this side.
    return InboxItem(title, note, side.battle.get_absolute_url(), item.end)


def _once(items: Iterable[InboxItem]) -> Collection[InboxItem]:
    """Return the tasks of one battle. A player of both sides gets each task once, and does not wait for themselves."""
    found = {(item.title, item.href): item for item in items}
    return [item for item in found.values() if not item.idle] or list(found.values())[:1]


def _about(side: Side, other: Side) -> str:
    sentence = gettext("Battle %(number)s: %(side)s against %(other)s")
    about = sentence % {"number": side.battle.number, "side": side.name, "other": other.name}
    return about if side.battle.campaign.solo_id else f"{side.battle.campaign} · {about}"


def _at(fight: OpenBattle, side: Side, other: Side) -> InboxItem:
    battle, there = side.battle, side.battle.get_absolute_url()
    about = _about(side, other)
    match battle.status:
        case Battle.Status.PLANNED if not side.army_chosen:
            choose_army = reverse("battles:army", args=[side.pk])
            return InboxItem(gettext("Choose the army of %(side)s") % {"side": side.name}, about, choose_army)
        case Battle.Status.PLANNED:
            return InboxItem(gettext("%(side)s is choosing its army") % {"side": other.name}, about, there, idle=True)
        case Battle.Status.READY if due := side_to_choose([side, other]):
            if due is side:
                return InboxItem(gettext("Choose the Agenda of %(side)s") % {"side": side.name}, about, there)
            return InboxItem(gettext("%(side)s is choosing its Agenda") % {"side": other.name}, about, there, idle=True)
        case Battle.Status.READY if busy := busy_side([side, other]):
            sentence = gettext("%(side)s is still in another battle") % {"side": busy.name}
            return InboxItem(sentence, about, there, idle=True)
        case Battle.Status.READY:
            return InboxItem(gettext("Start the battle"), about, there)
        case Battle.Status.IN_PLAY:
            return InboxItem(gettext("Play and report the battle"), about, reverse("battles:table", args=[battle.pk]))
        case Battle.Status.REPORTED:
            return _reported(fight, side, other)
        case Battle.Status.DISPUTED:
            return _disputed(battle, side, about)
    return _in_sequence(side, other, about)


def _reported(fight: OpenBattle, side: Side, other: Side) -> InboxItem:
    """Return the task to confirm; the player who reported waits for the other one, if there is one (R25)."""
    there, about = fight.battle.get_absolute_url(), _about(side, other)
    reporter = fight.battle.reported_by
    if reporter and reporter == _owner(side) and _owner(other) not in (None, reporter):
        if other.pk in fight.deserted:
            return InboxItem(gettext("Waiting for an organizer to settle your report"), about, there, idle=True)
        sentence = gettext("Waiting for %(player)s to confirm your report") % {"player": _owner(other)}
        return InboxItem(sentence, about, there, idle=True)
    sentence = gettext("Confirm %(player)s’s report") if reporter else gettext("Confirm the report")
    return InboxItem(sentence % {"player": reporter}, about, there)


def _disputed(battle: Battle, side: Side, about: str) -> InboxItem:
    """Return the task to report again, for the reporter. The disputing player waits for them or an organizer."""
    if battle.reported_by in (None, _owner(side)):
        return InboxItem(gettext("Report the battle again"), about, reverse("battles:report", args=[battle.pk]))
    sentence = gettext("Waiting for %(player)s to answer your dispute") % {"player": battle.reported_by}
    return InboxItem(sentence, about, battle.get_absolute_url(), idle=True)


def _in_sequence(side: Side, other: Side, about: str) -> InboxItem:
    # Organizers who play are sent to their own side.
    there = reverse("battles:sequence_side", args=[side.battle_id, side.colour])
    at = f"{side.step}/{LAST_STEP}"
    if waits_for(other, side):
        sentence = gettext("Waiting for %(side)s, at step %(step)s") % {"side": other.name, "step": other.step}
        return InboxItem(sentence, about, there, at, idle=True)
    return InboxItem(gettext(_STEPS[str(side.step)]), about, there, at, sides=(side, other))


def _owner(side: Side) -> User | None:
    return side.register.owner if side.register else None


@Prepared
def _battles_of(user: int, organized: Collection[UUID]) -> QuerySet[Any]:
    """Return the battles in which a player has something to do or waits, and the open battles of the campaigns (by
    key) that they organize, newest first in each campaign.

    They are selected by the player's own Registers and campaigns, so the number of others does not matter.
    """
    amended = Amendment.objects.filter(state=Amendment.State.OPEN, battle__campaign__in=organized)
    own = Side.objects.filter(register__owner=user, open=True)
    amendments = Amendment.objects.filter(state=Amendment.State.OPEN, battle=OuterRef("pk"))
    organizers = access.organizers().filter(campaign=OuterRef("campaign")).values("user")
    battles = Battle.objects.select_related("reported_by", "campaign").filter(
        Q(pk__in=own.values("battle"))
        | Q(campaign__in=organized, status__in=OPEN)
        | Q(pk__in=amended.values("battle")),
        campaign__deleted_at=None,
    )
    return battles.order_by("campaign__name", "campaign", "-number").annotate(
        changed_at=changed_at(), amendment=Subquery(amendments.values("pk")[:1]), organizers=ArraySubquery(organizers)
    )


def _fight(role: str | None, battle: Any) -> OpenBattle:
    blue, red = battle.sides.all()
    organized = role == Membership.Role.ORGANIZER
    return OpenBattle(
        sides=(blue, red),
        organized=organized,
        amendment=battle.amendment if organized else None,
        organizers=battle.organizers,
        deserted=[side.pk for side in (blue, red) if _is_deserted(side)],
    )


def _is_deserted(side: Any) -> bool:
    """Return whether the player of a side (of `load_sides`) can no longer act for it; a guest has no player."""
    if side.register is None:
        return False
    plays = side.player_role not in (None, Membership.Role.VIEWER)
    return not plays or side.register.owner is None or not side.register.owner.is_active


def _concerns(user: User, role: str | None, fight: OpenBattle) -> bool:
    is_open = fight.battle.status in OPEN
    own = any(side.open and _owner(side) == user for side in fight.sides)
    if is_open and own and role not in (None, Membership.Role.VIEWER):
        return True
    return bool((is_open and fight.left) or fight.disputed or fight.amendment)


def _title(question: Question | None) -> str:
    match question:
        case Award(dues=dues) if awards := sum(bool(due.options) for due in dues):
            return ngettext("Award a Commendation", "Award %(n)s Commendations", awards) % {"n": awards}
        case Award(dues=dues):
            return ngettext("Name a veteran", "Name %(n)s veterans", len(dues)) % {"n": len(dues)}
        case Choose(kind=kind):
            return gettext(_CHOICES[kind]) if kind in _CHOICES else ""
        case Roll(rule="R36" | "R37", text=text):  # Setbacks and Traits are rolled in several steps
            return text
    return ""
