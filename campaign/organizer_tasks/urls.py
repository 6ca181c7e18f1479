"""URLs of an organizer's tasks in a campaign."""

from django.urls import URLPattern, path

from campaign.organizer_tasks import views

app_name = "organizer_tasks"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/tasks/", views.tasks, name="tasks"),
    path("campaigns/<uuid:pk>/tasks/remind/", views.remind, name="remind"),
]
