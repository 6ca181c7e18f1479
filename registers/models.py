"""Registers and their Dossiers, and the ledger they are the sum of."""
