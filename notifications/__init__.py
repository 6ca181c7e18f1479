"""Messages to channels outside the site: Discord webhooks, mail, and push messages."""
