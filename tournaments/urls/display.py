"""URLs of pairings, standings, bracket, clock, projector and print."""

from django.urls import URLPattern, path

from tournaments.views import clock, display, print_sheets, projector

urlpatterns: list[URLPattern] = [
    path("events/<uuid:pk>/pairings/", display.pairings, name="pairings"),
    path("events/<uuid:pk>/rounds/<int:number>/", display.round_page, name="round"),
    path("events/<uuid:pk>/standings/", display.standings, name="standings"),
    path("events/<uuid:pk>/players/<int:number>/figures/", display.figures, name="figures"),
    path("events/<uuid:pk>/bracket/", display.bracket, name="bracket"),
    path("events/<uuid:pk>/clock/", clock.clock, name="clock"),
    path("events/<uuid:pk>/projector/", projector.projector, name="projector"),
    path("events/<uuid:pk>/print/<str:sheet>.pdf", print_sheets.pdf, name="print_pdf"),
    path("events/<uuid:pk>/print/<str:sheet>/", print_sheets.sheet, name="print"),
]
