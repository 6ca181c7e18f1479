"""All URLs of the site, by app. The home page is the root."""

from django.contrib import admin
from django.urls import include, path

from dashboard.views import home, rules, rules_passages, rules_readings, rules_sheet

urlpatterns = [
    path("", home, name="home"),
    path("rules/", rules, name="rules"),
    path("rules/readings/", rules_readings, name="rules_readings"),
    path("rules/print/", rules_sheet, name="rules_sheet"),
    path("rules/<slug:anchor>/", rules_passages, name="rules_passages"),
    path("admin/", admin.site.urls),
    path("accounts/", include("accounts.urls")),
    path("registers/", include("registers.urls")),
    # Addresses are tried in this order, so those that phones ask for every few seconds come first.
    path("", include("campaign.battles.urls")),
    path("", include("tournaments.urls")),
    path("", include("campaign.urls")),
    path("", include("lists.urls")),
    path("", include("core.ui.urls")),
    path("", include("dashboard.urls")),
    path("", include("campaign.archive.urls")),
    path("", include("campaign.chronicle.urls")),
    path("", include("campaign.schedule.urls")),
    path("", include("campaign.organizer_tasks.urls")),
    path("", include("campaign.discussion.urls")),
    path("", include("campaign.story_arcs.urls")),
    path("", include("campaign.calendar.urls")),
    path("", include("campaign.star_map.urls")),
    path("", include("campaign.teams.urls")),
    path("", include("campaign.achievements.urls")),
    path("", include("notifications.urls")),
]

handler400 = "core.middleware.error_pages.bad_request"
handler500 = "core.middleware.database_down.server_error"
