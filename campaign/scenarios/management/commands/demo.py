"""Create the demo campaign, if there are no accounts yet."""

from __future__ import annotations

import secrets
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import Facts
from campaign.battles.services import army as army_service
from campaign.battles.services import planning, reports
from campaign.battles.services.contenders import Contender
from campaign.scenarios.form import read
from campaign.scenarios.play import play
from campaign.scenarios.stage import Stage
from campaign.services import campaigns
from ops.paths import BASE_DIR, DATA_DIR
from registers import projection
from rules.battle.army import Army

SCENARIO = BASE_DIR / "fixtures" / "demo" / "outer-rim-winter.json"
ORGANIZER = "cora"


class Command(BaseCommand):
    """`manage.py demo`: a campaign of two players and an organizer, with a battle whose sequence begins. It changes
    nothing if any account exists. Passwords are random; the command prints them and saves them in the data directory.
    """

    help = "Set up the demo campaign in an empty database, and print its sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the demo campaign once; print the sign-ins whenever they are known."""
        kept = DATA_DIR / "demo-sign-ins.txt"
        if User.objects.exists():
            self.stdout.write(
                kept.read_text()
                if kept.exists() and User.objects.filter(username=ORGANIZER).exists()
                else "People live here already: no demo."
            )
            return
        with transaction.atomic():
            words = _words(_set_up())
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.touch(mode=0o600)
            kept.write_text(words + "\n")
        self.stdout.write(words)
        self.stdout.write(f"They are kept in {kept}.")


def _set_up() -> dict[str, str]:
    scenario = read(SCENARIO)
    organizer = User.objects.create(username=ORGANIZER)
    campaign = campaigns.create_campaign(
        actor=organizer, name=scenario["scenario"], about="A demo: sign in as either player and walk on."
    )
    _fight_once_more(play(scenario, campaign))
    passwords = {}
    for user in User.objects.order_by("pk"):
        passwords[user.username] = f"{secrets.token_hex(2)}-{secrets.token_hex(2)}-{secrets.token_hex(2)}"
        user.set_password(passwords[user.username])
        user.save()
    return passwords


def _fight_once_more(stage: Stage) -> None:
    """Play a battle until it is reported and confirmed, so that both players are at step 1."""
    registers = {name: stage.register(name) for name in ("alpha", "bravo")}
    battle = planning.plan_battle(
        actor=stage.owner("alpha"),
        campaign=stage.campaign,
        size=600,
        blue=Contender(register_id=registers["alpha"].pk),
        red=Contender(register_id=registers["bravo"].pk),
        mission="Breakthrough at Station Nine",
        place="Cora’s kitchen table",
    )
    armies = {
        Side.BLUE: ("alpha", ["leader", "t1", "t2", "t3", "scout", "t4"], "gather-intelligence"),
        Side.RED: ("bravo", ["leader", "r2", "f1", "com", "rt"], "midnight-strikes"),
    }
    for side in battle.sides.all():
        name, handles, agenda = armies[side.colour]
        dossiers = projection.state_of(registers[name]).dossiers
        keys = [stage.handles[name].key(handle) for handle in handles]
        army = Army(fielded={key: dossiers[key].upgrades for key in keys}, agenda=agenda)
        army_service.choose_army(actor=stage.owner(name), side_id=side.pk, army=army)
    army_service.begin(actor=stage.owner("bravo"), battle_id=battle.pk)
    _report(stage, battle)


def _report(stage: Stage, battle: Battle) -> None:
    key, other = stage.handles["alpha"].key, stage.handles["bravo"].key
    facts = {
        Side.BLUE: Facts(
            agenda="gather-intelligence", tokens=3,
            defeated=[key("t3"), key("scout")], contesting=[key("t1"), key("leader")],
        ),
        Side.RED: Facts(
            agenda="midnight-strikes", tokens=1,
            defeated=[other("r2"), other("com"), other("rt")], contesting=[other("f1")],
        ),
    }  # fmt: skip
    reported = reports.report(
        actor=stage.owner("alpha"),
        battle_id=battle.pk,
        version=battle.version,
        report=reports.BattleReport(
            winner=Side.BLUE, facts=facts, victory_points={Side.BLUE: 8, Side.RED: 5},
            mission=battle.mission, notes="Snow up to the knees. The walker stayed home.",
        ),
    )  # fmt: skip
    reports.confirm(actor=stage.owner("bravo"), battle_id=battle.pk, version=reported.version)


def _words(passwords: dict[str, str]) -> str:
    lines = ["The demo campaign is ready. Sign in as"]
    for name, password in passwords.items():
        lines.append(f"  {name:<6} {password}  ({'organizer' if name == ORGANIZER else 'player'})")
    return "\n".join(lines)
