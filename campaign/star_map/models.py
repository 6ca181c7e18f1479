"""Systems of a campaign's star map, and what changes their holders.

No row has the holder of a system: it follows from the changes by hand (`HolderChange`) and from the present results of
the battles fought for it (`SystemBattle`). See `campaign.star_map.holders`.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils import timezone

from campaign.battles.models import Battle
from campaign.models.campaign import Campaign
from campaign.teams.models import Team
from core.db.uuid_key import UUIDModel
from registers.models import LedgerEntry

LONGEST_NAME = 40


class MapSettings(models.Model):
    """The settings of a campaign's star map. `winner_takes`: the winner of a battle holds the system that it was fought
    for; otherwise an organizer decides. `turn` counts from 1; a system's bonus is awarded once a turn.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="map_settings")
    winner_takes = models.BooleanField(default=True)
    turn = models.PositiveSmallIntegerField(default=1)

    def __str__(self) -> str:
        return str(self.campaign)


class System(UUIDModel):
    """A planet or system at `x` and `y` percent of the map, from the left and from the top. `lanes` lead to others. The
    bonus is what each Register of its holder gets when an organizer awards it: SP, and XP for each unit.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="systems")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=LONGEST_NAME)
    x = models.PositiveSmallIntegerField()
    y = models.PositiveSmallIntegerField()
    lanes = models.ManyToManyField("self", blank=True)
    bonus_supply = models.PositiveSmallIntegerField(default=0)
    bonus_experience = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["number", "pk"]
        constraints = [
            models.UniqueConstraint("campaign", Lower("name"), name="system_names_differ_in_a_campaign"),
            models.CheckConstraint(condition=~Q(name=""), name="system_has_a_name"),
            models.CheckConstraint(condition=Q(x__lte=100, y__lte=100), name="system_is_on_the_map"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the system's page."""
        return reverse("star_map:system", args=[self.campaign_id, self.pk])


class HolderChange(models.Model):
    """A system given to a team, to a Faction (its slug), or to nobody by an organizer. `battle` is the battle whose
    result the organizer followed, if any; what happens to that battle later does not change it.
    """

    system = models.ForeignKey(System, models.CASCADE, related_name="changes")
    team = models.ForeignKey(Team, models.RESTRICT, null=True, blank=True, related_name="+")
    faction = models.CharField(max_length=20, blank=True)
    battle = models.ForeignKey(Battle, models.CASCADE, null=True, blank=True, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(team=None) | Q(faction=""), name="holder_is_a_team_or_a_faction")
        ]

    def __str__(self) -> str:
        return f"{self.system}: {self.team or self.faction}"


class SystemBattle(models.Model):
    """The system that a battle is fought for. If `automatic`, its winner holds the system while the battle is closed:
    the setting of the map when the system was chosen, so that a later setting changes no past.
    """

    battle = models.OneToOneField(Battle, models.CASCADE, primary_key=True, related_name="fought_for")
    system = models.ForeignKey(System, models.CASCADE, related_name="battles")
    automatic = models.BooleanField()

    class Meta:
        ordering = ["battle"]

    def __str__(self) -> str:
        return f"{self.battle}: {self.system}"


class BonusAward(models.Model):
    """A system's bonus, awarded in this turn: `entries` in ledgers. Once all are undone, it can be awarded again."""

    system = models.ForeignKey(System, models.CASCADE, related_name="bonus_awards")
    turn = models.PositiveSmallIntegerField()
    entries = models.ManyToManyField(LedgerEntry, related_name="+")

    class Meta:
        ordering = ["turn", "pk"]
        constraints = [models.UniqueConstraint(fields=["system", "turn"], name="one_bonus_a_turn")]

    def __str__(self) -> str:
        return f"{self.system}: {self.turn}"
