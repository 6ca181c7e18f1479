"""A model field for campaign rules."""

from typing import Any

from django.db import models

from rules.core.campaign_rules import CampaignRules, from_data


class CampaignRulesField(models.JSONField):
    """Campaign rules stored as JSON: only what differs from the rulebook (`CampaignRules.as_data`)."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Return the campaign rules. A part of them that a query selected is returned unchanged."""
        data = super().from_db_value(value, expression, connection)
        return from_data(data) if isinstance(data, dict) else data

    def to_python(self, value: Any) -> Any:
        """Return campaign rules, converted from JSON if needed."""
        return from_data(value) if isinstance(value, dict) else value

    def get_prep_value(self, value: Any) -> Any:
        """Return campaign rules as JSON."""
        return super().get_prep_value(value.as_data() if isinstance(value, CampaignRules) else value)

    def value_to_string(self, obj: models.Model) -> Any:
        """Return campaign rules as JSON for `manage.py dumpdata`."""
        value = self.value_from_object(obj)
        return value.as_data() if isinstance(value, CampaignRules) else value
