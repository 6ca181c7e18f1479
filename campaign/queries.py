"""What the pages of the campaign read: a constant number of queries, however much there is to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy

from accounts.models import User
from registers.battles import BattleName
from registers.keys import key_in
from registers.models import Register
from registers.services import ledger
from registers.sheet import arc_of
from registers.whereabouts import Whereabouts
from rules.battle.army import AGENDAS_TO_MAY, AGENDAS_TO_MUST, completed_agendas
from rules.battle.report import result_for
from rules.core.translation import gettext, ngettext
from rules.register.building import combat_potential_spent
from rules.register.state import RegisterState

from .access import SIDES, CampaignRole, fighters_of, may_act, players_of, role_in
from .chronicle import events_of
from .life import BEFORE_PLAY, OPEN
from .models import Battle, Campaign, Enlistment, Event, Membership, Revision, Side

UNSEEN = gettext_lazy("an organiser has yet to consent to what it took over from a list")
NOT_ACCEPTED = gettext_lazy(
    "It was taken over from a list, and cannot fight before an organiser of the campaign consents to that."
)
NOWHERE = gettext_lazy(
    "It serves in no campaign yet, and cannot fight before it does. A campaign's page takes it in."
)
#: How many battles that are over stand with those that are not.
LATELY_OVER = 3
GONE = gettext_lazy("its player does not play in the campaign now")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A Register in a list, by no more than its own row."""

    register: Register

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.register)

    @property
    def player(self) -> str:
        """Whose it is; empty for nobody's."""
        return self.register.owner.get_username() if self.register.owner else ""

    @property
    def url(self) -> str:
        """Its page, or its founding if that is not finished."""
        page = "registers:detail" if self.register.commissioned else "registers:founding"
        return reverse(page, args=[self.register.pk])


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterLine(Outline):
    """The whole of it. `spent` are points of Combat Potential, `arc` as `registers.sheet.arc_of` has it."""

    force: RegisterState
    spent: int
    arc: Mapping[str, Any] | None
    won: int = 0
    drawn: int = 0
    lost: int = 0


def register_lines(registers: Iterable[Register]) -> list[RegisterLine]:
    """Registers (with their owners) as lines of a list: three queries."""
    listed = list(registers)
    if not listed:
        return []
    forces, results = ledger.states_of(listed), _results(listed)
    return [
        RegisterLine(
            register=register,
            force=(force := forces[register.pk]),
            spent=combat_potential_spent(book := ledger.book_for(register), force),
            arc=arc_of(book, force),
            won=results[register.pk, "won"],
            drawn=results[register.pk, "drawn"],
            lost=results[register.pk, "lost"],
        )
        for register in listed
    ]


def _results(registers: Iterable[Register]) -> Counter[tuple[UUID, str]]:
    fought = Side.objects.filter(register__in=registers, battle__status=Battle.Status.CLOSED).order_by()
    rows = fought.values_list("register", "colour", "battle__winner").annotate(times=Count("pk"))
    results: Counter[tuple[UUID, str]] = Counter()
    for register, colour, winner, times in rows:
        results[register, result_for(colour, winner)] += times
    return results


def registers_of(campaign: Campaign) -> QuerySet[Register]:
    """The Registers of a campaign, those of the highest Reputation first, the unfinished last."""
    return (
        campaign.registers.filter(discarded=False)
        .select_related("owner", "enlistment")
        .defer("biography")
        .order_by("-commissioned", "-reputation", "name", "created_at")
    )


def whereabouts(user: User, register: Register) -> Whereabouts:
    """Return the campaign of a Register, and the link to its battle or to a new one: at most three queries."""
    enlistments = Enlistment.objects.filter(register=register).select_related("campaign")
    enlistment = enlistments.annotate(role=role_in(user, "campaign")).first()
    if enlistment is None:
        return Whereabouts(lacks=NOWHERE if register.commissioned else "")
    campaign = enlistment.campaign
    role = CampaignRole(user, campaign.pk, enlistment.role)
    if not role.is_member:
        return Whereabouts()
    crumbs = ({"label": str(campaign), "href": campaign.get_absolute_url()},)
    if enlistment.awaits_consent:
        return Whereabouts(crumbs=crumbs, lacks=NOT_ACCEPTED)
    battle = (
        campaign.battles.filter(sides__register=register, sides__open=True).prefetch_related(SIDES).first()
    )
    if battle is None:
        leads = role.is_organizer or (role.is_player and register.owner_id == user.pk)
        if not register.commissioned or not leads:
            return Whereabouts(crumbs=crumbs)
        plan = reverse("campaign:plan", args=[campaign.pk])
        return Whereabouts(crumbs=crumbs, label=gettext("Plan a battle"), href=plan)
    crumbs += ({"label": str(battle), "href": battle.get_absolute_url()},)
    [own] = [side for side in battle.sides.all() if side.register_id == register.pk]
    if not own.mustered and may_act(role, own):
        muster = reverse("campaign:muster", args=[own.pk])
        return Whereabouts(crumbs=crumbs, label=gettext("Muster for {battle}", battle=battle), href=muster)
    there = battle.get_absolute_url()
    return Whereabouts(crumbs=crumbs, label=gettext("To {battle}", battle=battle), href=there)


@dataclass(frozen=True, slots=True)
class Home:
    """What a player sees first, besides what waits for them (`campaign.waiting`)."""

    registers: Sequence[RegisterLine]
    campaigns: Sequence[Campaign]


def home(user: User) -> Home:
    """The Registers and campaigns of a player."""
    lines = register_lines(
        user.registers.filter(discarded=False).select_related("owner", "enlistment__campaign")
    )
    # Not campaigns_of(user): that is everywhere for the staff, and would count only the user's own membership.
    mine = Campaign.objects.filter(pk__in=user.memberships.values("campaign"))
    # Each counted by itself: together they would be as many rows as members times battles.
    counted = mine.annotate(players=_number_of(Membership), fought=_number_of(Battle))
    return Home(lines, list(counted.order_by("name", "pk")))


def _number_of(model: type[Membership | Battle]) -> Coalesce:
    rows = model.objects.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    return Coalesce(Subquery(rows.annotate(number=Count("pk")).values("number")), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A Register that may fight. `why` says what keeps it from that; `may`, `must`: its Turning Point (R22). `own` are
    the user's, `mine` those that the user may lead: an organiser all of them.
    """

    register: Register
    own: bool
    mine: bool
    note: str
    why: str = ""
    may: bool = False
    must: bool = False


def led_by(role: CampaignRole, campaign: Campaign) -> set[UUID]:
    """The keys of the Registers of a campaign that a user may lead: `Candidate.mine`."""
    registers = campaign.registers.filter(discarded=False)
    led = registers if role.is_organizer else registers.filter(owner=role.user)
    return set(led.values_list("pk", flat=True))


def candidates(role: CampaignRole, campaign: Campaign) -> list[Candidate]:
    """The Registers of a campaign as sides of a new battle, the user's own first: two queries."""
    listed = registers_of(campaign).annotate(
        is_busy=Exists(Side.objects.filter(register=OuterRef("pk"), open=True)),
        is_led=Exists(players_of(campaign).filter(user=OuterRef("owner"))),
    )
    registers = sorted(listed, key=lambda register: register.owner_id != role.user.pk)
    forces = ledger.states_of(registers)
    found = {register: _candidate(role, register, forces[register.pk]) for register in registers}
    return [
        each if register.is_led else replace(each, why=GONE, may=False, must=False)
        for register, each in found.items()
    ]


def _candidate(role: CampaignRole, register: Any, force: RegisterState) -> Candidate:
    book, why = ledger.book_for(register), ""
    if not force.commissioned:
        why = gettext("not commissioned yet (R4)")
    elif force.saga_complete:
        why = gettext("its saga is complete (R49)")
    elif register.enlistment.awaits_consent:
        why = UNSEEN
    elif register.is_busy:
        why = gettext("in another battle that is not over yet (R11)")
    done = completed_agendas(book.story_arcs[force.story_arc], force) if force.story_arc else 0
    parts = [register.owner.get_username()] if register.owner else []
    parts.append(ngettext("{number} point", "{number} points", combat_potential_spent(book, force)))
    if done:
        parts.append(ngettext("{number} Agenda completed", "{number} Agendas completed", done))
    return Candidate(
        register=register,
        own=register.owner_id == role.user.pk,
        mine=role.is_organizer or register.owner_id == role.user.pk,
        note=" · ".join(parts),
        why=why,
        may=not why and done >= AGENDAS_TO_MAY,
        must=not why and done >= AGENDAS_TO_MUST,
    )


def both_ways(battle: Battle) -> list[tuple[Side, Side]]:
    """Both sides of a battle, blue first, each with the other. Without a query where they are prefetched."""
    blue, red = battle.sides.all()
    return [(blue, red), (red, blue)]


@dataclass(frozen=True, slots=True)
class BattleLine:
    """A battle in a list."""

    battle: Battle
    title: str
    note: str
    end: str = ""

    @property
    def url(self) -> str:
        """Its page."""
        return self.battle.get_absolute_url()

    def fought_by(self, user: User) -> bool:
        """Whether a Register of the user's fights in it."""
        return user.pk in fighters_of(self.battle)


def battles_of(campaign: Campaign) -> QuerySet[Battle]:
    """All battles of a campaign, newest first, ready for `lines_of`."""
    return campaign.battles.prefetch_related(SIDES)


def lines_of(battles: Iterable[Battle]) -> list[BattleLine]:
    """Battles (with their sides) as lines of a list."""
    return [_battle_line(battle) for battle in battles]


def _battle_line(battle: Battle) -> BattleLine:
    (blue, red), _ = both_ways(battle)
    parts = [
        gettext("Battle {number}", number=battle.number),
        ngettext("{number} point", "{number} points", battle.size),
    ]
    if battle.status in BEFORE_PLAY:
        parts += [date_format(battle.date, "MONTH_DAY_FORMAT"), *filter(None, [battle.place])]
    return BattleLine(
        battle,
        gettext("{blue} against {red}", blue=blue.name, red=red.name),
        f"{', '.join(parts)}: {standing_words(battle)}",
        result(battle),
    )


def open_revision_of(battle: Battle) -> Revision | None:
    """What is being undone or corrected of a battle and neither applied nor dropped yet."""
    return battle.revisions.filter(state=Revision.State.OPEN).select_related("made_by").first()


def standing_words(battle: Battle) -> str:
    """Where a battle stands, in a few words."""
    (blue, red), _ = both_ways(battle)
    match battle.status:
        case Battle.Status.PLANNED:
            late = [side.name for side in (blue, red) if not side.mustered]
            if len(late) == 1:
                return gettext("{side} still musters", side=late[0])
            return gettext("both still muster")
        case Battle.Status.MUSTERED:
            return gettext("both armies stand")
        case Battle.Status.SEQUENCE:
            under_way = (side for side in (blue, red) if not side.done)
            return ", ".join(
                gettext("{side} at step {step}", side=each.name, step=each.step) for each in under_way
            )
        case Battle.Status.CLOSED:
            winner = next((side.name for side in (blue, red) if side.colour == battle.winner), "")
            return gettext("{winner} won", winner=winner) if winner else gettext("a draw")
        case _:
            return str(battle.get_status_display())


def result(battle: Battle) -> str:
    """Victory points, blue to red, where a report has any."""
    (blue, red), _ = both_ways(battle)
    known = battle.version and (blue.victory_points or red.victory_points)
    return f"{blue.victory_points} : {red.victory_points}" if known else ""


def battle_names(ids: Collection[str]) -> dict[str, BattleName]:
    """What battles are called, for the pages of the Registers."""
    found = Battle.objects.filter(pk__in=[pk for pk in ids if key_in(pk)])
    return {
        str(battle.pk): BattleName(
            gettext("Battle {number}", number=battle.number), battle.get_absolute_url(), str(battle.number)
        )
        for battle in found
    }


#: How many events it shows.
LATELY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The rows of the page of a campaign. `registers` come with their players. `members` have a name, and a role in
    words (empty for players). `unenlisted` are the reader's Registers that are in no campaign. `open` are the battles
    that are not over (the reader's own first, then those that are planned, soonest first), `over` the last few that
    are. `events` are the last ones, for `chronicle.lines`. `awaiting` are Registers that an organizer has to accept.
    """

    registers: Sequence[Register]
    members: Sequence[Mapping[str, str]]
    unenlisted: Sequence[Register]
    open: Sequence[BattleLine]
    over: Sequence[BattleLine]
    events: Sequence[Event]
    awaiting: Sequence[Enlistment]


def overview_of(campaign: Campaign, reader: User) -> Overview:
    """Return what a member of the campaign sees on its page: six queries."""
    registers = list(registers_of(campaign))
    over = campaign.battles.exclude(status__in=OPEN).order_by("-number").values("pk")[:LATELY_OVER]
    battles = list(campaign.battles.filter(Q(status__in=OPEN) | Q(pk__in=over)))
    events = list(events_of(campaign)[:LATELY])
    prefetch_related_objects([*battles, *(event.battle for event in events if event.battle)], SIDES)
    lines = lines_of(battles)
    return Overview(
        registers=registers,
        members=[_member(each) for each in campaign.memberships.select_related("user")],
        unenlisted=list(reader.registers.filter(enlistment=None, discarded=False)),
        open=_in_order((line for line in lines if line.battle.status in OPEN), reader),
        over=[line for line in lines if line.battle.status not in OPEN],
        events=events,
        awaiting=[each.enlistment for each in registers if each.enlistment.awaits_consent],
    )


def _in_order(lines: Iterable[BattleLine], reader: User) -> list[BattleLine]:
    listed = list(lines)
    to_come = [line for line in listed if line.battle.status in BEFORE_PLAY]
    under_way = [line for line in listed if line not in to_come]
    to_come.sort(key=lambda line: (line.battle.date, line.battle.number))
    return sorted([*to_come, *under_way], key=lambda line: not line.fought_by(reader))


def _member(membership: Membership) -> Mapping[str, str]:
    is_player = membership.role == Membership.Role.PLAYER
    role = "" if is_player else str(membership.get_role_display())
    return {"name": membership.user.get_username(), "role": role}
