"""Settings of a public site."""

ENOUGH = {"HTTPS": "true", "ALLOWED_HOSTS": "musterbook.example.org", "SECRET_KEY": "keys! " * 9}
