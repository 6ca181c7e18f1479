"""Stories and photos of a campaign and its battles, and the public link."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from campaign.battles.models.battle import Battle
from campaign.models.campaign import Campaign
from core.db.uuid_key import UUIDModel
from core.tokens import new_token
from registers.markdown import to_html


class Story(UUIDModel):
    """A player's story about a battle or the campaign; `text` is Markdown. `byline` is the author's name in public.
    `version` counts changes. A withdrawn story keeps its row without any text, so that a form sent late does not
    restore it.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="stories")
    battle = models.ForeignKey(Battle, models.CASCADE, null=True, blank=True, related_name="stories")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="stories")
    title = models.CharField(max_length=120, blank=True)
    byline = models.CharField(max_length=80, blank=True)
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    written_at = models.DateTimeField(default=timezone.now, editable=False)
    changed_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["written_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(withdrawn_at__isnull=True) & ~Q(title="") & ~Q(text="")
                | Q(withdrawn_at__isnull=False, title="", byline="", text=""),
                name="writing_says_something_or_is_withdrawn",
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def html(self) -> SafeString:
        """Its Markdown as HTML."""
        return to_html(self.text)


class BattlePhoto(models.Model):
    """A picture of a battle."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="pictures")
    picture = models.OneToOneField("uploads.Picture", models.CASCADE, related_name="of_battle")

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return str(self.picture)


class ShareLink(models.Model):
    """The public link to a campaign's page and chronicle. Renewing it replaces the token. `show_places`: the page says
    where planned battles take place.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, primary_key=True, related_name="public_link")
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    show_places = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.campaign)

    def get_absolute_url(self) -> str:
        """Return the address of the public campaign page."""
        return reverse("chronicle:public", args=[self.token])
