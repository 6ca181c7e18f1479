"""Changes of a Register outside battles: corrections, awards, imported Registers."""
