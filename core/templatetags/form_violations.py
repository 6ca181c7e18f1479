"""`{{ form|violations }}`, `{{ field|violations }}`: errors as `components/refusal.html` takes them."""

from django import template

from core.form_errors import errors_as_context

register = template.Library()
register.filter("violations", errors_as_context)
