"""The entries of an event: its players, with or without an account."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_lazy

from core.moments import moments_constraint
from core.tokens import new_token

from .event import Event, State as EventState
from .team import SYLLABLES, Team, word_of


class State(models.TextChoices):
    """Where an entry stands (E6)."""

    REGISTERED = "registered", gettext_lazy("registered")
    WAITING = "waiting", gettext_lazy("waiting list")
    CHECKED_IN = "checked_in", gettext_lazy("checked in")
    PLAYING = "playing", gettext_lazy("playing")
    DROPPED = "dropped", gettext_lazy("dropped")
    CUT = "cut", gettext_lazy("cut")
    EJECTED = "ejected", gettext_lazy("ejected")


#: States of players who take up a place of the registration limit, of those who are in the event or wait to be, of
#: those who play no longer, and of those among them who have left before the cut or after it.
PLACED = (State.REGISTERED, State.CHECKED_IN, State.PLAYING)
ACTIVE = (*PLACED, State.WAITING)
LEFT = (State.DROPPED, State.CUT, State.EJECTED)
GONE = (State.DROPPED, State.EJECTED)


class Entry(models.Model):
    """A player of an event.

    `number` is public, from 1, and never given again. `user` is empty for a player without an account (E5). `ticket` is
    the random order of the last tiebreaker, set once when the player starts to play (E34). `army_points` are those of
    the army list, if known. `fixed_table` is a table number (E22). `warnings` counts those of judges (E4). `note` is
    for the organizers alone, like `paid`. `team` is final once a published round has the player. `trophies` are the
    names of those that an organizer gave, and `vote` is the secret vote for an opponent. `claimant` asks to take the
    entry over (E5). `token` opens the player's page without an account. `list_unlocked`: whether the player may change
    the army list after the start (E9). `replaceable`: False once the player has declined a place in the bracket (E38).
    `checked_in_on` is the later day of the event on which the player last checked in again.
    """

    State = State

    event = models.ForeignKey(Event, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="event_entries"
    )
    state = models.CharField(max_length=10, choices=State, default=State.REGISTERED)
    ticket = models.BigIntegerField(null=True, blank=True)
    army_points = models.PositiveIntegerField(null=True, blank=True)
    fixed_table = models.PositiveIntegerField(null=True, blank=True)
    warnings = models.PositiveSmallIntegerField(default=0)
    club = models.CharField(max_length=80, blank=True)
    team = models.ForeignKey(Team, models.SET_NULL, null=True, blank=True, related_name="members")
    trophies = models.JSONField(default=list, blank=True)
    vote = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="votes")
    note = models.TextField(blank=True, max_length=1000)
    paid = models.BooleanField(default=False)
    claimant = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    list_unlocked = models.BooleanField(default=False)
    replaceable = models.BooleanField(default=True)
    checked_in_on = models.DateField(null=True, blank=True)
    registered_at = models.DateTimeField(default=timezone.now, editable=False)

    #: The role in which the reader, who is the player, leads the event (`tournaments.access`).
    leads_as: str | None

    class Meta:
        ordering = ["number"]
        verbose_name_plural = "entries"
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_in_event"),
            models.UniqueConstraint(
                fields=["event", "user"], condition=Q(user__isnull=False), name="entry_of_a_person"
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="entry_known_state"),
            moments_constraint("entry_moments", "registered_at"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """The entry in the pure rules and in draws: its number."""
        return str(self.number)

    @property
    def has_withdrawn(self) -> bool:
        """Whether the player left before they played; anyone who leaves later has dropped."""
        return self.state == State.DROPPED and self.ticket is None

    @property
    def has_declined(self) -> bool:
        """Whether the player was not cut, but declined a place in the bracket (E38)."""
        return self.state == State.CUT and not self.replaceable

    @property
    def state_words(self) -> str:
        """The state in words: a dropped player who never played has withdrawn, and after the end nobody is playing."""
        if self.has_withdrawn:
            return gettext("withdrawn")
        if self.has_declined:
            return gettext("declined the bracket")
        if self.state == State.PLAYING and self.event.state == EventState.FINISHED:
            return gettext("played to the end")
        return str(self.get_state_display())

    @property
    def word(self) -> str:
        """What opens the player's page on another phone without the link: five syllables, which follow from the token
        and stop working with it.
        """
        digits = salted_hmac("word", self.token, algorithm="sha256").digest()
        return word_of(digits[:SYLLABLES])

    @property
    def check_in_code(self) -> str:
        """The code that an organizer scans (E6). It does not contain the token, so that others may see it."""
        return f"{self.number}-{salted_hmac('check-in', self.token, algorithm='sha256').hexdigest()[:22]}"


class InvitedPlayer(models.Model):
    """A player invited by mail, until the event starts. `token` becomes that of the personal link when the player
    registers by it. `name` may be empty, and is that of the entry once there is one. `address` is in lower case.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="invited_players")
    name = models.CharField(max_length=80, blank=True)
    address = models.EmailField()
    token = models.CharField(max_length=22, unique=True, default=new_token, editable=False)
    mailed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "address"], name="invited_once_an_event"),
            moments_constraint("invited_moments", "mailed_at", "created_at"),
        ]

    def __str__(self) -> str:
        return self.name or self.address
