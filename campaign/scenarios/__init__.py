"""Campaigns written down as JSON: read strictly, played through the real services, compared with expectations."""
