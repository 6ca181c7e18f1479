"""URLs of the theme switch and the style guide."""

from django.urls import path

from core.ui import styleguide, theme

app_name = "ui"
urlpatterns = [
    path("theme/", theme.choose, name="theme"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
