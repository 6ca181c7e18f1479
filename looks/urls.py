"""The addresses of the looks."""

from django.urls import path

from . import styleguide, theme

app_name = "looks"
urlpatterns = [
    path("theme/", theme.choose, name="theme"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
