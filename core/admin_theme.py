"""The settings of django-unfold: name, colors and sidebar of the admin panel.

Colors and sidebar are in `admin_theme.json`: of each link the title, the icon and the model whose list it opens. The
settings import this module, so that it must not import anything that reads settings.
"""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy

_DATA = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))


def _static(path: str) -> Callable[[HttpRequest], str]:
    return lambda request: static(path)


def may_view(model: str, request: HttpRequest) -> bool:
    """Return whether the user may open the admin's pages of a model ("app.model")."""
    app, _, name = model.partition(".")
    return any(request.user.has_perm(f"{app}.{act}_{name}") for act in ("view", "change"))


def _item(title: str, icon: str, model: str) -> dict[str, Any]:
    """Return the sidebar's link to the list of a model ("app.model"), shown to those who may view it."""
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{model.replace('.', '_')}_changelist"),
        "permission": partial(may_view, model),
    }


_start = {"title": "Start page", "icon": "home", "link": reverse_lazy("admin:index")}
_site = {"title": "Back to the site", "icon": "arrow_back", "link": reverse_lazy("home"), "active": False}
SIDEBAR = [
    {"title": None, "items": [_item(*link) for link in _DATA["first"]] + [_start, _site]},
    *({**group, "separator": True, "items": [_item(*link) for link in group["links"]]} for group in _DATA["sidebar"]),
]

#: The setting UNFOLD: paper, ink and olive of static/css/tokens.css and dark.css.
UNFOLD = {
    "SITE_TITLE": "Musterbook",
    "SITE_HEADER": "Musterbook",
    "SITE_SUBHEADER": "Administration",
    "SITE_URL": "/",
    "SITE_ICON": _static("mark.svg"),
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _static("mark.svg")}],
    "STYLES": [_static("css/admin.css")],
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": True,
    "BORDER_RADIUS": "4px",
    "DASHBOARD_CALLBACK": "dashboard.admin_start.start_page",
    "SIDEBAR": {"navigation": SIDEBAR},
    "COLORS": _DATA["colors"],
}
#: Fields whose names in the code are no words for people: names in words, for all or for "app.model.field".
FIELD_NAMES: dict[str, str] = _DATA["fields"]
