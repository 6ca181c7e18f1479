"""A Dossier and what it gathers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast

from rules.cards import FACTIONS, MERCENARY

from .register import Register


class Status(models.TextChoices):
    """Where the unit is."""

    SERVING = "serving", "serving"
    FALLEN = "fallen", "fallen"
    REASSIGNED = "reassigned", "reassigned"


class Dossier(models.Model):
    """One unit of a Register, or one that has left it; `key` is the number it got when it joined.

    `faction` and `affiliation` are those taken over from the Paragon, if a reward brought the unit;
    `training` counts Special Trainings (R44), `owed` the Commendations still to be awarded (R15).
    """

    register = models.ForeignKey(Register, models.CASCADE, related_name="dossiers")
    key = models.CharField(max_length=10)
    order = models.GeneratedField(
        expression=Cast("key", models.IntegerField()), output_field=models.IntegerField(), db_persist=True
    )
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.SERVING)
    unit = models.ForeignKey("catalogue.Unit", models.PROTECT, related_name="+")
    name = models.CharField(max_length=80, blank=True)
    faction = models.CharField(max_length=20, blank=True)
    affiliation = models.CharField(max_length=60, blank=True)
    experience = models.PositiveSmallIntegerField(default=0)
    veteran_rank = models.PositiveSmallIntegerField(default=0)
    training = models.PositiveSmallIntegerField(default=0)
    owed = models.PositiveSmallIntegerField(default=0)
    biography = models.TextField(blank=True)
    picture = models.OneToOneField("uploads.Picture", models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ("order",)
        constraints = (
            models.UniqueConstraint(fields=("register", "key"), name="dossier_own_key"),
            models.CheckConstraint(condition=Q(key__regex=r"^[1-9][0-9]*$"), name="dossier_key_is_a_number"),
            models.CheckConstraint(condition=Q(status__in=Status.values), name="dossier_known_status"),
            models.CheckConstraint(
                condition=Q(faction__in=("", MERCENARY, *FACTIONS)), name="dossier_known_faction"
            ),
            models.CheckConstraint(condition=Q(experience__lte=50), name="dossier_experience_to_50"),
            models.CheckConstraint(condition=Q(veteran_rank__lte=5), name="dossier_veteran_rank_to_5"),
            models.CheckConstraint(condition=Q(training__lte=5), name="dossier_training_to_5"),
        )

    def __str__(self) -> str:
        return f"{self.key}: {self.name or self.unit_id}"


class DossierUpgrade(models.Model):
    """An upgrade card; `by_commendation` if an edit put it into a slot a Commendation gave (R8)."""

    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="upgrades")
    upgrade = models.ForeignKey("catalogue.Upgrade", models.PROTECT, related_name="+")
    by_commendation = models.BooleanField(default=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("dossier", "upgrade"), name="dossierupgrade_not_twice"),
        )

    def __str__(self) -> str:
        return str(self.upgrade_id)


class DossierCommendation(models.Model):
    """A Commendation; never the same one twice (R15)."""

    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="commendations")
    commendation = models.ForeignKey("catalogue.Commendation", models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)
        constraints = (
            models.UniqueConstraint(fields=("dossier", "commendation"), name="dossiercommendation_not_twice"),
        )

    def __str__(self) -> str:
        return str(self.commendation_id)


class DossierSetback(models.Model):
    """One instance of a Setback; some stack (R36)."""

    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="setbacks")
    setback = models.ForeignKey("catalogue.Setback", models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return str(self.setback_id)


class DossierKeyword(models.Model):
    """One instance of a keyword gained; their values add up (section 8)."""

    dossier = models.ForeignKey(Dossier, models.CASCADE, related_name="keywords")
    keyword = models.CharField(max_length=120)

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return self.keyword
