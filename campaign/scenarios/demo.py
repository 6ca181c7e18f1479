"""The campaign of the demo."""

from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from campaign.models import Campaign
from campaign.scenarios.battle import begin_sequence
from campaign.scenarios.play import play, read
from campaign.schedule.services.phases import save_phase
from campaign.services import campaigns
from campaign.star_map.queries import star_map_of
from campaign.star_map.services.star_map import fight_for, save_system, start_map
from ops.paths import BASE_DIR
from registers.painting.services import set_painted

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
    *acts, last = scenario["acts"]
    stage = play({**scenario, "acts": acts}, campaign)
    _draw_map(organizer, campaign)
    for unit in ("leader", "t1", "t2"):
        key = stage.handles["alpha"].key(unit)
        set_painted(actor=stage.owner("alpha"), register_id=stage.register("alpha").pk, key=key, painted=True)
    begin_sequence(stage, last)
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
