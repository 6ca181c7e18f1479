"""The activity log of a campaign: what its Registers' ledgers do not record, such as members joining and battles
changing state.
"""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from campaign.models.campaign import Campaign


class ActivityKind(models.TextChoices):
    """The kind of an activity."""

    FOUNDED = "founded", gettext_lazy("the campaign was founded")
    JOINED = "joined", gettext_lazy("a person joined")
    LEFT = "left", gettext_lazy("a person left")
    REMOVED = "removed", gettext_lazy("a person was removed")
    ROLE = "role", gettext_lazy("a person was given another role")
    ENLISTED = "enlisted", gettext_lazy("a Register joined")
    DECLINED = "declined", gettext_lazy("a Register was not taken in")
    CORRECTED = "corrected", gettext_lazy("a Register was corrected or awarded something")
    GIVEN = "given", gettext_lazy("a Register was given to another player")
    MERGED = "merged", gettext_lazy("two accounts of one person became one")
    CAMPAIGN_RULES = "rules", gettext_lazy("the campaign rules changed")
    ARC = "arc", gettext_lazy("a Story Arc of one's own was published or taken in")
    BATTLE = "battle", gettext_lazy("a battle went on to another state")
    WRITING = "writing", gettext_lazy("an organizer changed or withdrew a piece of somebody else")
    CARRIED = "carried", gettext_lazy("the campaign was brought here from a file")
    PUBLIC = "public", gettext_lazy("the chronicle was opened to everybody who has its link, or closed")


class Activity(models.Model):
    """One line of the activity log. `facts` are plain values, put into words when they are read. `on_behalf_of` is the
    person for whom `actor` acted. Lines are never changed or deleted.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="activity")
    battle = models.ForeignKey("battles.Battle", models.PROTECT, null=True, blank=True, related_name="activity")
    kind = models.CharField(max_length=12)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    on_behalf_of = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    facts = models.JSONField(default=dict)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["campaign", "-at"], name="event_of_a_campaign")]
        triggers = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.kind}"


class Action(models.TextChoices):
    """What was done with a battle."""

    PLAN = "plan"
    REPLAN = "replan"
    CHOOSE_ARMY = "choose_army"
    CHOOSE_AGENDA = "choose_agenda"
    BEGIN = "begin"
    REPORT = "report"
    CONFIRM = "confirm"
    DISPUTE = "dispute"
    SETTLE = "settle"
    CLOSE = "close"
    REOPEN = "reopen"
    CANCEL = "cancel"
    ACT_FOR = "act_for"
    AMEND = "amend"
    ANNUL = "annul"
    SEAL = "seal"
    LET_GO = "let_go"
