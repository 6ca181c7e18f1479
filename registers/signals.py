"""Signals about Registers, for apps that build on this one."""

from django.dispatch import Signal

#: Registers were corrected by hand, were awarded something, or such an entry was undone or redone. Sent with
#: `entries`, the new entries of the ledgers with their Registers, in the transaction that writes them.
registers_corrected = Signal()
