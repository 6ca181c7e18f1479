"""URLs of star maps."""

from django.urls import URLPattern, path

from campaign.star_map import views

app_name = "star_map"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/map/", views.index, name="index"),
    path("campaigns/<uuid:pk>/map/new/", views.new, name="new"),
    path("campaigns/<uuid:pk>/map/<uuid:system>/", views.system, name="system"),
    path("battles/<uuid:pk>/system/", views.fought_for, name="fought_for"),
]
