"""`{{ form|problems }}`, `{{ field|problems }}`: errors as `components/refusal.html` takes them."""

from __future__ import annotations

from django import template

from core.form_errors import errors_as_context

register = template.Library()
register.filter("problems", errors_as_context)
