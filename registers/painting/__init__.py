"""Which units of a Register are painted."""
