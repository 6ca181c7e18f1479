"""What all cards have in common, and how the database itself notices that one has changed."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q

#: Whatever changes a card, SQL by hand included, gives the catalogue a new stamp (see `catalogue.snapshot`).
#: A stamp is never used twice, not even when a transaction is rolled back, as a counter would be.
CHANGE_STAMP = pgtrigger.Trigger(
    name="stamp_catalogue",
    level=pgtrigger.Statement,
    when=pgtrigger.After,
    operation=pgtrigger.Insert | pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate,
    func="""
        INSERT INTO catalogue_cataloguestate (id, stamp, edition, files_hash)
        VALUES (1, gen_random_uuid(), '', '')
        ON CONFLICT (id) DO UPDATE SET stamp = excluded.stamp;
        RETURN NULL;
    """,
)


def points_history(kind: str) -> pgtrigger.Trigger:
    """The trigger that records who changed the points of a card, whatever way the change took."""
    return pgtrigger.Trigger(
        name="points_history",
        when=pgtrigger.After,
        operation=pgtrigger.UpdateOf("points"),
        condition=pgtrigger.Q(old__points__df=pgtrigger.F("new__points")),
        func=f"""
            INSERT INTO catalogue_pointschange (kind, card, name, points_before, points_after, at, by)
            VALUES ('{kind}', NEW.slug, NEW.name, OLD.points, NEW.points, now(),
                    coalesce(nullif(current_setting('musterbook.actor', true), ''), 'SQL as ' || current_user));
            RETURN NULL;
        """,  # noqa: S608  (`kind` is written in this package)
    )


class Card(models.Model):
    """Anything that a catalogue holds: its slug for ever, its place in the printed order, and whether it is gone.

    A card is never deleted, since Registers name it by its slug; one that a newer catalogue lacks is retired.
    """

    slug = models.SlugField(primary_key=True, max_length=120)
    name = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0, editable=False)
    retired = models.BooleanField(
        default=False, help_text="No longer in the catalogue; Registers may still hold it."
    )

    class Meta:
        abstract = True
        ordering = ("position", "slug")
        triggers = (CHANGE_STAMP,)

    def __str__(self) -> str:
        return self.name


class SourcedCard(Card):
    """A printed card with its two letters at Legion HQ, where capitals count and old letters are given again."""

    source_id = models.CharField(max_length=2)

    class Meta(Card.Meta):
        abstract = True
        constraints = (
            models.UniqueConstraint(
                fields=("source_id",),
                condition=Q(retired=False) & ~Q(source_id=""),
                name="%(class)s_own_source_id",
            ),
        )


class CatalogueState(models.Model):
    """The one row that says which catalogue this is: its edition, its files, and a stamp for every change."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    stamp = models.UUIDField()
    edition = models.CharField(max_length=40, blank=True)
    files_hash = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(id=1), name="catalogue_one_state"),)

    def __str__(self) -> str:
        return f"Edition {self.edition}"


class PointsChange(models.Model):
    """A change of the points of a unit or upgrade card, written by a trigger."""

    kind = models.CharField(max_length=10, choices=(("unit", "unit"), ("upgrade", "upgrade")))
    card = models.CharField(max_length=120)
    name = models.CharField(max_length=120)
    points_before = models.PositiveIntegerField()
    points_after = models.PositiveIntegerField()
    at = models.DateTimeField(db_index=True)
    by = models.CharField(max_length=200)

    class Meta:
        ordering = ("-at", "-id")

    def __str__(self) -> str:
        return f"{self.name}: {self.points_before} → {self.points_after}"
