"""URLs of the organizer's console, drafts, results and the log."""

from django.urls import URLPattern, path

from tournaments.views import console, entries, log, results, rounds

urlpatterns: list[URLPattern] = [
    path("events/<uuid:pk>/console/", console.console, name="console"),
    path("events/<uuid:pk>/console/act/", console.act, name="act"),
    path("events/<uuid:pk>/check-in/", entries.check_in, name="check_in"),
    path("events/<uuid:pk>/check-in/<str:code>/", entries.scan, name="scan"),
    path("events/<uuid:pk>/rounds/<int:number>/draft/", rounds.draft, name="draft"),
    path("events/<uuid:pk>/rounds/<int:number>/games/<int:place>/", results.result, name="result"),
    path("events/<uuid:pk>/log/", log.log, name="log"),
]
