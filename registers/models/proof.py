"""What the proofs of the books came to."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .register import Register


class Proof(models.Model):
    """One run over all Registers; while it runs, or when it was broken off, `finished_at` is empty."""

    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)
    registers = models.PositiveIntegerField(default=0)
    entries = models.PositiveBigIntegerField(default=0)
    differing = models.PositiveIntegerField(_("Registers that differ"), default=0)

    class Meta:
        ordering = ("-started_at",)

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d %H:%M}"


class Finding(models.Model):
    """Something that is not as it was written (`registers.audit.Difference`), found by a proof.

    The Register may be gone: that is one of the things that are found.
    """

    proof = models.ForeignKey(Proof, models.CASCADE, related_name="findings")
    register = models.ForeignKey(Register, models.DO_NOTHING, db_constraint=False, related_name="+")
    kind = models.CharField(max_length=12)
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ("proof", "pk")

    def __str__(self) -> str:
        return f"{self.register_id}: {self.kind}"


class Anchor(models.Model):
    """How far a Register was proved the last time that nothing was found, and the digest of that entry.

    The next proof demands that this entry still stands: so a ledger that was cut off, or written anew with a chain
    of its own, is found. It outlives its Register, whose disappearance is found too.
    """

    register = models.OneToOneField(
        Register, models.DO_NOTHING, db_constraint=False, primary_key=True, related_name="anchor"
    )
    position = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    proof = models.ForeignKey(Proof, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.register_id} up to {self.position}"
