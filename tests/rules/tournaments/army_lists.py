"""Army lists of events."""

from rules.battle.plain_army import PlainArmy
from tests.rules.battle.plain_armies import HAND, OFFICER, SNOW, STORM

TWELVE = (
    "breakthrough", "bunker-assault", "cauldron", "close-the-pocket",
    "align-the-relay", "bring-them-to-heel", "destroy-enemy-base", "failed-negotiations",
    "advanced-intel", "cunning-deployment", "fortified-position", "garrison",
)  # fmt: skip
ARMY = PlainArmy(faction="empire", size=800, units=(OFFICER, STORM, SNOW, SNOW), command_cards=HAND)
