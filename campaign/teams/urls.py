"""URLs of teams."""

from django.urls import URLPattern, path

from campaign.teams import views

app_name = "teams"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/teams/", views.index, name="index"),
    path("campaigns/<uuid:pk>/teams/<uuid:team>/", views.team, name="team"),
]
