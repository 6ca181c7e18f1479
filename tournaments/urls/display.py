"""URLs of pairings, standings, bracket, clock, projector and print."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
