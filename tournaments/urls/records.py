"""URLs of players' pages, statistics, export, import, feed and leagues."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
