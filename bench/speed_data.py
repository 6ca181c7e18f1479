"""What the pages that are measured show: Registers of 12 Dossiers, and campaigns of 40 of them.

Registers are made of ledger entries, as all are. The battles of a campaign are rows written at once: the pages that are
measured tell nothing of their sequences, and a thousand of them by the services would take an hour.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accounts.models import User
    from campaign.battles.models import Battle, Side
    from campaign.models import Campaign
    from registers.models import Register
    from rules.register.effects import Effect

REGISTERS, DOSSIERS, OPEN = 40, 12, 4
UNITS = ("stormtroopers", "snowtroopers", "scout-troopers", "dewback-rider")


def register_of(owner: User, name: str) -> Register:
    """A Register of 12 Dossiers that has fought: names, upgrades, Experience, Commendations, some Setbacks."""
    from django.db import transaction

    from registers.ledger.session import LedgerSession
    from registers.models import EntryType, Register

    register = Register.objects.create(owner=owner)
    units = [effect for key in range(1, DOSSIERS + 1) for effect in _joined(str(key))]
    with transaction.atomic():
        session = LedgerSession.lock(register.pk)
        [locked] = session.registers.values()
        session.stage(locked, actor=owner, act=EntryType.OPEN, effects=[*_founded(name), *units])
        session.stage(locked, actor=owner, act=EntryType.COMMISSION, effects=[*_fought()])
        session.commit()
    return locked


def _founded(name: str) -> Iterator[Effect]:
    from rules.register import effects as e

    yield e.RegisterOpened(rule="R1", combat_potential=2400, supply_points=7, reputation=9)
    yield e.FactionChosen(rule="R3", faction="empire")
    yield e.RegisterNamed(rule="R10", name=name)
    yield e.StoryArcBegun(rule="R10", story_arc="bring-peace-to-the-galaxy")


def _joined(key: str) -> Iterator[Effect]:
    from catalogue.snapshot import rulebook
    from rules.register import effects as e

    book, number = rulebook(), int(key)
    card = "imperial-officer-ruthless-efficiency" if number == 1 else UNITS[number % len(UNITS)]
    yield e.UnitAdded(rule="R5", unit=key, card=card, name=f"The Grim Hounds of Outpost {key}")
    if number == 1:
        yield e.ParagonChosen(rule="R6", unit=key)
    fitting = [each.slug for each in book.upgrades.values() if each.type in book.units[card].upgrade_slots]
    for upgrade in fitting[number : number + 3]:
        yield e.UpgradeAdded(rule="R7", unit=key, upgrade=upgrade)


def _fought() -> Iterator[Effect]:
    from catalogue.snapshot import rulebook
    from rules.register import effects as e

    book = rulebook()
    yield e.RegisterCommissioned(rule="R10")
    for number in range(1, DOSSIERS + 1):
        unit = str(number)
        yield e.ExperienceGained(rule="R12", unit=unit, amount=number)
        for rank in range(1, 1 + (2 if number == 1 else number // 4)):
            yield e.VeteranRankReached(rule="R13", unit=unit, veteran_rank=rank)
            yield e.CommendationOwed(rule="R15", unit=unit)
            honor = sorted(book.commendations)[number + rank]
            yield e.CommendationAwarded(rule="R15", unit=unit, commendation=honor)
        if number % 3 == 0:
            yield e.SetbackGained(rule="R36", unit=unit, setback=sorted(book.setbacks)[number % 5])
    yield e.TraitGained(rule="R37", trait=min(book.defining_traits), games=3)
    for asset in sorted(book.assets)[:3]:
        yield e.AssetGained(rule="R43", asset=asset)
    for card in sorted(book.command_cards)[:2]:
        yield e.CommandCardUnlocked(rule="R16", command_card=card)


def campaign_of(name: str, battles: int) -> tuple[User, Campaign, Sequence[Register]]:
    """A campaign of 40 players with a Register each, so many battles that are closed, and a few that are not.

    Gives its organizer, who plays as well, the campaign, and the Registers, the organizer's first.
    """
    from bench.simulated_battles import player
    from campaign.models import ActivityKind, Campaign, Enlistment, Membership
    from campaign.services.activity import log_activity

    campaign = Campaign.objects.create(name=name, about="Forty players, one winter.\n\nEvery second Friday.")
    players = [player(f"{name}-{number}") for number in range(REGISTERS)]
    registers = []
    for number, each in enumerate(players):
        role = "player" if number else "organizer"
        Membership.objects.create(campaign=campaign, user=each, role=role)
        log_activity(actor=each, campaign=campaign, kind=ActivityKind.JOINED if number else ActivityKind.FOUNDED)
        registers.append(register_of(each, f"Ashen Patrol {number}"))
        Enlistment.objects.create(campaign=campaign, register=registers[-1])
    fight(campaign, registers, battles)
    return players[0], campaign, registers


def fight(campaign: Campaign, registers: Sequence[Register], closed: int) -> None:
    """So many closed battles between the Registers, each in turn, and OPEN that are planned; with their chronicle."""
    from campaign.battles.models import Battle, Side
    from campaign.models import Activity

    made = [_battle(campaign, number, over=number <= closed) for number in range(1, closed + OPEN + 1)]
    Battle.objects.bulk_create(made)
    Side.objects.bulk_create(side for battle in made for side in _sides(battle, registers))
    Activity.objects.bulk_create(event for battle in made for event in _events(battle, registers))


def _battle(campaign: Campaign, number: int, *, over: bool) -> Battle:
    from django.utils import timezone

    from campaign.battles.models import Battle

    return Battle(
        campaign=campaign,
        number=number,
        status=Battle.Status.CLOSED if over else Battle.Status.PLANNED,
        size=800,
        date=date(2026, 1, 1) + timedelta(days=number),
        place="The back room",
        winner=("blue", "red", "")[number % 3] if over else "",
        version=int(over),
        closed_at=timezone.now() if over else None,
    )


def _pair(battle: Battle, registers: Sequence[Register]) -> dict[str, Register]:
    if battle.status == "planned":  # each Register in a few of them
        place = 2 * (battle.number % OPEN)
        return {"blue": registers[place], "red": registers[place + 1]}
    blue = battle.number % len(registers)
    return {"blue": registers[blue], "red": registers[(blue + 1 + battle.number % 7) % len(registers)]}


def _sides(battle: Battle, registers: Sequence[Register]) -> Iterator[Side]:
    from campaign.battles.models import Side

    over = battle.status == "closed"
    for place, (colour, register) in enumerate(_pair(battle, registers).items()):
        yield Side(
            battle=battle,
            colour=colour,
            register=register,
            army_chosen=over,
            victory_points=(battle.number + 3 * place) % 12 if over else 0,
            step=Side.DONE if over else 0,
            open=not over,
        )


def _events(battle: Battle, registers: Sequence[Register]) -> Iterator[Any]:
    from campaign.models import Activity, ActivityKind

    pair = _pair(battle, registers)
    events: list[dict[str, Any]] = [{"act": "plan", "size": 800, "date": str(battle.date), "place": battle.place}]
    if battle.status == "closed":
        events += [
            {"act": "begin"},
            {"act": "report", "from": "in_play", "winner": battle.winner, "victory_points": {"blue": 3, "red": 5}},
            {"act": "confirm"},
            {"act": "close"},
        ]
    for facts in events:
        yield Activity(
            campaign=battle.campaign, battle=battle, kind=ActivityKind.BATTLE, actor=pair["blue"].owner, facts=facts
        )
