"""Messages to channels outside the site: Discord webhooks."""
