"""The bonus for painted armies: what it is, and for which armies it was awarded. Achievements have no rows."""

from django.db import models

from campaign.battles.models import Side
from campaign.models.campaign import Campaign
from registers.models import LedgerEntry


class PaintingRules(models.Model):
    """The house rule of a campaign: the SP that a Register gets for a battle with a fully painted army; 0 for none."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="painting_rules")
    supply_points = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.campaign)


class PaintedBonus(models.Model):
    """The bonus for the army of a side. If the award, `entry`, is undone, it can be awarded again."""

    side = models.OneToOneField(Side, models.CASCADE, primary_key=True, related_name="painted_bonus")
    entry = models.ForeignKey(LedgerEntry, models.CASCADE, related_name="+")

    class Meta:
        ordering = ["side"]

    def __str__(self) -> str:
        return str(self.side)
