"""Army lists without a Register: their rows, and the list formats of other programs."""
