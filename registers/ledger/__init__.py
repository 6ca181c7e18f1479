"""The ledger of a Register: sessions, entries in words, filters, past states, verification."""
