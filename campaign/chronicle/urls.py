"""URLs of the chronicle, for members and for readers of the public link."""

from django.urls import URLPattern, path

from campaign.chronicle import views

app_name = "chronicle"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/chronicle/log/", views.log, name="activity"),
    path("campaigns/<uuid:pk>/chronicle/", views.chronicle, name="index"),
    path("campaigns/<uuid:pk>/chronicle/book/", views.book, name="book"),
    path("campaigns/<uuid:pk>/chronicle/write/", views.write, name="write"),
    path("campaigns/<uuid:pk>/chronicle/link/", views.public_link, name="share_link"),
    path("battles/<uuid:pk>/story/", views.battle_story, name="battle_story"),
    path("battles/<uuid:pk>/after-action/", views.after_action_report, name="after_action"),
    path("battles/<uuid:pk>/after-action.png", views.after_action_image, name="after_action_image"),
    path("battles/<uuid:pk>/write/", views.write_of_battle, name="write_of_battle"),
    path("stories/<uuid:pk>/", views.edit, name="edit"),
    path("stories/<uuid:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("battles/<uuid:pk>/photos/", views.battle_photos, name="battle_photos"),
    path("battles/<uuid:pk>/photos/<uuid:picture>/", views.battle_photo, name="battle_photo"),
    path("campaigns/<uuid:pk>/photo/", views.campaign_photo, name="campaign_photo"),
    path("campaigns/<uuid:pk>/photos/<uuid:picture>/<slug:size>/", views.photo, name="photo"),
    path("chronicle/<str:token>/", views.public_page, name="public"),
    path("chronicle/<str:token>/stories/", views.public_stories, name="public_stories"),
    path("chronicle/<str:token>/photos/<uuid:picture>/<slug:size>/", views.public_photo, name="public_photo"),
    path("chronicle/<str:token>/card.png", views.public_card, name="public_card"),
    path("chronicle/<str:token>/book/", views.public_book, name="public_book"),
    path("chronicle/<str:token>/feed/", views.feed, name="public_feed"),
    path("chronicle/<str:token>/<uuid:entry>/", views.chronicle_entry, name="public_entry"),
    path("chronicle/<str:token>/<uuid:entry>/after-action.png", views.public_after_action, name="public_after_action"),
]
