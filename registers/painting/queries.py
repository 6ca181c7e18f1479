"""The painted units of a Register."""

from registers.models import Register


def painted_keys(register: Register) -> frozenset[str]:
    """Return the Dossier keys of a Register's painted units, in one query."""
    return frozenset(register.painted_units.values_list("key", flat=True))
