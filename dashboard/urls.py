"""URLs of the home page's badge, the demo, and the page for an invitation."""

from django.urls import URLPattern, path

from dashboard import demo, views

app_name = "dashboard"
urlpatterns: list[URLPattern] = [
    path("waiting/", views.badge, name="badge"),
    path("calendar/<str:token>/events.ics", views.events_feed, name="events_feed"),
    path("demo/", demo.demo, name="demo"),
    path("demo/leave/", demo.leave, name="leave_demo"),
    path("demo/keep/<str:token>/", demo.keep, name="keep_demo"),
    path("demo/<str:token>/", demo.second_phone, name="second_phone"),
    path("join/", demo.invitation, name="invitation"),
]
