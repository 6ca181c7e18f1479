"""The activity log of a campaign: what ledgers do not record, such as members joining and battles changing state."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy

from campaign.models.campaign import Campaign
from core.db.append_only import append_only
from core.moments import moments_constraint

#: Values in `facts`: what was done with a correction or an award,
AWARD, CORRECTION = "award", "correction"
DONE, UNDONE, REDONE = "made", "undone", "redone"
#: … with a story, and with the public link,
CHANGED, WITHDRAWN = "changed", "withdrawn"
OPENED, RENEWED, CLOSED = "opened", "renewed", "closed"
PLACES_SHOWN, PLACES_HIDDEN = "places shown", "places hidden"
#: … and what an organizer removed from a discussion.
ANNOUNCEMENT_REMOVED, COMMENT_REMOVED = "announcement", "comment"


class ActivityKind(models.TextChoices):
    """The kind of an activity."""

    FOUNDED = "founded", gettext_lazy("campaign created")
    JOINED = "joined", gettext_lazy("person joined")
    LEFT = "left", gettext_lazy("person left")
    REMOVED = "removed", gettext_lazy("person removed")
    ROLE = "role", gettext_lazy("role changed")
    ENLISTED = "enlisted", gettext_lazy("Register added")
    DECLINED = "declined", gettext_lazy("Register declined")
    CORRECTED = "corrected", gettext_lazy("Register corrected or awarded")
    GIVEN = "given", gettext_lazy("Register given to another player")
    MERGED = "merged", gettext_lazy("accounts merged")
    STATUS = "status", gettext_lazy("Register withdrawn, retired or brought back")
    DETAILS = "details", gettext_lazy("name, description or own house rules changed")
    CAMPAIGN_RULES = "rules", gettext_lazy("campaign rules changed")
    ARC = "arc", gettext_lazy("custom Story Arc published, added or withdrawn")
    BATTLE = "battle", gettext_lazy("battle changed")
    WRITING = "writing", gettext_lazy("story changed or withdrawn by an organizer")
    CARRIED = "carried", gettext_lazy("campaign imported")
    PHASE = "phase", gettext_lazy("phase created, changed or deleted")
    ROUND = "round", gettext_lazy("battles of a round created")
    TEAM = "team", gettext_lazy("team changed or Register assigned")
    MAP = "map", gettext_lazy("star map changed")
    PUBLIC = "public", gettext_lazy("public page opened, changed or closed")
    DISCUSSION = "discussion", gettext_lazy("announcement or comment deleted")
    LIFECYCLE = "lifecycle", gettext_lazy("campaign closed, archived, reopened, deleted or restored")


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
        constraints = [moments_constraint("activity_moments", "at")]
        indexes = [models.Index(fields=["campaign", "-at"], name="event_of_a_campaign")]
        triggers = append_only()

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
