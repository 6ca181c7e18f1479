"""Custom Story Arcs: written in a campaign, published in versions, adopted by campaigns."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from campaign.models.campaign import Campaign
from core.db.append_only import append_only
from core.db.uuid_key import UUIDModel


class CustomArc(UUIDModel):
    """A custom Story Arc, in the form of `rules.arcs.custom_arcs`. `campaign` is where it is written, None once it was
    removed. An arc that ships with Musterbook has none either, and `origin` names its file. `revision` counts the
    changes of the draft. Anyone who has the link with `token` may read the newest version. `picture` is the map of its
    Turning Point Mission; it is the same for all versions.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, null=True, blank=True, related_name="custom_arcs")
    origin = models.SlugField(max_length=60, blank=True)
    draft = models.JSONField()
    revision = models.PositiveIntegerField(default=1)
    token = models.CharField(max_length=64, null=True, blank=True, unique=True)
    picture = models.OneToOneField("uploads.Picture", models.SET_NULL, null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "pk"]
        verbose_name = "custom Story Arc"
        constraints = [
            models.CheckConstraint(
                condition=Q(campaign__isnull=True) | Q(origin=""), name="own_arc_of_a_campaign_or_shipped"
            ),
            models.UniqueConstraint(fields=["origin"], condition=~Q(origin=""), name="own_arc_shipped_once"),
        ]

    def __str__(self) -> str:
        return self.draft["name"] or gettext("Unnamed Story Arc")

    def get_absolute_url(self) -> str:
        """Return the address of its page in the Story Arc editor. A shipped arc has none."""
        return reverse("story_arcs:editor", args=[self.campaign_id, self.pk]) if self.campaign_id else ""


class ArcVersion(models.Model):
    """A published version of an arc: `story_arc` is the card that Registers play. It never changes."""

    arc = models.ForeignKey(CustomArc, models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField()
    content = models.JSONField()
    story_arc = models.OneToOneField("catalogue.StoryArc", models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["arc", "number"]
        verbose_name = "published version"
        constraints = [models.UniqueConstraint(fields=["arc", "number"], name="arc_version_once")]
        triggers = append_only("final")

    def __str__(self) -> str:
        return gettext("%(name)s, version %(number)s") % {"name": self.content["name"], "number": self.number}


class AdoptedArc(models.Model):
    """A campaign whose Registers may begin an arc, and the version that it adopted last."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="adopted_arcs")
    arc = models.ForeignKey(CustomArc, models.PROTECT, related_name="taken_in")
    version = models.ForeignKey(ArcVersion, models.PROTECT, related_name="+")

    class Meta:
        ordering = ["pk"]
        verbose_name = "adopted Story Arc"
        constraints = [models.UniqueConstraint(fields=["campaign", "arc"], name="arc_taken_in_once")]

    def __str__(self) -> str:
        return gettext("%(version)s in %(campaign)s") % {"version": self.version, "campaign": self.campaign}
