"""Membership, roles and invitations: abstract models and services for whatever people join."""
