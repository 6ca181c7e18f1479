"""The campaign of the demo."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import Facts
from campaign.battles.services import army as army_service, planning, reports
from campaign.battles.services.agendas import choose_agenda
from campaign.battles.services.contenders import Contender
from campaign.models import Campaign
from campaign.scenarios.form import read
from campaign.scenarios.play import play
from campaign.scenarios.stage import Stage
from campaign.schedule.services.phases import save_phase
from campaign.services import campaigns
from campaign.star_map.queries import star_map_of
from campaign.star_map.services.star_map import fight_for, save_system, start_map
from ops.paths import BASE_DIR
from registers import projection
from registers.painting.services import set_painted
from rules.battle.army import Army

SCENARIO = BASE_DIR / "fixtures" / "demo" / "outer-rim-winter.json"
ORGANIZER = "cora"
SYSTEMS = ("Station Nine", "Kerrin Reach", "Ashfall", "Verge", "Ordana", "Sable Moon")


def set_up_campaign() -> None:
    """Create the demo campaign: two players and an organizer, three battles and one whose sequence begins."""
    scenario = read(SCENARIO)
    organizer = User.objects.create(username=ORGANIZER)
    campaign = campaigns.create_campaign(
        actor=organizer, name=scenario["scenario"], about="Demo campaign. Sign in as either player and continue."
    )
    stage = play(scenario, campaign)
    _draw_map(organizer, campaign)
    for unit in ("leader", "t1", "t2"):
        key = stage.handles["alpha"].key(unit)
        set_painted(actor=stage.owner("alpha"), register_id=stage.register("alpha").pk, key=key, painted=True)
    _fight_once_more(stage)
    today = timezone.localdate()
    save_phase(
        actor=organizer, campaign=campaign, phase_id=uuid4(), version=0, name="Season 1",
        first_day=today - timedelta(days=30), last_day=today + timedelta(days=60), size=600,
        note="Every other Thursday at the club.",
    )  # fmt: skip


def _draw_map(organizer: User, campaign: Campaign) -> None:
    """Create a star map, whose first systems the battles so far were fought for."""
    start_map(actor=organizer, campaign=campaign, layout="6")
    shown = [each.row for each in star_map_of(campaign).systems]
    for system, name in zip(shown, SYSTEMS, strict=True):
        lanes = system.lanes.values_list("pk", flat=True)
        save_system(
            actor=organizer, campaign=campaign, system_id=system.pk, name=name, x=system.x, y=system.y,
            lanes=list(lanes), bonus_supply=1 if system == shown[0] else 0,
        )  # fmt: skip
    for battle, system in zip(campaign.battles.order_by("number"), shown, strict=False):
        fight_for(actor=organizer, battle=battle, system_id=system.pk)


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
        name, handles, _agenda = armies[side.colour]
        dossiers = projection.state_of(registers[name]).dossiers
        keys = [stage.handles[name].key(handle) for handle in handles]
        army = Army(fielded={key: dossiers[key].upgrades for key in keys})
        army_service.choose_army(actor=stage.owner(name), side_id=side.pk, army=army)
    for side in battle.sides.order_by("colour"):
        name, _handles, agenda = armies[side.colour]
        choose_agenda(actor=stage.owner(name), side_id=side.pk, agenda=agenda)
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
