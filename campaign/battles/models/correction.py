"""Ledger entries that somebody wrote to put a Register right."""

from registers.models import LedgerEntry


class LedgerCorrection(LedgerEntry):
    """An entry that a correction, an award or an amendment wrote (`campaign.battles.queries.corrections`)."""

    class Meta:
        proxy = True
        ordering = ("-created_at", "-pk")
        verbose_name = "correction"
