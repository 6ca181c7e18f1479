"""URLs of pairings, standings, bracket, clock, projector and print."""

from django.urls import URLPattern, path

from tournaments.views import display, rounds, standings

urlpatterns: list[URLPattern] = [
    path("events/<uuid:pk>/pairings/", rounds.pairings, name="pairings"),
    path("events/<uuid:pk>/rounds/<int:number>/", rounds.round_page, name="round"),
    path("events/<uuid:pk>/standings/", standings.standings, name="standings"),
    path("events/<uuid:pk>/players/<int:number>/figures/", standings.figures, name="figures"),
    path("events/<uuid:pk>/bracket/", standings.bracket, name="bracket"),
    path("events/<uuid:pk>/clock/", display.clock, name="clock"),
    path("events/<uuid:pk>/projector/", display.projector, name="projector"),
    path("events/<uuid:pk>/print/<str:sheet>.pdf", display.pdf, name="print_pdf"),
    path("events/<uuid:pk>/print/<str:sheet>/", display.sheet, name="print"),
]
