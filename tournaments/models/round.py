"""Rounds, games, byes and unpaired losses."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from core.moments import moments_constraint
from rules.tournaments.results import Ending

from .entry import Entry
from .event import Event


class Stage(models.TextChoices):
    """A stage of an event (E18)."""

    SWISS = "swiss", gettext_lazy("Swiss")
    BRACKET = "bracket", gettext_lazy("bracket")


class RoundState(models.TextChoices):
    """Where a round stands (E24)."""

    DRAFT = "draft", gettext_lazy("draft")
    PUBLISHED = "published", gettext_lazy("published")
    CLOSED = "closed", gettext_lazy("closed")


class GameState(models.TextChoices):
    """Where the result of a game stands (E28)."""

    OPEN = "open", gettext_lazy("open")
    REPORTED = "reported", gettext_lazy("reported")
    DISPUTED = "disputed", gettext_lazy("disputed")
    CONFIRMED = "confirmed", gettext_lazy("confirmed")


class GamePhase(models.TextChoices):
    """The phase of the game round in which time was called (E26)."""

    COMMAND = "command", gettext_lazy("Command Phase")
    ACTIVATION = "activation", gettext_lazy("Activation Phase")
    END = "end", gettext_lazy("End Phase")


class Round(models.Model):
    """A round, numbered through all stages. `minutes` from `started_at` on are secret in Galactic Conquest (E26)."""

    Stage = Stage
    State = RoundState

    event = models.ForeignKey(Event, models.CASCADE, related_name="round_set")
    number = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=7, choices=Stage)
    state = models.CharField(max_length=9, choices=RoundState, default=RoundState.DRAFT)
    started_at = models.DateTimeField(null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="round_number_in_event"),
            moments_constraint("round_moments", "started_at"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.number}"


class Game(models.Model):
    """A game of two entries, or a bye of the first (without a second). `place` is its order in the round.

    The result is as in `rules.tournaments.results.Result`, the figures of the first and the second entry apart.
    `reported_by` is the player who entered it, None for a leader. `version` counts its changes, so that a stale form is
    noticed. `extension` are minutes that a leader gave the table (E26). `phase` is when time was called in it (E26).
    """

    State = GameState
    Phase = GamePhase

    round = models.ForeignKey(Round, models.CASCADE, related_name="games")
    place = models.PositiveIntegerField()
    table = models.PositiveIntegerField(default=0)
    first = models.ForeignKey(Entry, models.PROTECT, related_name="+", null=True)
    second = models.ForeignKey(Entry, models.PROTECT, related_name="+", null=True)
    state = models.CharField(max_length=9, choices=GameState, default=GameState.OPEN)
    reported_by = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    reported_at = models.DateTimeField(null=True)
    dispute = models.TextField(blank=True, max_length=1000)
    version = models.PositiveIntegerField(default=0)
    mission = models.CharField(max_length=80, blank=True)
    phase = models.CharField(max_length=10, blank=True, choices=GamePhase)
    extension = models.PositiveSmallIntegerField(default=0)
    how = models.CharField(max_length=13, blank=True, choices=[(each.value, each.value) for each in Ending])
    winner = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    by = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    blue = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    roll = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    agreed = models.BooleanField(default=False)
    first_points = models.PositiveIntegerField(default=0)
    second_points = models.PositiveIntegerField(default=0)
    first_tokens = models.PositiveIntegerField(default=0)
    second_tokens = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["round", "place"], name="game_place_in_round"),
            models.UniqueConstraint(fields=["round", "first"], name="first_entry_once_a_round"),
            models.UniqueConstraint(fields=["round", "second"], name="second_entry_once_a_round"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="game_of_two_entries"),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.first} – {self.second}"

    @property
    def pair(self) -> tuple[Entry, Entry]:
        """The two entries. Raises ValueError for a bye."""
        if self.first is None or self.second is None:
            raise ValueError(f"{self} is a bye")
        return self.first, self.second

    def opponent_of(self, entry: Entry) -> Entry | None:
        """Return the other entry, None for a bye."""
        return self.second if self.first_id == entry.pk else self.first


class UnpairedLoss(models.Model):
    """A loss of an entry in a round that it missed, by late entry or by rejoining (E21, E25)."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="unpaired_losses")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="unpaired_losses")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["round", "entry"], name="one_unpaired_loss_a_round")]

    def __str__(self) -> str:
        return f"{self.round}: {self.entry}"
