"""URLs of events, registration, entries, leaders and invitations."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
