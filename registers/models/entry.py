"""The ledger."""

from __future__ import annotations

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .register import Register


class Act(models.TextChoices):
    """What was done."""

    OPEN = "open", _("opened")
    UNIT = "unit", _("unit added")
    TAKE_OVER = "take_over", _("taken over from a list")
    AID = "aid", _("Aid Request")
    ARC = "arc", _("Story Arc chosen")
    NAME = "name", _("named")
    COMMISSION = "commission", _("commissioned")
    DISCARD = "discard", _("discarded")
    EDIT = "edit", _("edited")
    BEGIN = "begin", _("took the field")
    CALL_OFF = "call_off", _("left the field")
    GAINS = "gains", _("gained in the game")
    STEP = "step", _("step of the Post-Battle Sequence")
    UNDO = "undo", _("taken back")
    CORRECT = "correct", _("corrected")


class Entry(models.Model):
    """One act and all its effects (`rules.effects.to_data`). It is never changed and never deleted.

    `answers` are those that led to the effects, and `rolled_by_hand` the places among them that were typed
    from the table; `acting_for` is the person in whose stead `actor` acted.
    `undoes` is the entry that counts no longer because of this one: an entry counts as long as none undoes it. An undo
    leaves that one's place empty; any other act brings its own effects there. So nothing ever counts again by itself:
    who takes an undo back writes the act anew, in its old place. `place` is where the entry stands in the sum: its
    position, or the place of the one it undoes.
    `digest` is its link of the chain (`registers.chain`).
    """

    register = models.ForeignKey(Register, models.PROTECT, related_name="entries")
    position = models.PositiveIntegerField()
    place = models.PositiveIntegerField(default=0, db_default=0)
    act = models.CharField(max_length=12, choices=Act.choices)
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    acting_for = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    battle = models.CharField(max_length=64, blank=True)
    step = models.PositiveSmallIntegerField(null=True)
    effects = models.JSONField(default=list)
    answers = models.JSONField(default=list)
    rolled_by_hand = models.JSONField(default=list)
    reason = models.TextField(blank=True)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    digest = models.CharField(max_length=64, default="", db_default="", editable=False)

    class Meta:
        ordering = ("register", "position")
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=("register", "position"), name="entry_own_position"),
            models.CheckConstraint(condition=Q(position__gte=1), name="entry_positions_from_1"),
            models.CheckConstraint(
                condition=Q(act__in=Act.values),
                name="entry_known_act",
            ),
            models.CheckConstraint(
                condition=Q(step__isnull=True) | Q(step__range=(0, 10)), name="entry_ten_steps"
            ),
            models.CheckConstraint(
                condition=~Q(act="undo") | Q(undoes__isnull=False, effects=[]),
                name="entry_undo_names_what_it_undoes",
            ),
            models.CheckConstraint(
                condition=Q(place__range=(1, F("position"))), name="entry_stands_where_it_was_or_before"
            ),
            models.CheckConstraint(
                condition=~Q(act="correct") | ~Q(reason=""), name="entry_correction_has_a_reason"
            ),
        )
        indexes = (models.Index(fields=("battle",), condition=~Q(battle=""), name="entry_of_battle"),)
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)

    def __str__(self) -> str:
        return f"{self.position}: {self.get_act_display()}"
