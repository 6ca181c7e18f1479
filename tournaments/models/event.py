"""An event and the people who run it."""

import secrets

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from core.moments import moments_constraint
from members.models import AbstractAdmission, AbstractInvitation, AbstractMembership, MemberGroup, Role
from rules.tournaments.draws import Draw, commitment
from rules.tournaments.rule_sets import AWARDED_POINTS, EventRules, RuleSet

from .league import League

SEED_BYTES = 32


def new_seed() -> bytes:
    """Return a random seed for the draws of an event (E23)."""
    return secrets.token_bytes(SEED_BYTES)


class State(models.TextChoices):
    """Where an event stands."""

    DRAFT = "draft", gettext_lazy("draft")
    OPEN = "open", gettext_lazy("registration open")
    CLOSED = "closed", gettext_lazy("registration closed")
    RUNNING = "running", gettext_lazy("running")
    FINISHED = "finished", gettext_lazy("finished")
    CANCELLED = "cancelled", gettext_lazy("cancelled")


BEFORE_START = (State.DRAFT, State.OPEN, State.CLOSED)
OVER = (State.FINISHED, State.CANCELLED)


class Tier(models.TextChoices):
    """The tier of an event by the Tournament Regulations (E2, E12)."""

    CASUAL = "casual", gettext_lazy("casual")
    COMPETITIVE = "competitive", gettext_lazy("competitive")


class ListsPublished(models.TextChoices):
    """When the players' army lists can be seen by those who may see them (E10)."""

    AT_START = "start", gettext_lazy("when the event starts")
    WITH_PAIRINGS = "pairings", gettext_lazy("with the pairings of each round")
    NEVER = "never", gettext_lazy("never")


class StructureChoice(models.TextChoices):
    """How many rounds an event has and who advances (E14, E15)."""

    STANDARD = "standard", gettext_lazy("as printed")
    FULL_SWISS = "full_swiss", gettext_lazy("without a cut")
    ADVANCED = "advanced", gettext_lazy("advanced")
    CUSTOM = "custom", gettext_lazy("custom")
    ELIMINATION = "elimination", gettext_lazy("single elimination only")


class Event(MemberGroup):
    """An event of organized play.

    `rounds` are its Swiss rounds and `cut` the players who advance to its bracket, 0 for none (E14–E16); until the
    first pairings are published the app proposes them by `structure`, and `frozen_players` is their number from then
    on. `army_size` is in army points (E7). `awarded_points`, `bye_tokens`, `bye_is_opponent`, `skips_unpaired_losses`
    and `bracket_minutes` are options of `EventRules`, `deck_of_2020` one of `ListRules`. `hands_published`: whether
    command hands and battle cards are published when the event ends (E10). `other_cards`: whether unreleased cards are
    legal (E12). `clubs_apart`: whether a first pairing of two players of one club is warned of. `table_count` tables
    stand there (None: nobody said), `table_names` has the zones as `queries.tables` reads them, and the numbers in
    `kept_tables` are for games that an organizer puts there (E22). A team has at most `team_size` players (None: no
    teams), and the best `team_best` of them count for it (None: all). `trophies` has the name of one on each line;
    `voted_trophy` goes to the player with the most votes of opponents. `schedule` has the lines that `queries.schedule`
    reads; `announcement` is for the projector and all pages of players, `price` is a text, and `payment_link` leads to
    where one pays. `seed` is secret until the event is finished; `Event.commitment` is published before (E23). `origin`
    is the id of the event in the file that this one was imported from, with which its draws were made.
    """

    roles = (Role.ORGANIZER, Role.HEAD_JUDGE, Role.JUDGE)
    default_role = Role.JUDGE

    State = State

    name = models.CharField(max_length=80)
    about = models.TextField(blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    time_zone = models.CharField(max_length=60, default="UTC")
    place = models.CharField(max_length=200, blank=True)
    rule_set = models.CharField(max_length=2, choices=[(each.value, each.value) for each in RuleSet])
    tier = models.CharField(max_length=11, choices=Tier, default=Tier.CASUAL)
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    army_size = models.PositiveIntegerField()
    rounds = models.PositiveSmallIntegerField(default=0)
    cut = models.PositiveSmallIntegerField(default=0)
    awarded_points = models.PositiveIntegerField(default=AWARDED_POINTS)
    bye_tokens = models.PositiveSmallIntegerField(default=0)
    bye_is_opponent = models.BooleanField(default=False)
    skips_unpaired_losses = models.BooleanField(default=False)
    bracket_minutes = models.PositiveSmallIntegerField(null=True, blank=True)
    deck_of_2020 = models.BooleanField(default=False)
    structure = models.CharField(max_length=11, choices=StructureChoice, default=StructureChoice.STANDARD)
    frozen_players = models.PositiveIntegerField(null=True, blank=True, editable=False)
    registration_limit = models.PositiveIntegerField(null=True, blank=True)
    registration_deadline = models.DateTimeField(null=True, blank=True)
    lists_required = models.BooleanField(default=True)
    lists_published = models.CharField(max_length=8, choices=ListsPublished, default=ListsPublished.AT_START)
    hands_published = models.BooleanField(default=False)
    other_cards = models.BooleanField(default=False)
    clubs_apart = models.BooleanField(default=False)
    table_count = models.PositiveIntegerField(null=True, blank=True)
    table_names = models.TextField(blank=True)
    kept_tables = models.CharField(max_length=200, blank=True)
    team_size = models.PositiveSmallIntegerField(null=True, blank=True)
    team_best = models.PositiveSmallIntegerField(null=True, blank=True)
    trophies = models.TextField(blank=True)
    voted_trophy = models.CharField(max_length=80, blank=True)
    schedule = models.TextField(blank=True)
    announcement = models.CharField(max_length=200, blank=True)
    price = models.CharField(max_length=40, blank=True)
    payment_link = models.URLField(max_length=200, blank=True)
    league = models.ForeignKey(League, models.SET_NULL, null=True, blank=True, related_name="events")
    seed = models.BinaryField(default=new_seed, editable=False)
    origin = models.UUIDField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(rule_set__in=RuleSet), name="event_known_rule_set"),
            models.CheckConstraint(condition=Q(state__in=State.values), name="event_known_state"),
            models.CheckConstraint(condition=Q(army_size__gte=1), name="event_army_size"),
            moments_constraint("event_moments", "starts_at", "registration_deadline", "created_at"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> EventRules:
        """The rule set with the event's options."""
        return EventRules.of(self.__getattribute__)

    @property
    def draw(self) -> Draw:
        """The random numbers of the event (E23)."""
        return Draw(bytes(self.seed), str(self.origin or self.pk))

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, published before the first round (E23)."""
        return commitment(bytes(self.seed))

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.state in OVER

    def get_absolute_url(self) -> str:
        """Return the address of its public page."""
        return reverse("tournaments:detail", args=[self.pk])

    def role_violation(self, user: User | None, role: str) -> str:
        """Return why a person cannot have a role: an event has at most one head judge (E1)."""
        others = self.memberships.filter(role=Role.HEAD_JUDGE)
        if role == Role.HEAD_JUDGE and others.exclude(user=user).exists():
            if self.rule_set == RuleSet.GALACTIC_CONQUEST:
                return gettext("This event has a Head Consular. Make them a Consular first.")
            return gettext("This event has a head judge. Make them a judge first.")
        return ""


class Membership(AbstractMembership):
    """A person who runs an event."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="memberships")

    class Meta(AbstractMembership.Meta):
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="one_event_membership_a_person")]

    def __str__(self) -> str:
        return gettext("%(user)s in %(campaign)s") % {"user": self.user, "campaign": self.event}


class Invitation(AbstractInvitation):
    """A link for running an event together."""

    event = models.ForeignKey(Event, models.CASCADE, related_name="invitations")

    def get_absolute_url(self) -> str:
        """Return the address that joins by it."""
        return reverse("tournaments:join", args=[self.token])

    @property
    def group(self) -> Event:
        """The event that the invitation leads into."""
        return self.event


class Admission(AbstractAdmission):
    """A person who joined an event by an invitation."""

    invitation = models.ForeignKey(Invitation, models.CASCADE, related_name="admissions")

    class Meta(AbstractAdmission.Meta):
        constraints = [models.UniqueConstraint(fields=["invitation", "user"], name="one_event_admission_a_person")]
