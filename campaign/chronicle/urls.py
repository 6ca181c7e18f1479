"""URLs of the chronicle, for members and for readers of the public link."""

from django.urls import URLPattern, path

from campaign.chronicle import views

app_name = "chronicle"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/chronicle/log/", views.log, name="activity"),
    path("campaigns/<uuid:pk>/chronicle/", views.saga, name="index"),
    path("campaigns/<uuid:pk>/chronicle/book/", views.book, name="book"),
    path("campaigns/<uuid:pk>/chronicle/write/", views.write, name="write"),
    path("campaigns/<uuid:pk>/chronicle/link/", views.public_link, name="share_link"),
    path("battles/<uuid:pk>/tale/", views.tale, name="battle_story"),
    path("battles/<uuid:pk>/write/", views.write_of_battle, name="write_of_battle"),
    path("writings/<uuid:pk>/", views.writing, name="edit"),
    path("writings/<uuid:pk>/withdraw/", views.withdraw, name="withdraw"),
    path("battles/<uuid:pk>/pictures/", views.battle_pictures, name="battle_photos"),
    path(
        "battles/<uuid:pk>/pictures/<uuid:picture>/remove/", views.remove_picture, name="remove_battle_photo"
    ),
    path("campaigns/<uuid:pk>/picture/", views.campaign_picture, name="campaign_photo"),
    path("campaigns/<uuid:pk>/pictures/<uuid:picture>/<slug:size>/", views.picture, name="photo"),
    path("saga/<str:token>/", views.public_saga, name="public"),
    path("saga/<str:token>/pictures/<uuid:picture>/<slug:size>/", views.public_picture, name="public_photo"),
    path("saga/<str:token>/card.png", views.card, name="public_card"),
    path("saga/<str:token>/book/", views.public_book, name="public_book"),
    path("saga/<str:token>/feed/", views.feed, name="public_feed"),
    path("saga/<str:token>/<uuid:entry>/", views.saga_entry, name="public_entry"),
]
