"""Settings of a public site."""

from __future__ import annotations

ENOUGH = {"HTTPS": "true", "ALLOWED_HOSTS": "musterbook.example.org", "SECRET_KEY": "keys! " * 9}
