"""What a browser sends of a form."""

from typing import Any

from django.forms import Form


def posted(form: Form) -> dict[str, Any]:
    """The fields of a form as it is drawn, when nothing in it is changed."""
    sent = {}
    for bound in form:
        value = bound.value()
        if value not in (None, False, ""):
            sent[bound.html_name] = "on" if value is True else value
    return sent
