"""URLs of the player's own pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
