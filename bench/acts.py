"""A battle as a series of forms that its players send, from commissioning a Register to editing it afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from bench.forms import FORM, Sent, forms_of

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client

    from accounts.models import User
    from bench.simulation import Supply
    from campaign.battles.models import Battle, Side
    from campaign.models import Campaign
    from registers.models import Register


@dataclass(frozen=True)
class Act:
    """A form that somebody sends, in whose browser they have signed in."""

    name: str
    browser: Client
    address: str
    sent: Sent


def send(act: Act, headers: dict[str, str] | None = None) -> HttpResponse:
    """Send the form, through the whole of the middleware."""
    values = {"content_type": FORM, "headers": headers}
    return act.browser.post(act.address, urlencode(act.sent), **values)


def acts(random: Random) -> Iterator[Act]:
    """The acts of a battle of two, one after the other; each has been done when the next one is asked for."""
    from bench import simulated_battles as simulated
    from bench.simulation import Supply
    from campaign.battles.models import Side
    from campaign.battles.services import reports
    from catalogue.snapshot import rulebook
    from registers.models import Register

    supply = Supply(rulebook())
    campaign, registers = _table(random, supply)
    ada, ben = (browser_of(register.owner) for register in registers)
    founded = _founded(registers[0].owner, campaign)
    name = [("position", str(founded.position)), ("do", "commission"), ("register_name", "Ashen Patrol")]
    yield Act("commission", ada, f"/registers/{founded.pk}/building/?stage=name", name)
    battle = simulated.plan(campaign, registers, random, guests=0)
    side = Side.objects.get(battle=battle, register=registers[0])
    yield Act("choose army", ada, f"/sides/{side.pk}/army/", _army(side, supply, random))
    army_reports = simulated.choose_army(battle, random, supply)
    at = f"/battles/{battle.pk}/"
    yield Act("begin", ada, f"{at}begin/", [])
    facts, winner = simulated.facts(army_reports)
    report = reports.BattleReport(winner=winner, facts=facts, victory_points={})
    reports.report(actor=registers[0].owner, battle_id=battle.pk, version=0, report=report)
    yield Act("confirm", ben, f"{at}confirm/", [("version", "1"), ("nothing", "1")])
    yield from _sequence(battle, random, supply)
    position = Register.objects.get(pk=registers[0].pk).position
    change = [("position", str(position)), ("do", "edit"), ("unit_to_name", "1"), ("name", "Grim Hounds")]
    yield Act("edit", ada, f"/registers/{registers[0].pk}/edit/", change)


def _table(random: Random, supply: Supply) -> tuple[Campaign, list[Register]]:
    from bench import simulated_battles as simulated
    from campaign.enlistments.services import enlistments
    from campaign.services import campaigns
    from members.services import membership

    players = [simulated.player(f"killed-{place}") for place in (1, 2)]
    campaign = campaigns.create_campaign(actor=players[0], name="Killed")
    membership.add_member(actor=players[0], group=campaign, username=players[1].username)
    found = [simulated.found(player, random, supply, f"Of {player}") for player in players]
    return campaign, [
        enlistments.add_register(actor=each.owner, campaign=campaign, register_id=each.pk) for each in found
    ]


def _founded(actor: User, campaign: Campaign) -> Register:
    """A Register that lacks nothing but its name and to be commissioned."""
    from campaign.enlistments.services import enlistments
    from registers.services import building

    pk = enlistments.create_register(actor=actor, campaign=campaign, faction="empire").pk
    values = {"actor": actor, "register_id": pk, "position": None}
    for card in ("imperial-officer-ruthless-efficiency", "stormtroopers", "stormtroopers"):
        building.add_unit(card=card, name="Captain Sorne" if "officer" in card else "", **values)
    return building.choose_story_arc(story_arc="bring-peace-to-the-galaxy", **values)


def _army(side: Side, supply: Supply, random: Random) -> Sent:
    """The form of an army without assets."""
    from bench import simulation as simulate
    from campaign.battles.queries.battles import setup_for
    from registers.projection import state_of

    sides = list(side.battle.sides.select_related("register").order_by("colour"))
    state = replace(state_of(side.own_register), assets=())
    army = simulate.choose_army(state, setup_for(side.battle, side, sides), supply, random)
    upgrades = [("upgrade", f"{key}/{slug}") for key, slugs in army.fielded.items() for slug in slugs]
    return [("unit", key) for key in army.fielded] + upgrades


def browser_of(user: User) -> Client:
    """Somebody's browser, in which they have signed in."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    client.handler.load_middleware()  # not in each child
    return client


def _sequence(battle: Battle, random: Random, supply: Supply) -> Iterator[Act]:
    """The first answer that ends a step, taking it back, and the one that closes the battle."""
    from bench import simulated_battles as simulated

    seen = False
    while battle.sides.filter(step__lte=10).exists():
        for side in battle.sides.select_related("register__owner", "battle").order_by("colour"):
            browser = browser_of(side.register.owner)
            address = f"/battles/{battle.pk}/sequence/{side.colour}/"
            act = Act("answer", browser, address, answer_of(browser, address, random))
            what = foreseen(act, side) if act.sent else ""
            if what == "closes":
                yield replace(act, name="answer that closes the battle")
                return
            if what == "ends a step" and not seen:
                seen = True
                yield replace(act, name="answer that ends a step")
                yield Act("undo", browser, f"{address}undo/", [("turn", str(side.turn + 1))])
            elif what:
                send(act)
            else:
                other = battle.sides.select_related("register__owner", "battle").exclude(pk=side.pk).get()
                simulated.answer(side, other, random, supply)


def answer_of(browser: Client, address: str, random: Random) -> Sent:
    """A form of the page that answers its question, filled in somehow; nothing if it asks none."""
    page = browser.get(address).content.decode()
    forms = [form for form in forms_of(page) if form.name in ("app", "answer")]
    return random.choice(forms).filled(random) if forms else []


def foreseen(act: Act, side: Side) -> str:
    """What comes of an answer: nothing (it is refused), or that it only `answers`, `ends a step` or `closes`."""
    from django.db import transaction

    from campaign.battles.models import Battle, Side

    with transaction.atomic():
        send(act)
        now = Side.objects.select_related("battle").get(pk=side.pk)
        transaction.set_rollback(True)
    if now.turn == side.turn:
        return ""
    if now.battle.status == Battle.Status.CLOSED:
        return "closes"
    return "ends a step" if now.step > side.step else "answers"
