"""Battles at every stage in one campaign, for tests that go on from any of them at random."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from uuid import UUID

from accounts.models import User
from bench import simulated_battles as simulated
from bench.simulation import Supply
from campaign.battles.models import Battle, Side
from campaign.battles.services import army, reports
from campaign.enlistments.services import enlistments
from campaign.models import Campaign, Membership
from campaign.services import campaigns
from members.services import membership
from registers import projection
from registers.models import LedgerEntry, Register
from rules.core.rulebook import Rulebook
from rules.register.state import RegisterState
from tests.checksums import checksums
from tests.registers.factories import make_player

#: How far a battle has come: the stages before its sequence, the lower step of both sides in it, or beyond.
STAGES = ("none", "planned", "ready", "in_play", "reported", "1", "3", "5", "7", "9", "closed")


@dataclass(frozen=True, slots=True)
class Place:
    """Two Registers, ada's and ben's, and their battle, if there is one already."""

    registers: tuple[UUID, UUID]
    battle: UUID | None


@dataclass(frozen=True, slots=True)
class Stages:
    """Cora organizes; ada and ben play; mia watches; eve is a stranger."""

    campaign: Campaign
    people: dict[str, User]
    supply: Supply
    places: dict[str, Place]


def make_stages(book: Rulebook, chosen: Sequence[str], seed: int) -> Stages:
    """Two Registers, made up, for each stage that is chosen, and their battle brought there by the services."""
    random, supply = Random(seed), Supply(book)
    who = {name: make_player(name) for name in ("ada", "ben", "cora", "mia", "eve")}
    campaign = campaigns.create_campaign(actor=who["cora"], name="Outer Rim Winter")
    for name, role in (("ada", "player"), ("ben", "player"), ("mia", "viewer")):
        membership.add_member(actor=who["cora"], group=campaign, username=name)
        Membership.objects.filter(campaign=campaign, user=who[name]).update(role=role)
    stages = Stages(campaign, who, supply, {})
    for stage in chosen:
        pair = [_register(stages, name, f"{name} {stage}", random) for name in ("ada", "ben")]
        battle = None if stage == "none" else _brought(simulated.plan(campaign, pair, random), stage, random, supply)
        stages.places[stage] = Place((pair[0].pk, pair[1].pk), battle and battle.pk)
    return stages


def _register(stages: Stages, owner: str, name: str, random: Random) -> Register:
    made = simulated.found(stages.people[owner], random, stages.supply, name.title())
    return enlistments.add_register(actor=stages.people[owner], campaign=stages.campaign, register_id=made.pk)


def _brought(battle: Battle, stage: str, random: Random, supply: Supply) -> Battle:
    """The battle once it has come to a stage."""
    if stage == "planned":
        return battle
    army_reports = simulated.choose_army(battle, random, supply)
    actor, *others = simulated.players(battle)
    if stage == "ready":
        return battle
    army.begin(actor=actor, battle_id=battle.pk)
    if stage == "in_play":
        return battle
    facts, winner = simulated.facts(army_reports)
    report = reports.BattleReport(winner=winner, facts=facts, victory_points={})
    reports.report(actor=actor, battle_id=battle.pk, version=0, report=report)
    if stage == "reported":
        return battle
    reports.confirm_report(actor=(others or [actor])[0], battle_id=battle.pk, version=1)
    while not _far_enough(battle, stage):
        for side, other in _both_ways(battle):
            simulated.answer(side, other, random, supply)
    return battle


def _far_enough(battle: Battle, stage: str) -> bool:
    battle.refresh_from_db()
    if battle.status == Battle.Status.CLOSED:
        return True
    steps = battle.sides.filter(register__isnull=False).values_list("step", flat=True)
    return stage != "closed" and min(steps) >= int(stage)


def _both_ways(battle: Battle) -> list[tuple[Side, Side]]:
    blue, red = battle.sides.select_related("register__owner", "battle").order_by("colour")
    return [(blue, red), (red, blue)]


# --- What there is at a moment --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """All that there is at one moment: the sums of all tables, the Registers of the run and the sides of its battle."""

    sums: dict[str, str]
    registers: dict[UUID, Register]
    states: dict[UUID, RegisterState]
    sides: list[Side]

    @property
    def battle(self) -> Battle:
        return self.sides[0].battle

    @property
    def status(self) -> str | None:
        return self.battle.status if self.sides else None


def look(stages: Stages, names: list[str], pair: list[UUID], battle_id: UUID | None) -> Seen:
    """All that there is now. What no run changes is not asked for again: people and the campaign."""
    people = {user.pk: user for user in stages.people.values()}
    registers = {each.pk: each for each in Register.objects.filter(pk__in=pair)}
    for register in registers.values():
        register.owner = people[register.owner_id]
    sides = list(Side.objects.filter(battle=battle_id).select_related("battle")) if battle_id else []
    for side in sides:
        side.battle.campaign = stages.campaign
        side.register = registers.get(side.register_id)
    return Seen(checksums(names), registers, projection.states_of(registers.values()), sides)


@dataclass(frozen=True, slots=True)
class Start:
    """What all runs from a stage begin with."""

    tables: list[str]
    ledgers: dict[UUID, list[LedgerEntry]]
    seen: Seen
