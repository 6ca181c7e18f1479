"""URLs of exporting and importing a campaign."""

from django.urls import URLPattern, path

from campaign.archive import views

app_name = "archive"
urlpatterns: list[URLPattern] = [
    path("campaigns/bring/", views.bring, name="import"),
    path("campaigns/bring/<uuid:file>/", views.look, name="review"),
    path("campaigns/<uuid:pk>/file/", views.carry, name="export"),
    path("campaigns/<uuid:pk>/file/download/", views.carried_file, name="download"),
    path("campaigns/<uuid:pk>/file/<slug:day>/", views.kept_file, name="nightly_file"),
]
