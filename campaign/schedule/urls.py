"""URLs of the schedule: phases, rounds and availability."""

from django.urls import URLPattern, path

from campaign.schedule import views

app_name = "schedule"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/schedule/", views.schedule, name="index"),
    path("campaigns/<uuid:pk>/schedule/availability/", views.availability, name="availability"),
    path("campaigns/<uuid:pk>/phases/new/", views.new_phase, name="new_phase"),
    path("campaigns/<uuid:pk>/phases/<uuid:phase>/", views.phase, name="phase"),
    path("campaigns/<uuid:pk>/phases/<uuid:phase>/delete/", views.delete_phase, name="delete_phase"),
    path("campaigns/<uuid:pk>/rounds/new/", views.new_round, name="new_round"),
    path("campaigns/<uuid:pk>/rounds/<int:number>/", views.round_page, name="round"),
    path("campaigns/<uuid:pk>/rounds/<int:number>/sheet/", views.sheet, name="sheet"),
    path("campaigns/<uuid:pk>/rounds/<int:number>/plan/", views.change_draft, name="change_draft"),
    path("campaigns/<uuid:pk>/rounds/<int:number>/delete/", views.delete_draft, name="delete_draft"),
]
