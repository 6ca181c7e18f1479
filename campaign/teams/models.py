"""Teams of a campaign, and the Registers in them."""

from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from campaign.models.campaign import Campaign
from core.db.uuid_key import UUIDModel
from registers.models import Register

LONGEST_NAME = 40


class Colour(models.TextChoices):
    """The colors of teams. `static/css/tokens.css` has a dark and a bright shade of each."""

    CRIMSON = "crimson", _("Crimson")
    AMBER = "amber", _("Amber")
    LIME = "lime", _("Lime")
    TEAL = "teal", _("Teal")
    AZURE = "azure", _("Azure")
    VIOLET = "violet", _("Violet")
    ROSE = "rose", _("Rose")
    SLATE = "slate", _("Slate")


class Emblem(models.TextChoices):
    """The emblems of teams, so that color is never the only difference. `static/icons.svg` draws them as `team-…`."""

    STAR = "star", _("Star")
    SHIELD = "shield", _("Shield")
    DIAMOND = "diamond", _("Diamond")
    HEXAGON = "hexagon", _("Hexagon")
    TRIANGLE = "triangle", _("Triangle")
    CHEVRON = "chevron", _("Chevron")
    SQUARE = "square", _("Square")
    DISC = "disc", _("Disc")


class Team(UUIDModel):
    """A team or alliance of a campaign."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="teams")
    name = models.CharField(max_length=LONGEST_NAME)
    colour = models.CharField(max_length=10, choices=Colour)
    emblem = models.CharField(max_length=10, choices=Emblem)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint("campaign", Lower("name"), name="team_names_differ_in_a_campaign"),
            models.CheckConstraint(condition=~Q(name=""), name="team_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the page that changes the team."""
        return reverse("teams:team", args=[self.campaign_id, self.pk])

    @property
    def icon(self) -> str:
        """The name of its drawing."""
        return f"team-{self.emblem}"


class TeamPlace(models.Model):
    """The team of a Register. Everything a Register has won counts for the team that it is in now."""

    register = models.OneToOneField(Register, models.CASCADE, primary_key=True, related_name="team_place")
    team = models.ForeignKey(Team, models.CASCADE, related_name="places")

    class Meta:
        ordering = ["team", "register"]

    def __str__(self) -> str:
        return f"{self.register}: {self.team}"


class TeamSettings(models.Model):
    """Whether players choose the teams of their own Registers. Without a row they do not."""

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="team_settings")
    players_choose = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.campaign)
