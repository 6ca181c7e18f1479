"""Tokens for links."""

import secrets


def new_token() -> str:
    """Return 128 random bits as 22 letters, for a link that nobody can guess."""
    return secrets.token_urlsafe(16)
