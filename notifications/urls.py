"""URLs of the notifications page, of devices, and of the link that stops mails."""

from django.urls import URLPattern, path

from notifications import views

app_name = "notifications"
urlpatterns: list[URLPattern] = [
    path("notifications/", views.settings, name="settings"),
    path("notifications/devices/", views.add_device, name="add_device"),
    path("notifications/devices/remove/", views.remove_device, name="remove_device"),
    path("notifications/push-worker.js", views.push_worker, name="push_worker"),
    path("notifications/stop/<str:token>/", views.stop, name="stop"),
]
