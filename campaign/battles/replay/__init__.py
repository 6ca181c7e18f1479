"""What an amendment does: the ledgers that it reaches, replayed from the changed battle on."""
