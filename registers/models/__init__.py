"""Registers and their Dossiers, and the ledger they are the sum of.

Only `registers.services` writes them. Each set of rows is the Force (`rules.force`) that the effects in the
ledger add up to; what a Force keeps in order stands in the order of its rows' ids, for rows are only appended
and removed.
"""

from .dossier import (
    Dossier,
    DossierCommendation,
    DossierKeyword,
    DossierSetback,
    DossierUpgrade,
    Status,
)
from .entry import Act, Entry
from .notice import CorrectionNotice
from .proof import Anchor, Finding, Proof
from .register import AgendaProgress, Register, RegisterAsset, RegisterCommandCard, RequestCount

__all__ = [
    "Act",
    "AgendaProgress",
    "Anchor",
    "CorrectionNotice",
    "Dossier",
    "DossierCommendation",
    "DossierKeyword",
    "DossierSetback",
    "DossierUpgrade",
    "Entry",
    "Finding",
    "Proof",
    "Register",
    "RegisterAsset",
    "RegisterCommandCard",
    "RequestCount",
    "Status",
]
