"""Army lists of events."""

from rules.battle.plain_army import PlainArmy
from tests.rules.battle.plain_armies import HAND, OFFICER, SNOW, STORM

TWELVE = (
    "breakthrough", "bunker-assault", "cauldron", "close-the-pocket",
    "align-the-relay", "bring-them-to-heel", "destroy-enemy-base", "failed-negotiations",
    "advanced-intel", "cunning-deployment", "fortified-position", "garrison",
)  # fmt: skip
#: All nine cards of Recon, the format of 800 points.
NINE = (
    "bunker-assault-recon", "close-the-pocket-recon", "intercept-signals-recon",
    "bring-them-to-heel-recon", "recon-mission-recon", "surface-scan-recon",
    "advanced-intel-recon", "cunning-deployment-recon", "fortified-position-recon",
)  # fmt: skip
TYPED = (
    ("Key Positions", "Breakthrough", "Recover the Supplies", "Intercept the Transmissions"),
    ("Battle Lines", "The Long March", "Disarray", "Major Offensive"),
    ("Clear Conditions", "Hostile Environment", "Limited Visibility", "Minefield"),
)
ARMY = PlainArmy(faction="empire", size=800, units=(OFFICER, STORM, SNOW, SNOW), command_cards=HAND)
