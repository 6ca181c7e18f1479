"""The URL of the button that reminds a person."""

from django.urls import URLPattern, path

from campaign.reminders import views

app_name = "reminders"
urlpatterns: list[URLPattern] = [path("battles/<uuid:pk>/remind/", views.remind, name="remind")]
