"""Army lists without a Register: their database rows, and the list formats of other programs."""
