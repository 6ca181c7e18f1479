"""The phases and rounds of a campaign, who can play, and its Registers as they stand in a round."""

import datetime
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet

from accounts.models import User
from campaign.access import CampaignRole, players_of
from campaign.battles.models import Battle, Side
from campaign.battles.pages.candidates import candidates
from campaign.battles.state_machine import OPEN
from campaign.models import Campaign
from campaign.schedule.models import Availability, Pairing, Phase, Round
from campaign.schedule.proposal import ALL_DAYS, Entrant
from campaign.teams.standings import team_of
from core.names import name_order
from registers.models import Register
from rules.battle.report import result_for
from rules.core.values import KeywordValue
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


def created_rounds(campaign: Campaign) -> QuerySet[Any]:
    """Return the rounds whose battles exist, the latest first, each with the number of its `battles`, and of those that
    are `open` and `over`: one query.
    """
    created = campaign.rounds.filter(state=Round.State.CREATED).select_related("phase")
    counted = created.annotate(
        battles=Count("pairings__battle"), open=Count("pairings__battle", Q(pairings__battle__status__in=OPEN))
    )
    return counted.annotate(over=F("battles") - F("open")).order_by("-number")


def draft_of(campaign: Campaign) -> Round | None:
    """Return the open draft of a campaign: one query."""
    return campaign.rounds.filter(state=Round.State.DRAFT).first()


def has_schedule() -> Q:
    """Return whether a campaign has phases or rounds, to be read in the query of the campaign."""
    phases, rounds = (model.objects.filter(campaign=OuterRef("pk")) for model in (Phase, Round))
    return Q(Exists(phases) | Exists(rounds))


def schedule_summary(campaign: Campaign) -> dict[str, Any]:
    """Return what the campaign page shows of the schedule: the running `phase` or else the next one, the last `round`,
    and the `number` of the next one. Two queries, none if `has_schedule` was read with the campaign and is false.
    """
    if not getattr(campaign, "has_schedule", True):
        return {"phase": None, "round": None, "number": 1}
    phase = next((phase for phase in campaign.phases.all() if not phase.is_over), None)
    latest = created_rounds(campaign).first()
    return {"phase": phase, "round": latest, "number": latest.number + 1 if latest else 1}


def who_can_play(campaign: Campaign, number: int) -> list[Availability]:
    """Return what the players said who can play the round with this number: one query."""
    players = players_of(campaign).values("user")
    said = Availability.objects.filter(campaign=campaign, number=number, user__in=players).select_related("user")
    return sorted(said, key=lambda each: name_order(each.user.get_username()))


def availability_of_person(user: User) -> list[dict[str, Any]]:
    """Return what a person said about when they can play, for them to download: one query."""
    said = Availability.objects.filter(user=user).order_by("campaign__name", "number")
    return list(said.values("campaign__name", "number", "weekdays", "note", "changed_at"))


class FieldEntry(KeywordValue):
    """A Register of the campaign as it stands in a round. `why` says why it cannot fight; `availability` is its
    player's, in words (empty: any day), if they `can_play`.
    """

    register: Register
    entrant: Entrant
    note: str
    why: str
    can_play: bool
    availability: str


class Field(KeywordValue):
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
            entrant=Entrant(
                key=key,
                points=potential,
                byes=byes[key],
                player=str(register.owner_id or ""),
                team=str(team.pk) if (team := team_of(register)) else "",
                days=frozenset(line.weekdays if line else ()) or ALL_DAYS,
            ),
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
