"""Signals about Registers, for apps that depend on this one."""

from django.dispatch import Signal

#: Sent when Registers were corrected by hand or given an award, or when such an entry was undone or redone. `entries`
#: are the new ledger entries with their Registers. Sent in the transaction that writes them.
registers_corrected = Signal()
