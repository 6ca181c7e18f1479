"""A campaign file on its way into this site: which of its ids exist here, and the rows created so far."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models import DateField, DateTimeField, Model, UUIDField

from accounts.models import User
from campaign.battles.models import Battle
from campaign.chronicle.models import Story
from campaign.models import ActivityKind, Campaign, Membership
from campaign.schedule.models import Phase
from campaign.star_map.models import System
from campaign.story_arcs.models import ArcVersion, CustomArc
from campaign.teams.models import Team
from core.moments import moment_of
from registers.fields import CampaignRulesField
from registers.models import LedgerEntry, Register
from rules.core.campaign_rules import from_data
from rules.core.values import KeywordValue
from uploads.models import Picture

Data = Mapping[str, Any]
#: Versions of Story Arcs, by the id of the arc and the number of the version in the file.
Shipped = Mapping[tuple[str, int], ArcVersion]

#: The models of the parts whose ids may be taken on this site.
MODELS: Mapping[str, type[Model]] = {
    "registers": Register, "battles": Battle, "story_arcs": CustomArc, "stories": Story, "pictures": Picture,
    "teams": Team, "systems": System, "phases": Phase,
}  # fmt: skip


class Here(KeywordValue):
    """What this site already has of a campaign file.

    `brought`: the campaign that the same form imported before. `campaign`: whether the file's campaign is on this site.
    `taken`: the ids that other rows use. `shipped`: the versions of Story Arcs that ship with Musterbook.
    """

    brought: Campaign | None
    campaign: bool
    taken: frozenset[str]
    shipped: Shipped


def look(data: Data, key: UUID) -> Here:
    """Look up what a file holds, and what was imported by the form with this key."""
    taken = {
        str(pk)
        for part, ids in ids_of(data).items()
        for pk in MODELS[part]._default_manager.filter(pk__in=ids).values_list("pk", flat=True)
    }
    return Here(
        brought=Campaign.everything.filter(activity__kind=ActivityKind.CARRIED, activity__facts__file=str(key)).first(),
        campaign=is_here(data),
        taken=frozenset(taken),
        shipped=shipped(data),
    )


def is_here(data: Data) -> bool:
    """Return whether this site already has the campaign."""
    return Campaign.everything.filter(pk=data["campaign"]["id"]).exists()


def ids_of(data: Data) -> dict[str, list[str]]:
    """Return the ids in a file by part, without arcs that ship with Musterbook: those have other ids on this site."""
    return {part: [each["id"] for each in data.get(part, ()) if not each.get("origin")] for part in MODELS}


def shipped(data: Data) -> Shipped:
    """Return the versions on this site with the content in the file, for arcs that ship with Musterbook."""
    origins = {arc["origin"] for arc in data["story_arcs"] if arc["origin"]}
    versions = ArcVersion.objects.filter(arc__origin__in=origins).select_related("arc").order_by("number")
    here = list(versions) if origins else []
    return {
        (arc["id"], version["number"]): same
        for arc in data["story_arcs"]
        if arc["origin"]
        for version in arc["versions"]
        for same in here  # the last match wins
        if same.arc.origin == arc["origin"] and same.content == version["content"]
    }


@dataclass(slots=True, kw_only=True)
class Arrival:
    """An import in progress. All ids in `data` are free on this site.

    `people` are the accounts for the people of the file, by their numbers in it; `actor` is the user who imports it.
    `draws` are the numbers of the draws that are kept, by the id of their battle. `shipped` are the versions of Story
    Arcs that this site already has (see `shipped`).
    """

    data: Mapping[str, Any]
    actor: User
    people: Mapping[int, User]
    file_of: Callable[[str], bytes]
    draws: Mapping[str, Collection[int]]
    shipped: Shipped
    pictures: dict[str, Picture] = field(default_factory=dict)
    registers: dict[str, Register] = field(default_factory=dict)
    battles: dict[str, Battle] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)
    systems: dict[str, System] = field(default_factory=dict)
    phases: dict[str, Phase] = field(default_factory=dict)
    memberships: Sequence[Membership] = ()
    _campaign: Campaign | None = None

    @property
    def campaign(self) -> Campaign:
        """The campaign, once it has been created. Raises ValueError before that."""
        if self._campaign is None:
            raise ValueError("the campaign comes first")
        return self._campaign

    @campaign.setter
    def campaign(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def values(self, model: type[Model], row: Data, *names: str) -> dict[str, Any]:
        """Return these fields of a row of the file (as `Scope.values` wrote them) for a new row of `model`; one that an
        older file lacks is left out. Raises KeyError for a person or another row that is not in the file.
        """
        return {name: self._value(model._meta.get_field(name), row[name]) for name in names if name in row}

    def _value(self, of: Any, value: Any) -> Any:
        if value is None:
            return None
        rows: Mapping[Any, Mapping[Any, Model]] = {
            User: self.people, Picture: self.pictures, Register: self.registers, Battle: self.battles,
            Team: self.teams, Phase: self.phases,
        }  # fmt: skip
        if of.related_model:
            return rows[of.related_model][value]
        match of:
            case UUIDField():
                return UUID(value)
            case DateTimeField():
                return when(value)
            case DateField():
                return date.fromisoformat(value)
            case CampaignRulesField():
                return from_data(value)
        return value

    def person(self, number: int | None) -> User | None:
        """Return the account for a person of the file."""
        return None if number is None else self.people[number]

    def entries(self, named: Iterable[tuple[str, int]]) -> dict[tuple[str, int], LedgerEntry]:
        """Return the entries with these ids of their Registers and positions, once the ledgers have been created: one
        query. Raises KeyError for a Register that is not in the file; entries that do not exist are left out.
        """
        wanted = {(self.registers[register].pk, position): (register, position) for register, position in named}
        found = LedgerEntry.objects.filter(
            register__in={register for register, _ in wanted}, position__in={position for _, position in wanted}
        ).only("register_id", "position")
        return {wanted[key]: entry for entry in found if (key := (entry.register_id, entry.position)) in wanted}

    def answers(self, answers: list[Any], battle: str) -> list[Any]:
        """Return the answers to a battle's sequence, with the accounts on this site as authors. References to draws
        that are not kept are removed, because other draws will get their numbers.
        """
        return [self._answer(each, battle) if isinstance(each, dict) else each for each in answers]

    def _answer(self, row: Mapping[str, Any], battle: str) -> dict[str, Any]:
        answer = dict(row)
        if type(answer.get("by")) is int:
            answer["by"] = self.people[answer["by"]].pk
        if not set(answer.get("draws", ())) <= set(self.draws.get(battle, ())):
            del answer["draws"]
        return answer


def when(text: str | None) -> datetime | None:
    """Parse a point in time of the file."""
    return moment_of(text) if text else None
