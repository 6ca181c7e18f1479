"""URLs of pairings, standings, bracket, clock, projector and print."""

from django.urls import URLPattern, path

from tournaments.views import clock

urlpatterns: list[URLPattern] = [path("events/<uuid:pk>/clock/", clock.clock, name="clock")]
