"""URLs of the organizer's console, drafts, results and the log."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
