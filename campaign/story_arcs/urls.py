"""URLs of the Story Arc editor."""

from django.urls import URLPattern, path

from campaign.story_arcs import views

app_name = "story_arcs"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/arcs/", views.arcs, name="list"),
    path("campaigns/<uuid:pk>/arcs/adopt/", views.adopt, name="adopt"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/drop/", views.drop, name="drop"),
    path("campaigns/<uuid:pk>/arcs/new/", views.new, name="new"),
    path("campaigns/<uuid:pk>/arcs/versions/<int:version>/", views.version, name="version"),
    path("campaigns/<uuid:pk>/arcs/versions/<int:version>/print/", views.print_arc, name="print"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/", views.editor, name="editor"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/preview/", views.preview, name="preview"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/map/", views.mission_map, name="map"),
    path("campaigns/<uuid:pk>/arcs/maps/<uuid:picture>/<slug:size>/", views.map_picture, name="map_picture"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/publish/", views.publish, name="publish"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/share/", views.share, name="share"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/discard/", views.discard, name="discard"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/parts/<slug:part>/", views.part, name="part"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/rewards/<str:at>/", views.reward, name="reward"),
    path("campaigns/<uuid:pk>/arcs/<uuid:arc>/conditions/<str:at>/", views.condition, name="condition"),
    path("arcs/<str:token>/", views.shared, name="shared"),
]
