"""`manage.py verify_registers`: proves that the books balance."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from registers.audit import differences
from registers.models import Register
from registers.services.ledger import lock


class Command(BaseCommand):
    """Replay every Register, and print where its rows say something else than its ledger."""

    help = "Adds up the ledger of every Register and compares the sum with its rows; exits 1 if they differ."

    def handle(self, **options: Any) -> None:
        """One Register at a time, locked meanwhile, so that play may go on and memory stays small."""
        count = wrong = 0
        for pk in Register.objects.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=200):
            with transaction.atomic():
                [register] = lock(pk)
                found = list(differences(register))
            count += 1
            wrong += bool(found)
            for difference in found:
                self.stdout.write(f"{pk} {register}: {difference}")
        self.stdout.write(f"Registers replayed: {count}; different from their ledger: {wrong}.")
        if wrong:
            sys.exit(1)
