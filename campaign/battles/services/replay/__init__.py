"""Replay of the ledgers that an amendment reaches, from the changed battle on."""
