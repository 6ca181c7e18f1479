"""Serving and looking after a site: start, embedded PostgreSQL, backups, health, monitoring."""
