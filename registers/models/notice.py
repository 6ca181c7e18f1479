"""Notices to players about corrections of their Registers."""

from __future__ import annotations

from django.db import models

from .entry import Entry


class CorrectionNotice(models.Model):
    """A correction, an award or the undo of one that the owner of the Register has not seen yet.

    It is created with its entry when somebody else than the owner acts, and deleted once the owner has seen the entry
    or dismissed the notice.
    """

    entry = models.OneToOneField(Entry, models.CASCADE, primary_key=True, related_name="notice")

    class Meta:
        ordering = ["entry"]

    def __str__(self) -> str:
        return str(self.entry)
