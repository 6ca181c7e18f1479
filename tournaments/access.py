"""Which events and leagues a person may see, and which of them they lead or play in. Anything else is a 404.

Events that are not drafts are public. `EventRole` is read once for a page and passed on. Services ask again under the
event's lock (`check_leader` and its neighbors), and there also whether a leader may decide about this game or entry
(`check_impartial`), such as enter its result.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.contrib.auth import logout
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, F, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from accounts.models import User, has_right
from core.db.prepared import Prepared
from members.models import Role
from members.roles import ORGANIZE, is_organizer
from rules.core.values import Value
from rules.core.violations import refuse
from rules.tournaments.leaders import ruling_leaders
from tournaments.models import Entry, Event, Game, League, Membership, Round
from tournaments.roles import role_word


class EventRole(Value):
    """What a person is in an event. `role` is that of a leader, None for everybody else; `entry` is their own. `former`
    is the entry of one who was ejected or withdrew before playing: they read what everybody reads.
    """

    user: User | None
    role: str | None = None
    entry: Entry | None = None
    former: Entry | None = None

    @property
    def is_organizer(self) -> bool:
        """Whether they organize the event. Staff with ORGANIZE organize every one."""
        return has_right(self.user, ORGANIZE) or self.role == Role.ORGANIZER

    @property
    def is_head_judge(self) -> bool:
        """Whether they decide on appeals: the head judge, or an organizer (E1, E3)."""
        return self.is_organizer or self.role == Role.HEAD_JUDGE

    @property
    def is_leader(self) -> bool:
        """Whether they are an organizer or a judge (E1)."""
        return self.is_head_judge or self.role == Role.JUDGE

    @property
    def sees_clock(self) -> bool:
        """Whether they see the secret end of a round: leaders who do not play in the event themselves (E26)."""
        return self.is_leader and (self.entry is None or self.entry.state != Entry.State.PLAYING)

    def plays_as(self, entry: Entry) -> bool:
        """Return whether an entry is their own."""
        return self.entry is not None and self.entry.pk == entry.pk


#: Session key of the entries that a personal link has opened: the token of the entry by the primary key of the event.
OPENED = "event_entries"
#: Session key of a kiosk: its event, the organizer who opened it, the hash of its code, and whether it is unlocked.
KIOSK = "event_kiosk"


def events_for(user: User | AnonymousUser) -> QuerySet[Event]:
    """Return all events that somebody may see: public ones, and those that they lead."""
    if has_right(user, ORGANIZE):
        return Event.objects.all()
    public = Event.objects.exclude(state=Event.State.DRAFT)
    return public | Event.objects.filter(pk__in=Membership.objects.filter(user=user.pk).values("event"))


def event_role(request: HttpRequest, event: Event, entry: Entry | None = None) -> EventRole:
    """Return what somebody is in an event: their entry is that of their account, else of their personal link (E5).
    `entry` saves a query if it is known.
    """
    user = request.user if isinstance(request.user, User) else None
    found = entry or _own_entry(request, event.pk)
    role = (found.leads_as if found else next(iter(_roles(event.pk, user.pk)), None)) if user else None
    if found:
        found.event = event
    if found and _has_lost(found):
        return EventRole(user, role, former=found)
    return EventRole(user, role, found)


def _has_lost(entry: Entry) -> bool:
    """Return whether an entry opens nothing any more: ejected (E4), or withdrawn before playing."""
    return entry.state == Entry.State.EJECTED or (entry.state == Entry.State.DROPPED and entry.ticket is None)


@Prepared
def _roles(event: UUID, user: int) -> QuerySet[Membership, str]:
    return Membership.objects.filter(event__pk=event, user__pk=user).values_list("role", flat=True)


@Prepared
def _entries(event: UUID, token: str, user: int | None) -> QuerySet[Entry]:
    mine = Q(token=token, user=None)
    if user is not None:
        mine |= Q(user__pk=user)
    found = Entry.objects.filter(mine, event__pk=event).select_related("event")
    if user is not None:
        role = Membership.objects.filter(event__pk=event, user__pk=user).values("role")[:1]
        found = found.annotate(leads_as=Subquery(role))
    return found.order_by(F("user").asc(nulls_last=True))[:1]


def _own_entry(request: HttpRequest, pk: UUID) -> Entry | None:
    """Return the entry with its event in which the reader may act: that of their account, else that of their personal
    link, which is for players without an account.
    """
    token = request.session.get(OPENED, {}).get(str(pk), "")
    return next(iter(_entries(pk, token, request.user.pk)), None)


def open_entry(request: HttpRequest, entry: Entry) -> None:
    """Remember in the session that the personal link of an entry was followed."""
    opened = request.session.get(OPENED, {})
    request.session[OPENED] = {**opened, str(entry.event_id): entry.token}


def event_for(request: HttpRequest, pk: UUID) -> tuple[Event, EventRole]:
    """Return an event and what the reader is in it. Raises Http404 for a draft of others."""
    if (event := Event.objects.select_related("league").filter(pk=pk).first()) is None:
        raise Http404("No such event")
    role = event_role(request, event)
    if event.state == Event.State.DRAFT and not role.is_leader:
        raise Http404("Not published yet")
    return event, role


def public_event_for(pk: UUID) -> Event:
    """Return an event for other programs, which have no session. Raises Http404 for a draft."""
    return get_object_or_404(Event.objects.exclude(state=Event.State.DRAFT), pk=pk)


def led_event_for(request: HttpRequest, pk: UUID) -> tuple[Event, EventRole]:
    """Return an event, if the reader leads it. Raises Http404 otherwise."""
    event, role = event_for(request, pk)
    if not role.is_leader:
        raise Http404("Not a leader of this event")
    return event, role


def organized_event_for(request: HttpRequest, pk: UUID) -> tuple[Event, EventRole]:
    """Return an event, if the reader organizes it. Raises Http404 otherwise."""
    event, role = event_for(request, pk)
    if not role.is_organizer:
        raise Http404("Not an organizer of this event")
    return event, role


def played_event_for(request: HttpRequest, pk: UUID) -> tuple[Event, EventRole, Entry]:
    """Return an event, the reader's role and their own entry in it. Raises Http404 if they have none."""
    event, role = event_for(request, pk)
    if role.entry is None:
        raise Http404("Not a player of this event")
    return event, role, role.entry


def polling_entry_for(request: HttpRequest, pk: UUID) -> Entry:
    """Return the reader's own entry with its event, in one query, for polls. Raises Http404 as `played_event_for`."""
    entry = _own_entry(request, pk)
    if entry is None or _has_lost(entry) or entry.event.state == Event.State.DRAFT:
        return played_event_for(request, pk)[2]
    return entry


def open_kiosk(request: HttpRequest, event: Event, user: User, code: str) -> None:
    """Make the session that of a kiosk at the door, which acts for an organizer, who signs out of it. `code` unlocks
    it.
    """
    logout(request)
    request.session[KIOSK] = {"event": str(event.pk), "user": user.pk, "code": make_password(code)}


def kiosk_for(request: HttpRequest, pk: UUID) -> tuple[Event, User, dict[str, Any]] | None:
    """Return the event of a kiosk, the organizer for whom it acts, and what the session has of it; None if this browser
    is no kiosk of the event, or its organizer organizes it no more.
    """
    kiosk = request.session.get(KIOSK, {})
    event, user = Event.objects.filter(pk=pk).first(), User.objects.filter(pk=kiosk.get("user", 0)).first()
    if kiosk.get("event") != str(pk) or event is None or user is None or not user.is_active:
        return None
    return (event, user, kiosk) if is_organizer(user, event) else None


def entry_in(event: Event, number: int) -> Entry:
    """Return the entry with a number. Raises Http404 if there is none."""
    entry = get_object_or_404(event.entries, number=number)
    entry.event = event
    return entry


def leagues() -> QuerySet[League]:
    """Return all leagues with the number of their public events."""
    states = [state for state in Event.State if state != Event.State.DRAFT]
    public = Count("events", filter=Q(events__state__in=states))
    return League.objects.select_related("owner").annotate(event_count=public)


def attachable_events(user: User, league: League) -> QuerySet[Event]:
    """Return the events that a person organizes and that are not in this league yet."""
    own = Event.objects.filter(memberships__user=user, memberships__role=Role.ORGANIZER)
    return own.exclude(league=league).exclude(state=Event.State.CANCELLED).order_by("-created_at")


def league_for(pk: UUID) -> League:
    """Return a league with its owner; all are public. Raises Http404 if there is none."""
    return get_object_or_404(League.objects.select_related("owner"), pk=pk)


def owns_league(request: HttpRequest, league: League) -> bool:
    """Return whether the reader may change a league: its owner, and staff."""
    return has_right(request.user, ORGANIZE) or league.owner_id == request.user.pk


def owned_league_for(request: HttpRequest, pk: UUID) -> League:
    """Return a league, if the reader owns it. Raises Http404 otherwise."""
    found = league_for(pk)
    if not owns_league(request, found):
        raise Http404("Not the owner of this league")
    return found


def check_organizer(actor: User | None, event: Event) -> None:
    """Refuse anyone who does not organize a locked event (E1)."""
    if actor is None or not is_organizer(actor, event):
        raise refuse("", gettext("Only an organizer of this event can do this."))


def check_leader(actor: User, event: Event) -> None:
    """Refuse anyone but the organizers and judges of a locked event, who may also enter results for others (E1)."""
    if not _leads(actor, event, Event.roles):
        raise refuse("", gettext("Only a leader of this event can do this."))


def check_head_judge(actor: User, event: Event) -> None:
    """Refuse anyone but those who decide on appeals in a locked event: its head judge and organizers (E3)."""
    if not _leads(actor, event, (Role.ORGANIZER, Role.HEAD_JUDGE)):
        head = role_word(event.rule_set, Role.HEAD_JUDGE)
        raise refuse("", gettext("Only the %(head)s or an organizer can do this.") % {"head": head})


def _leads(actor: User, event: Event, roles: Collection[str]) -> bool:
    return has_right(actor, ORGANIZE) or event.memberships.filter(user=actor, role__in=roles).exists()


def check_not_ejected(entry: Entry) -> None:
    """Refuse a player of a locked event who was ejected (E4): the link and the session that they have let them act no
    more.
    """
    if Entry.objects.filter(pk=entry.pk, state=Entry.State.EJECTED).exists():
        raise refuse("E4", gettext("You were ejected from this event. Your results stay."))


def check_impartial(
    actor: User, event: Event, players: Collection[Entry | None], roles: Collection[str] = Event.roles
) -> None:
    """Refuse a leader of a locked event who is one of these players: the two of a game, or one whose entry it is about.
    `roles` are the roles that may decide. The others among them do; if both players of a game lead, the head judge
    does. If nobody else may decide, the leader does, and the log shows it (E2).
    """
    playing = {entry.user_id for entry in players if entry and entry.user_id}
    if not playing:
        return
    memberships = event.memberships.filter(role__in=roles, user__is_active=True)
    leaders: dict[int, str] = dict(memberships.values_list("user", "role"))
    ruling = ruling_leaders(leaders, playing)
    if not ruling or actor.pk in ruling:
        return
    if actor.pk in playing:
        own_game = len(players) > 1
        text = gettext("You play in this game. Ask another leader to decide it.")
        raise refuse("E2", text if own_game else gettext("This is your own entry. Ask another leader to decide."))
    if actor.pk in leaders:
        highest = Role.HEAD_JUDGE if Role.HEAD_JUDGE in leaders.values() else Role.ORGANIZER
        head = role_word(event.rule_set, highest)
        raise refuse("E2", gettext("Two leaders play this game. Ask the %(head)s to decide it.") % {"head": head})


def check_impartial_about(actor: User, event: Event, entry: Entry, roles: Collection[str] = Event.roles) -> None:
    """Refuse a leader who decides about their own entry, or about their opponent of the round under way (E2)."""
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=event)
    game = games.filter(round__state=Round.State.PUBLISHED).exclude(second=None).select_related("first", "second")
    found = game.first()
    check_impartial(actor, event, (found.first, found.second) if found else (entry,), roles)
