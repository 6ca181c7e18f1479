"""Achievements of Registers, and painted armies: one statement for any number of Registers."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import F, OuterRef, Subquery
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import JSONObject
from django.utils.timezone import localdate

from campaign.achievements.achievements import Act, Career, Fight
from campaign.achievements.models import PaintedBonus, PaintingRules
from campaign.battles.models import Battle, Side
from campaign.models import Campaign
from campaign.queries.registers import by_name
from registers.models import EntryType, LedgerEntry, Register
from registers.painting.models import PaintedUnit
from rules.battle.report import result_for
from rules.register import effects as e

#: Entries and effects that achievements are computed from.
ACTS = (EntryType.OPEN, EntryType.GAINS, EntryType.STEP, EntryType.TAKE_OVER)
EFFECTS = frozenset(
    kind.__name__
    for kind in (
        e.CommandCardUnlocked, e.CommendationAwarded, e.DiceRolled, e.RegisterOpened, e.ReputationGained,
        e.RivalNamed, e.SagaCompleted, e.UnitFell, e.VeteranRankReached,
    )
)  # fmt: skip


def careers_of(registers: Collection[UUID]) -> list[tuple[Register, Career]]:
    """Return the Registers with these primary keys, sorted by name, with their careers: one query."""
    rows = Register.objects.filter(pk__in=registers).order_by().defer("biography")
    read = rows.annotate(acts=ArraySubquery(_acts()), fights=ArraySubquery(_fights()), ticks=ArraySubquery(_ticks()))
    return [(row, _career(row)) for row in sorted(read, key=by_name)]


def _acts() -> Any:
    data = JSONObject(battle=F("battle"), at=F("created_at"), effects=F("effects"))
    rows = LedgerEntry.objects.filter(register=OuterRef("pk"), act__in=ACTS, undone_by__isnull=True)
    return rows.order_by("place", "position").annotate(data=data).values("data")


def _fights() -> Any:
    others = Side.objects.filter(battle=OuterRef("battle")).exclude(pk=OuterRef("pk")).order_by()
    other = JSONObject(register=F("register"), defeated=KeyTransform("defeated", "report"))
    data = JSONObject(
        battle=F("battle"),
        number=F("battle__number"),
        day=F("battle__date"),
        winner=F("battle__winner"),
        owner=F("battle__owner"),
        colour=F("colour"),
        fielded=KeyTransform("fielded", "army"),
        other=Subquery(others.annotate(data=other).values("data")[:1]),
    )
    closed = Side.objects.filter(battle__status=Battle.Status.CLOSED, battle__campaign__solo=None)
    rows = closed.filter(register=OuterRef("pk"))
    return rows.order_by("battle__date", "battle__number").annotate(data=data).values("data")


def _ticks() -> Any:
    rows = PaintedUnit.objects.filter(register=OuterRef("pk")).order_by("key")
    return rows.annotate(data=JSONObject(key=F("key"), at=F("at"))).values("data")


def _career(row: Any) -> Career:
    fights = [_fight(each) for each in row.fights]
    days = {fight.battle: fight.day for fight in fights}
    acts = [
        Act(
            day=days.get(each["battle"]) or _day(each["at"]),
            battle=each["battle"],
            effects=[e.from_data(effect) for effect in each["effects"] if effect["kind"] in EFFECTS],
        )
        for each in row.acts
        if not each["battle"] or each["battle"] in days
    ]
    painted = {each["key"]: _day(each["at"]) for each in row.ticks}
    return Career(fights=fights, acts=acts, painted=painted)


def _fight(data: dict[str, Any]) -> Fight:
    other = data["other"] or {}
    return Fight(
        battle=data["battle"],
        number=data["number"],
        day=date.fromisoformat(data["day"]),
        result=result_for(data["colour"], data["winner"]),
        own_mission=data["owner"] == data["colour"],
        fielded=tuple(data["fielded"] or ()),
        opponent=other.get("register") or "",
        defeated=tuple(other.get("defeated") or ()),
    )


def _day(at: str) -> date:
    return localdate(datetime.fromisoformat(at))


def painted_armies(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the fully painted armies of closed battles of a campaign, newest battle first, each with its `side` and
    whether its bonus was awarded (and not undone): two queries.
    """
    sides = Side.objects.filter(battle__campaign=campaign, battle__status=Battle.Status.CLOSED, register__isnull=False)
    sides = sides.select_related("battle", "register", "painted_bonus__entry__undone_by").order_by(
        "-battle__number", "colour"
    )
    painted = set(PaintedUnit.objects.filter(register__enlistment__campaign=campaign).values_list("register", "key"))
    found = []
    for side in sides:
        fielded = side.army.get("fielded", {})
        if fielded and all((side.register_id, key) in painted for key in fielded):
            bonus = getattr(side, "painted_bonus", None)
            found.append({"side": side, "awarded": bonus is not None and not hasattr(bonus.entry, "undone_by")})
    return found


def painting_bonus_of(campaign: Campaign) -> int:
    """Return the SP of a campaign's bonus for a painted army, 0 for none: one query."""
    rules = PaintingRules.objects.filter(campaign=campaign).first()
    return rules.supply_points if rules else 0


def awarded_before(side: Side) -> bool:
    """Return whether the bonus for the army of a side was awarded and not undone: one query."""
    return PaintedBonus.objects.filter(side=side, entry__undone_by__isnull=True).exists()
