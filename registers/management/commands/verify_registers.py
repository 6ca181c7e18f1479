"""`manage.py verify_registers`: check the data of all Registers."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from registers.ledger.verification import Difference
from registers.models import Register
from registers.services.data_checks import verify_all


class Command(BaseCommand):
    help = (
        "Replay the ledger of every Register, compare it with its rows, check the digest of each entry, and save the "
        "result. Exit status 1 if anything differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--processes", type=int, default=settings.PROOF_PROCESSES)

    def handle(self, *, processes: int, **options: Any) -> None:
        """Print one line for each difference, and a summary."""
        proof = verify_all(processes=max(1, processes))
        for finding in proof.findings.order_by("register_id", "pk").iterator():
            register = Register.objects.filter(pk=finding.register_id).first() or ""
            self.stdout.write(f"{finding.register_id} {register}: {Difference(finding.kind, finding.facts)}")
        self.stdout.write(f"Registers checked: {proof.registers}. Registers with problems: {proof.differing}.")
        if proof.differing:
            sys.exit(1)
