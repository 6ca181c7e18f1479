"""The database backend: PostgreSQL with metrics, that fails quickly while the server is away."""
