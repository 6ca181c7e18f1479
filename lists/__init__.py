"""Army lists: the formats of other programs, read and written."""
