"""The URL of painting and achievements."""

from django.urls import URLPattern, path

from campaign.achievements import views

app_name = "achievements"
urlpatterns: list[URLPattern] = [path("campaigns/<uuid:pk>/achievements/", views.index, name="index")]
