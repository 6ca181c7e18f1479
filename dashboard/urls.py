"""URLs of the home page and the rules reference."""

from django.urls import URLPattern, path

from dashboard import views

app_name = "dashboard"
urlpatterns: list[URLPattern] = [path("waiting/", views.badge, name="badge")]
