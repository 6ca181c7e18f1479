"""What changes a Register outside of battles: corrections, awards, imported Registers."""
