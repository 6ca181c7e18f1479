"""What pages show of a campaign's schedule."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef, Prefetch, Q
from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR

from accounts.models import User
from campaign.access import CampaignRole, players_of
from campaign.battles.access import SIDES
from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import BattleLine, battle_lines
from campaign.battles.queries.candidates import candidates
from campaign.battles.state_machine import OPEN
from campaign.models import Campaign
from campaign.schedule.models import Availability, Pairing, Phase, Round
from campaign.schedule.proposal import BYE, Entrant
from registers.models import Register
from rules.battle.report import result_for
from rules.tournaments.draws import Draw

#: Points of the record: a win counts twice a draw.
RECORD = {"won": 2, "drawn": 1, "lost": 0}


def phase_on(campaign: Campaign, day: datetime.date) -> Phase | None:
    """Return the phase of a campaign on that day: one query."""
    return Phase.objects.filter(campaign=campaign, first_day__lte=day, last_day__gte=day).first()


def phase_with_size(campaign: Campaign, day: datetime.date, **_signal: Any) -> Phase | None:
    """Return the phase of that day if it suggests a size of battles: one query."""
    phase = phase_on(campaign, day)
    return phase if phase and phase.size else None


def next_number(campaign: Campaign) -> int:
    """Return the number of the round that is being paired, or that comes next."""
    last = campaign.rounds.filter(state=Round.State.CREATED).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseLine:
    """A phase in a list; `now` if it is running, `over` if it has ended."""

    phase: Phase
    now: bool
    over: bool


def phase_lines(campaign: Campaign) -> list[PhaseLine]:
    """Return the phases of a campaign in order: one query."""
    today = timezone.localdate()
    return [
        PhaseLine(phase=each, now=each.first_day <= today <= each.last_day, over=each.last_day < today)
        for each in campaign.phases.all()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round in a list: how many battles it has, and how many of them are `open`. `overdue`: some still are, after the
    last day.
    """

    round: Round
    battles: int
    open: int

    @property
    def over(self) -> int:
        """The number of battles that are closed or canceled."""
        return self.battles - self.open

    @property
    def overdue(self) -> bool:
        """Whether battles are still open after the round's last day."""
        return bool(self.open) and self.round.due < timezone.localdate()


def round_lines(campaign: Campaign, *, most: int | None = None) -> list[RoundLine]:
    """Return the rounds of a campaign whose battles exist, the latest first: one query."""
    created = campaign.rounds.filter(state=Round.State.CREATED).select_related("phase")
    counted = created.annotate(
        battles=Count("pairings__battle"), open=Count("pairings__battle", Q(pairings__battle__status__in=OPEN))
    )
    return [RoundLine(round=each, battles=each.battles, open=each.open) for each in counted.order_by("-number")[:most]]


def draft_of(campaign: Campaign) -> Round | None:
    """Return the open draft of a campaign: one query."""
    return campaign.rounds.filter(state=Round.State.DRAFT).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleSummary:
    """What the campaign page shows of the schedule: the running phase or else the next one, the latest round, and the
    `number` of the next one.
    """

    phase: PhaseLine | None
    round: RoundLine | None
    number: int

    @property
    def empty(self) -> bool:
        """Whether nothing is scheduled."""
        return not (self.phase or self.round)


def has_schedule() -> Q:
    """Return whether a campaign has phases or rounds, to be read in the query of the campaign."""
    phases, rounds = (model.objects.filter(campaign=OuterRef("pk")) for model in (Phase, Round))
    return Q(Exists(phases) | Exists(rounds))


def schedule_summary(campaign: Campaign) -> ScheduleSummary:
    """Return the schedule for the campaign page: two queries, none if `has_schedule` was read with the campaign and is
    false.
    """
    if not getattr(campaign, "has_schedule", True):
        return ScheduleSummary(phase=None, round=None, number=1)
    phase = next((line for line in phase_lines(campaign) if not line.over), None)
    latest = next(iter(round_lines(campaign, most=1)), None)
    return ScheduleSummary(phase=phase, round=latest, number=latest.round.number + 1 if latest else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player who can play the next round: on which days, in words, and their note."""

    user: User
    days: str
    note: str


def who_can_play(campaign: Campaign, number: int) -> list[PlayerLine]:
    """Return the players who can play the round with this number: one query."""
    players = players_of(campaign).values("user")
    said = Availability.objects.filter(campaign=campaign, number=number, user__in=players).select_related("user")
    lines = [PlayerLine(user=each.user, days=days_in_words(each.weekdays), note=each.note) for each in said]
    return sorted(lines, key=lambda line: line.user.get_username().casefold())


def days_in_words(weekdays: Iterable[int]) -> str:
    """Return weekdays (0 is Monday) in words; empty for any day."""
    known = [day for day in weekdays if day in WEEKDAYS]
    names = WEEKDAYS if len(known) < 3 else WEEKDAYS_ABBR
    return ", ".join(str(names[day]) for day in sorted(known))


def availability_of_person(user: User) -> list[dict[str, Any]]:
    """Return what a person said about when they can play, for them to download: one query."""
    said = Availability.objects.filter(user=user).order_by("campaign__name", "number")
    return list(said.values("campaign__name", "number", "weekdays", "note", "changed_at"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldEntry:
    """A Register of the campaign as it stands in a round.

    `why` says why it cannot fight; `availability` is its player's, in words (empty: any day), if they `can_play`.
    """

    register: Register
    entrant: Entrant
    note: str
    why: str
    can_play: bool
    availability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """All Registers of a campaign by key, as they stand in a round: who `met` whom how often, who was `blue` how often,
    and who `must` play its Turning Point Mission (R22).
    """

    entries: Mapping[str, FieldEntry]
    met: Mapping[frozenset[str], int]
    blue: Mapping[str, int]
    must: set[str]


def field_of(role: CampaignRole, campaign: Campaign, found: Round) -> Field:
    """Return the Registers of a campaign as they stand in a round: six queries. Battles that were canceled count for
    nothing; planned ones count as meetings.
    """
    sides: dict[UUID, dict[str, str]] = defaultdict(dict)
    points: Counter[str] = Counter()
    blue: Counter[str] = Counter()
    rows = Side.objects.filter(battle__campaign=campaign, register__isnull=False)
    fought = rows.exclude(battle__status=Battle.Status.CANCELLED).order_by()
    for battle, color, key, status, winner in fought.values_list(
        "battle", "colour", "register", "battle__status", "battle__winner"
    ):
        sides[battle][color] = str(key)
        blue[str(key)] += color == Side.BLUE
        if status == Battle.Status.CLOSED and found.nearness == Round.Nearness.RECORD:
            points[str(key)] += RECORD[result_for(color, winner)]
    byes = Counter(
        str(key)
        for key in Pairing.objects.filter(
            round__campaign=campaign, round__state=Round.State.CREATED, red=None
        ).values_list("blue", flat=True)
    )
    said = {line.user.pk: line for line in who_can_play(campaign, found.number)}
    listed = candidates(role, campaign)
    entries = {}
    for each in listed:
        register, key = each.register, str(each.register.pk)
        potential = register.combat_potential if found.nearness == Round.Nearness.POTENTIAL else points[key]
        line = said.get(register.owner_id)
        entries[key] = FieldEntry(
            register=register,
            entrant=Entrant(key=key, points=potential, byes=byes[key], player=str(register.owner_id or "")),
            note=each.note,
            why=str(each.why),
            can_play=line is not None,
            availability=": ".join(filter(None, [line.days, line.note])) if line else "",
        )
    return Field(
        entries=entries,
        met=Counter(frozenset(pair.values()) for pair in sides.values() if len(pair) > 1),
        blue=blue,
        must={str(each.register.pk) for each in listed if each.must},
    )


def draw_of(found: Round) -> Draw:
    """Return the random numbers of a round."""
    return Draw(bytes.fromhex(found.seed), str(found.campaign_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftRow:
    """A pairing of a draft: Blue and Red (None: a bye), how often they met before, whether one player has both, and
    whose Turning Point Mission must be played.
    """

    blue: FieldEntry
    red: FieldEntry | None
    met: int = 0
    one_player: bool = False
    mission: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The draft of a round: its pairings and byes, and the Registers that are left out, first those whose players can
    play.
    """

    round: Round
    rows: Sequence[DraftRow]
    left_out: Sequence[FieldEntry]

    @property
    def pairs(self) -> int:
        """The number of battles that it would create."""
        return sum(row.red is not None for row in self.rows)


def draft_page(role: CampaignRole, campaign: Campaign, found: Round) -> Draft:
    """Return a draft as its page shows it: seven queries."""
    field = field_of(role, campaign, found)
    pairs = [(str(blue), str(red) if red else BYE) for blue, red in found.pairings.values_list("blue", "red")]
    known = [(blue, red) for blue, red in pairs if blue in field.entries and (red == BYE or red in field.entries)]
    paired = {key for pair in known for key in pair}
    left_out = [each for key, each in field.entries.items() if key not in paired]
    left_out.sort(key=lambda each: (bool(each.why), not each.can_play, str(each.register).casefold()))
    return Draft(round=found, rows=[_draft_row(field, *pair) for pair in known], left_out=left_out)


def _draft_row(field: Field, blue: str, red: str) -> DraftRow:
    one, other = field.entries[blue], field.entries.get(red)
    if other is None:
        return DraftRow(blue=one, red=None)
    owes = next((key for key in (blue, red) if key in field.must), "")
    return DraftRow(
        blue=one,
        red=other,
        met=field.met.get(frozenset((blue, red)), 0),
        one_player=bool(one.entrant.player) and one.entrant.player == other.entrant.player,
        mission=str(field.entries[owes].register) if owes else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBattle:
    """A battle of a round; `open` until it is closed or canceled, `overdue` if the round's last day is past then."""

    line: BattleLine
    open: bool
    overdue: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round whose battles exist: those still open first; who had a bye; pairings whose battle is gone."""

    round: Round
    battles: Sequence[RoundBattle]
    byes: Sequence[Register]

    @property
    def open(self) -> int:
        """The number of battles that are not over."""
        return sum(each.open for each in self.battles)


def round_page(found: Round) -> RoundPage:
    """Return a round as its page shows it: three queries."""
    battles = Battle.objects.order_by("number").prefetch_related(SIDES)
    pairings = list(found.pairings.select_related("blue__owner").prefetch_related(Prefetch("battle", battles)))
    lines = battle_lines(each.battle for each in pairings if each.battle)
    late = found.due < timezone.localdate()
    rows = []
    for line in lines:
        is_open = line.battle.status in OPEN
        rows.append(RoundBattle(line=line, open=is_open, overdue=is_open and late))
    rows.sort(key=lambda row: (not row.open, row.line.battle.number))
    return RoundPage(round=found, battles=rows, byes=[each.blue for each in pairings if each.red_id is None])
