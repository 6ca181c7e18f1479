"""Serving and maintaining a site: start, embedded PostgreSQL, backups, health, monitoring."""
