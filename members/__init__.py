"""Membership, roles and invitations: abstract models and services for every group that people join."""
