"""URLs of calendars, and of their feeds."""

from django.urls import URLPattern, path

from campaign.calendar import views

app_name = "calendar"
urlpatterns: list[URLPattern] = [
    path("calendar/", views.personal, name="personal"),
    path("calendar/address/", views.address, name="address"),
    path("calendar/<str:token>/battles.ics", views.personal_feed, name="personal_feed"),
    path("calendar/<str:token>/<uuid:pk>.ics", views.campaign_feed, name="campaign_feed"),
    path("campaigns/<uuid:pk>/calendar/", views.of_campaign, name="campaign"),
    path("chronicle/<str:token>/calendar.ics", views.public_feed, name="public_feed"),
]
