"""URLs of the theme switch, the style guide, and what programs ask every site for."""

from django.urls import path

from core.ui import styleguide, theme, well_known

app_name = "ui"
urlpatterns = [
    path("theme/", theme.choose, name="theme"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
    path("robots.txt", well_known.robots, name="robots"),
    path(".well-known/security.txt", well_known.security, name="security"),
    path(".well-known/change-password", well_known.change_password, name="change_password"),
]
