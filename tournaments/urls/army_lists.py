"""URLs of army lists."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
