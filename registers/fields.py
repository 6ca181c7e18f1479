"""A column for the terms that are played by."""

from __future__ import annotations

from typing import Any

from django.db import models

from rules.core.campaign_rules import CampaignRules, from_data


class TermsField(models.JSONField):
    """Terms, kept as JSON: what differs from the rulebook (`Terms.as_data`)."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """The terms; a part of them, read by a query, as it is."""
        data = super().from_db_value(value, expression, connection)
        return from_data(data) if isinstance(data, dict) else data

    def to_python(self, value: Any) -> Any:
        """Terms, of JSON as well."""
        return from_data(value) if isinstance(value, dict) else value

    def get_prep_value(self, value: Any) -> Any:
        """Terms as JSON."""
        return super().get_prep_value(value.as_data() if isinstance(value, CampaignRules) else value)

    def value_to_string(self, obj: models.Model) -> Any:
        """Terms for `dumpdata`, which writes JSON."""
        value = self.value_from_object(obj)
        return value.as_data() if isinstance(value, CampaignRules) else value
