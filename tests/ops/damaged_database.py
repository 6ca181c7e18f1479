"""What is said of a damaged database."""

DAMAGED = (
    "The embedded PostgreSQL cannot use {}. The directory is damaged or is not a PostgreSQL directory. "
    "Move it away to start empty, or restore a backup."
)
