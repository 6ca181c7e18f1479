"""Data checks: replay every Register and store the result."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from operator import add
from uuid import UUID

from django.db import connection
from django.utils import timezone

from core.db.snapshot import read_snapshot
from ops.worker_process import set_up_django
from registers.ledger.verification import Difference, audit, gone
from registers.models import Anchor, Finding, Proof, Register

#: Registers read in one snapshot. Fewer than that are not worth a separate process.
BATCH = 100
#: Primary keys are random, so equal parts of their range have about as many Registers each.
ALL_KEYS = 1 << 128
#: Database settings that a process needs.
WHERE = ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")


@dataclass(slots=True)
class VerificationCount:
    """Counts of Registers and entries checked, and of Registers with differences."""

    registers: int = 0
    entries: int = 0
    differing: int = 0

    def __add__(self, other: "VerificationCount") -> "VerificationCount":
        return VerificationCount(*map(add, astuple(self), astuple(other)))


def verify_all(*, processes: int = 1) -> Proof:
    """Replay all Registers in so many processes, one snapshot per batch without locks; store the result."""
    proof = Proof.objects.create(started_at=timezone.now())
    count = sum(_parts(proof, processes), VerificationCount())
    lost = [_finding(proof.pk, key, found) for key, found in gone()]
    Finding.objects.bulk_create(lost)
    proof.registers, proof.entries = count.registers, count.entries
    proof.differing = count.differing + len(lost)
    proof.finished_at = timezone.now()
    proof.save()
    return proof


def _parts(proof: Proof, processes: int) -> list[VerificationCount]:
    few = not Register.objects.all()[BATCH:].exists()
    if processes == 1 or few or connection.in_atomic_block:
        return [verify_range(proof.pk, (None, None))]
    bounds = [UUID(int=ALL_KEYS * part // processes) for part in range(1, processes)]
    where = {name: connection.settings_dict[name] for name in WHERE}
    with ProcessPoolExecutor(processes, get_context("spawn"), set_up_django, (where,)) as pool:
        return list(pool.map(partial(verify_range, proof.pk), pairwise([None, *bounds, None])))


def verify_range(proof: int, keys: tuple[UUID | None, UUID | None]) -> VerificationCount:
    """Check the Registers from one primary key up to another (None: from the first, to the last), for a data check."""
    first, end = keys
    # Registers of the demo are deleted after some hours, and would be missing in the next check.
    registers = Register.objects.exclude(owner__guest_until__isnull=False).order_by("pk")
    if end:
        registers = registers.filter(pk__lt=end)
    total, rest = VerificationCount(), registers.filter(pk__gte=first) if first else registers
    while batch := list(rest[:BATCH]):
        total += _prove_batch(proof, [register.pk for register in batch])
        rest = registers.filter(pk__gt=batch[-1].pk)
    return total


def _prove_batch(proof: int, keys: Sequence[UUID]) -> VerificationCount:
    count, findings, anchors = VerificationCount(), [], []
    with read_snapshot():
        for register, entries, found in audit(list(Register.objects.filter(pk__in=keys))):
            count += VerificationCount(1, len(entries), bool(found))
            findings += [_finding(proof, register.pk, difference) for difference in found]
            if entries and not found:
                position, digest = register.position, register.digest
                anchors.append(Anchor(pk=register.pk, position=position, digest=digest, proof_id=proof))
    Finding.objects.bulk_create(findings)
    # If there were differences the anchor stays where it was, so that the next check finds them too.
    Anchor.objects.bulk_create(
        anchors, update_conflicts=True, unique_fields=["register"], update_fields=["position", "digest", "proof"]
    )
    return count


def _finding(proof: int, register: UUID, found: Difference) -> Finding:
    return Finding(proof_id=proof, register_id=register, kind=found.kind, facts=dict(found.facts))
