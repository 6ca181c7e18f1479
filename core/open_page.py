"""Pages that everybody may read."""

from collections.abc import Callable
from typing import TypeVar

from django.contrib.auth.decorators import login_not_required
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def open_page(view: View) -> View:
    """Return a view that only shows something (GET and HEAD), also to visitors who have not signed in."""
    return login_not_required(require_safe(view))
