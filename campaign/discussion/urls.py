"""URLs of announcements, comments and notices."""

from django.urls import URLPattern, path

from campaign.discussion import views

app_name = "discussion"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/announcements/", views.announcements, name="announcements"),
    path("campaigns/<uuid:pk>/announcements/new/", views.new_announcement, name="new_announcement"),
    path("announcements/<uuid:pk>/", views.announcement, name="announcement"),
    path("announcements/<uuid:pk>/edit/", views.edit_announcement, name="edit_announcement"),
    path("announcements/<uuid:pk>/remove/", views.remove_announcement, name="remove_announcement"),
    path("battles/<uuid:pk>/comments/", views.battle, name="battle"),
    path("comments/<uuid:pk>/", views.edit_comment, name="edit_comment"),
    path("comments/<uuid:pk>/remove/", views.remove_comment, name="remove_comment"),
    path("notices/<uuid:pk>/", views.notice, name="notice"),
]
