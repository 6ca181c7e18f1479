"""Boring things to test with: a campaign with its people and two Registers, and battles at every stage."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import Facts
from campaign.battles.services import army as army_service, planning, reports
from campaign.battles.services.agendas import choose_agenda
from campaign.battles.services.contenders import Contender
from campaign.enlistments.services import enlistments
from campaign.models import Campaign
from campaign.services import campaigns
from members.services import membership
from registers import projection
from registers.models import EntryType, Register
from rules.battle.army import Army
from rules.register.effects import AgendaProgressed, AssetGained, Effect
from tests.once import once
from tests.registers.factories import make_player, make_register
from tests.registers.ledgers import append, lock

AGENDAS = ("gather-intelligence", "keep-them-in-line", "persons-of-interest")


@dataclass
class Table:
    """Cora organizes; ada plays Ashen Patrol (alpha), ben Dune Wardens (bravo); mia only watches, eve is a stranger."""

    campaign: Campaign
    cora: User
    ada: User
    ben: User
    mia: User
    eve: User
    alpha: Register
    bravo: Register


@once
def make_table() -> Table:
    """The campaign, its people and its two commissioned Registers of a commander and 2 corps units each."""
    cora, ada, ben, mia, eve = (make_player(name) for name in ("cora", "ada", "ben", "mia", "eve"))
    campaign = campaigns.create_campaign(actor=cora, name="Outer Rim Winter")
    for user in (ada, ben, mia):
        membership.add_member(actor=cora, group=campaign, username=user.username)
    alpha = enlisted(campaign, ada, "Ashen Patrol")
    bravo = enlisted(campaign, ben, "Dune Wardens")
    return Table(campaign, cora, ada, ben, mia, eve, alpha, bravo)


def address(table: Table, name: str, *more: object) -> str:
    """An address of the campaign, by the name of its URL."""
    return reverse(name, args=[table.campaign.pk, *more])


@once
def enlisted(campaign: Campaign, owner: User, name: str, **words: Any) -> Register:
    """A Register that serves in the campaign."""
    register = make_register(owner, name=name, **words)
    return enlistments.add_register(actor=owner, campaign=campaign, register_id=register.pk)


@once
def happen(register: Register, *effects: Effect) -> None:
    """Let something happen to a Register, whatever the rules say."""
    with transaction.atomic():
        [locked] = lock(register.pk)
        append(actor=register.owner, register=locked, act=EntryType.EDIT, effects=effects)


def hold(register: Register, *assets: str) -> None:
    """Let a Register hold assets."""
    happen(register, *(AssetGained(asset=asset, rule="R43") for asset in assets))


def complete(register: Register, number: int) -> None:
    """Let a Register complete so many Agendas of Bring Peace to the Galaxy."""
    happen(register, *(AgendaProgressed(agenda=agenda, amount=3, rule="R25") for agenda in AGENDAS[:number]))


@once
def planned(table: Table, **words: Any) -> Battle:
    """A battle of 600 points between the two Registers, alpha's blue."""
    values = {
        "size": 600,
        "blue": Contender(register_id=table.alpha.pk),
        "red": Contender(register_id=table.bravo.pk),
        **words,
    }
    return planning.plan_battle(actor=table.alpha.owner, campaign=table.campaign, **values)


def against_guest(table: Table, **words: Any) -> Battle:
    """A battle of alpha's against a guest."""
    return planned(table, red=Contender(guest_name="Sal", guest_points=500), **words)


def army_of(register: Register, **words: Any) -> Army:
    """All units of a Register with all their upgrades."""
    dossiers = projection.state_of(register).dossiers
    return Army(fielded={key: dossier.upgrades for key, dossier in dossiers.items()}, **words)


@once
def armies_chosen(battle: Battle, *, blue: dict[str, Any] | None = None, red: dict[str, Any] | None = None) -> Battle:
    """The battle once both sides field everything, before they choose Agendas; `blue` and `red` are words of armies."""
    words = {Side.BLUE: blue or {}, Side.RED: red or {}}
    for side in battle.sides.select_related("register__owner"):
        if side.register:
            army = army_of(side.register, **words[side.colour])
            army_service.choose_army(actor=side.register.owner, side_id=side.pk, army=army)
    battle.refresh_from_db()
    return battle


@once
def agendas_chosen(battle: Battle, *, blue: str = "", red: str = "") -> Battle:
    """The battle once both sides have chosen these Agendas."""
    agendas = {Side.BLUE: blue, Side.RED: red}
    for side in battle.sides.select_related("register__owner").order_by("colour"):
        if side.register:
            choose_agenda(actor=side.register.owner, side_id=side.pk, agenda=agendas[side.colour])
    battle.refresh_from_db()
    return battle


@once
def army_chosen(battle: Battle, *, blue: dict[str, Any] | None = None, red: dict[str, Any] | None = None) -> Battle:
    """The battle once both sides have chosen armies, as `armies_chosen` has it, and the `agenda` in their words."""
    words = {Side.BLUE: {**(blue or {})}, Side.RED: {**(red or {})}}
    agendas = {colour: own.pop("agenda", "") for colour, own in words.items()}
    return agendas_chosen(armies_chosen(battle, **words), **agendas)


@once
def in_play(battle: Battle, **words: Any) -> Battle:
    """The battle once it is mustered, as `army_chosen` has it, and has begun."""
    army_chosen(battle, **words)
    side = battle.sides.select_related("register__owner").filter(register__isnull=False).first()
    army_service.begin(actor=side.own_register.owner, battle_id=battle.pk)
    battle.refresh_from_db()
    return battle


def report_of(winner: str = "blue", **words: Any) -> reports.BattleReport:
    """A report in which nothing but the winner is remarkable; `blue` and `red` are words of their Facts."""
    facts = {colour: Facts(**words.pop(colour, {})) for colour in (Side.BLUE, Side.RED)}
    return reports.BattleReport(winner=winner, facts=facts, **{"victory_points": {}, **words})


@once
def reported(battle: Battle, actor: User, **words: Any) -> Battle:
    """The battle, in play, once it is reported."""
    return reports.report(actor=actor, battle_id=battle.pk, version=battle.version, report=report_of(**words))


def side_of(battle: Battle, colour: str) -> Side:
    """A side as it is now."""
    return battle.sides.select_related("register__owner").get(colour=colour)


def refused(refusal: Any) -> set[str]:
    """The rules that a caught refusal names."""
    return {violation.rule for violation in refusal.value.violations}


def activity_rows(campaign: Campaign, *kinds: str) -> list[tuple[str, User | None, dict[str, Any]]]:
    """What the chronicle of a campaign tells, oldest first: all of it, or some kinds."""
    events = campaign.activity.select_related("actor").order_by("pk")
    chosen = events.filter(kind__in=kinds) if kinds else events
    return [(event.kind, event.actor, event.facts) for event in chosen]
