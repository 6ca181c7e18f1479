"""A campaign, its members, and its Registers."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from core.retention import IN_BIN
from core.time_zones import site_zone
from members.models import AbstractMembership, MemberGroup
from registers.fields import CampaignRulesField
from registers.models import NOTHING_CHANGED, Register
from rules.core.campaign_rules import CampaignRules


class CampaignState(models.TextChoices):
    """Whether a campaign is played. A closed one takes texts, pictures and people, an archived one takes nothing."""

    OPEN = "open", gettext_lazy("open")
    CLOSED = "closed", gettext_lazy("closed")
    ARCHIVED = "archived", gettext_lazy("archived")


class CampaignManager(models.Manager["Campaign"]):
    """The campaigns of groups that nobody has deleted."""

    def get_queryset(self) -> "models.QuerySet[Campaign]":
        """Return them."""
        return super().get_queryset().filter(deleted_at=None, solo=None)


class Campaign(MemberGroup):
    """A playgroup's campaign. `campaign_rules` are its campaign rules; `campaign_rules_version` counts their changes.
    `house_rules` is what the group has agreed on besides them, as free text. `time_zone` (IANA) is that of its
    battles. `guest` is the visitor for whom a campaign of the demo was made (`campaign.scenarios.sandbox`).

    `solo` is the Register that plays outside campaigns if this row only holds its battles
    (`campaign.battles.services.solo`): it has no name, no Enlistment and no pages, and is not in `objects`.

    `closed_at` is when it was closed or archived, `exported_at` when its file was last downloaded. A deleted campaign
    (`deleted_at`) is only in `everything` until it is removed after IN_BIN.
    """

    State = CampaignState

    name = models.CharField(max_length=80)
    about = models.TextField(blank=True)
    house_rules = models.TextField(blank=True)
    campaign_rules = CampaignRulesField(default=CampaignRules, db_default=NOTHING_CHANGED)
    campaign_rules_version = models.PositiveIntegerField(default=0, db_default=0)
    time_zone = models.CharField(max_length=64, default=site_zone)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    picture = models.OneToOneField("uploads.Picture", models.SET_NULL, null=True, blank=True)
    registers = models.ManyToManyField(Register, through="Enlistment", related_name="campaigns")
    guest = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, editable=False, related_name="sandbox"
    )
    solo = models.OneToOneField(Register, models.PROTECT, null=True, blank=True, editable=False, related_name="+")

    state = models.CharField(max_length=10, choices=CampaignState, default=CampaignState.OPEN, db_default="open")
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    exported_at = models.DateTimeField(null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = CampaignManager()
    everything = models.Manager["Campaign"]()

    class Meta:
        ordering = ["name", "pk"]
        permissions = [("organize_campaign", "Can organize every campaign and event")]
        constraints = [
            models.CheckConstraint(
                condition=Q(state=CampaignState.OPEN, closed_at__isnull=True)
                | Q(state__in=[CampaignState.CLOSED, CampaignState.ARCHIVED], closed_at__isnull=False),
                name="campaign_open_or_closed",
            )
        ]

    def __str__(self) -> str:
        return gettext("Solo battles") if self.solo_id else self.name

    @property
    def is_open(self) -> bool:
        """Whether the campaign is played."""
        return not self.refusal()

    def refusal(self, until: str = CampaignState.OPEN) -> str:
        """Return why the campaign takes no change that is possible `until` this state; empty if it does."""
        if self.deleted_at:
            return gettext("%(campaign)s was deleted. An organizer can restore it until %(day)s.") % {
                "campaign": self,
                "day": date_format(timezone.localtime(self.deleted_at + IN_BIN), "DATE_FORMAT"),
            }
        states = CampaignState.values
        if states.index(self.state) <= states.index(until):
            return ""
        return gettext("%(campaign)s is %(state)s. An organizer can reopen it.") % {
            "campaign": self,
            "state": self.get_state_display(),
        }

    def people_refusal(self) -> str:
        """Return why nobody can join, be invited or get another role now; empty if they can."""
        return self.refusal(CampaignState.CLOSED)

    def get_absolute_url(self) -> str:
        """Return the address of the campaign page, or of the page of a Register's solo battles."""
        return (
            reverse("battles:solo", args=[self.solo_id]) if self.solo_id else reverse("campaign:detail", args=[self.pk])
        )

    @property
    def log(self) -> Any:
        """The lines of the activity log, for changes of memberships."""
        return self.activity


class Membership(AbstractMembership):
    """A person in a campaign."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="memberships")

    class Meta(AbstractMembership.Meta):
        verbose_name = "member"
        constraints = [models.UniqueConstraint(fields=["campaign", "user"], name="one_membership_a_person")]

    def __str__(self) -> str:
        return gettext("%(user)s in %(campaign)s") % {"user": self.user, "campaign": self.campaign}


class EnlistmentStatus(models.TextChoices):
    """Whether a Register plays in its campaign, pauses, or has ended its part in it. It can come back from both."""

    PLAYING = "playing", gettext_lazy("playing")
    WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
    RETIRED = "retired", gettext_lazy("retired")


class Enlistment(models.Model):
    """A Register in a campaign; a Register is in one campaign at most, also after it was withdrawn or retired. A
    Register imported with values from elsewhere can play only after an organizer has consented.
    """

    Status = EnlistmentStatus

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="enlistments")
    register = models.OneToOneField(Register, models.CASCADE, related_name="enlistment")
    awaits_consent = models.BooleanField("waiting for approval", default=False, db_default=False)
    status = models.CharField(
        max_length=10, choices=EnlistmentStatus, default=EnlistmentStatus.PLAYING, db_default=EnlistmentStatus.PLAYING
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(status__in=EnlistmentStatus.values), name="enlistment_known_status")
        ]
        verbose_name = "Register in this campaign"
        verbose_name_plural = "Registers in this campaign"

    def __str__(self) -> str:
        return gettext("%(register)s in %(campaign)s") % {"register": self.register, "campaign": self.campaign}

    @property
    def plays(self) -> bool:
        """Whether the Register can be planned for battles and is in the standings."""
        return self.status == EnlistmentStatus.PLAYING
