"""The settings of django-unfold: name, colors and sidebar of the admin panel.

The settings import this module, so that it must not import anything that reads settings.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy


def _static(path: str) -> Callable[[HttpRequest], str]:
    return lambda request: static(path)


def _may_view(model: str) -> Callable[[HttpRequest], bool]:
    app, _, name = model.partition(".")
    return lambda request: any(request.user.has_perm(f"{app}.{act}_{name}") for act in ("view", "change"))


def _item(title: str, icon: str, model: str) -> dict[str, Any]:
    """Return the sidebar's link to the list of a model ("app.model"), shown to those who may view it."""
    return {
        "title": title,
        "icon": icon,
        "link": reverse_lazy(f"admin:{model.replace('.', '_')}_changelist"),
        "permission": _may_view(model),
    }


def _group(title: str, *rows: tuple[str, str, str], collapsible: bool = False) -> dict[str, Any]:
    """Return a group of the sidebar. `rows` are the title, the icon and the model of each link."""
    items = [_item(*row) for row in rows]
    return {"title": title, "separator": True, "collapsible": collapsible, "items": items}


_start = {"title": "Start page", "icon": "home", "link": reverse_lazy("admin:index")}
_site = {"title": "Back to the site", "icon": "arrow_back", "link": reverse_lazy("home"), "active": False}
SIDEBAR = [
    {"title": None, "items": [_item("Correct a Register", "edit_note", "registers.register"), _start, _site]},
    _group(
        "Campaigns",
        ("Campaigns", "flag", "campaign.campaign"),
        ("Battles", "swords", "battles.battle"),
        ("Players", "group", "accounts.user"),
        ("Dossiers", "badge", "registers.dossier"),
        ("Army lists", "list_alt", "lists.armylist"),
    ),
    _group(
        "Events",
        ("Events", "trophy", "tournaments.event"),
        ("Event players", "person", "tournaments.entry"),
        ("Rounds", "laps", "tournaments.round"),
        ("Games", "swords", "tournaments.game"),
        ("Submitted army lists", "assignment", "tournaments.submittedlist"),
        ("Judge calls", "gavel", "tournaments.judgecall"),
        ("Leagues", "leaderboard", "tournaments.league"),
        ("Event log", "history_edu", "tournaments.logline"),
    ),
    _group(
        "Catalogue",
        ("Units", "groups", "catalogue.unit"),
        ("Upgrades", "add_box", "catalogue.upgrade"),
        ("Command Cards", "style", "catalogue.commandcard"),
        ("Points history", "history", "catalogue.pointschange"),
    ),
    _group(
        "Tours of Duty",
        ("Story Arcs", "menu_book", "catalogue.storyarc"),
        ("Agendas", "checklist", "catalogue.agenda"),
        ("Turning Point Missions", "swap_horiz", "catalogue.turningpoint"),
        ("Commendations", "military_tech", "catalogue.commendation"),
        ("Setbacks", "trending_down", "catalogue.setback"),
        ("Defining Traits", "psychology", "catalogue.definingtrait"),
        ("Aid Requests", "volunteer_activism", "catalogue.aidrequest"),
        ("Strategic Assets", "inventory_2", "catalogue.asset"),
        ("Paragon Command Cards", "stars", "catalogue.paragoncommandcard"),
        ("Keywords", "label", "catalogue.keyword"),
        collapsible=True,
    ),
    _group(
        "More cards",
        ("Counterparts", "group_work", "catalogue.counterpart"),
        ("Battle cards", "map", "catalogue.battlecard"),
        ("Battle forces", "shield", "catalogue.battleforce"),
        ("Cards of battle forces", "rule", "catalogue.battleforcecard"),
        ("Rank requirements", "stairs", "catalogue.rankrequirement"),
        collapsible=True,
    ),
    _group(
        "Custom Story Arcs",
        ("Custom Story Arcs", "edit_document", "story_arcs.customarc"),
        ("Published versions", "publish", "story_arcs.arcversion"),
        ("Used in campaigns", "library_add_check", "story_arcs.adoptedarc"),
        collapsible=True,
    ),
    _group(
        "System",
        ("Register history", "receipt_long", "registers.ledgerentry"),
        ("Data checks", "verified", "registers.proof"),
        ("Background jobs", "schedule", "procrastinate.procrastinatejob"),
        ("Groups", "admin_panel_settings", "auth.group"),
        ("Email addresses", "mail", "account.emailaddress"),
        ("Second factors", "key", "mfa.authenticator"),
        ("Linked accounts", "link", "socialaccount.socialaccount"),
        ("Sign-in services", "apps", "socialaccount.socialapp"),
        ("Linked account tokens", "vpn_key", "socialaccount.socialtoken"),
        collapsible=True,
    ),
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
    "COLORS": {
        "base": {
            "50": "#faf6e9",
            "100": "#f1ead6",
            "200": "#e2d8bd",
            "300": "#d2c7a9",
            "400": "#b8ad93",
            "500": "#6b6149",
            "600": "#4d4635",
            "700": "#3d392d",
            "800": "#2b2820",
            "900": "#1b1a15",
            "950": "#100f0c",
        },
        "primary": {
            "50": "#f4f5e4",
            "100": "#e9e8cd",
            "200": "#d8dbb0",
            "300": "#c8ce97",
            "400": "#bcc681",
            "500": "#b0bc6c",
            "600": "#4a5521",
            "700": "#3d4527",
            "800": "#2c331b",
            "900": "#1f2413",
            "950": "#14170c",
        },
    },
}
