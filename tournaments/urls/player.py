"""URLs of the player's own pages."""

from django.urls import URLPattern, path

from tournaments.views import player

urlpatterns: list[URLPattern] = [
    path("events/<uuid:pk>/me/", player.player, name="player"),
    path("events/<uuid:pk>/me/report/", player.player_report, name="player_report"),
    path("events/<uuid:pk>/me/confirm/", player.player_confirm, name="player_confirm"),
    path("events/<uuid:pk>/me/dispute/", player.player_dispute, name="player_dispute"),
    path("events/<uuid:pk>/me/call/", player.player_call, name="player_call"),
    path("events/<uuid:pk>/me/drop/", player.player_drop, name="player_drop"),
    path("events/<uuid:pk>/me/figures/", player.player_figures, name="player_figures"),
    path("events/<uuid:pk>/me/setup/", player.player_setup, name="player_setup"),
    path("events/me/<str:token>/", player.personal, name="personal"),
]
