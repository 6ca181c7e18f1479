"""URLs of judge calls, warnings and terrain."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
