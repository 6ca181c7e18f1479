"""URLs of army lists."""

from django.urls import URLPattern, path

from tournaments.views import army_lists

urlpatterns: list[URLPattern] = [
    path("events/<uuid:pk>/lists/", army_lists.lists, name="lists"),
    path("events/<uuid:pk>/lists/check/", army_lists.check, name="check_lists"),
    path("events/<uuid:pk>/lists/print/", army_lists.print_lists, name="print_lists"),
    path("events/<uuid:pk>/players/<int:number>/list/", army_lists.army_list, name="army_list"),
    path("events/<uuid:pk>/players/<int:number>/list/submit/", army_lists.submit, name="submit_list"),
    path("events/<uuid:pk>/players/<int:number>/list/print/", army_lists.print_list, name="print_list"),
    path("events/<uuid:pk>/players/<int:number>/list/unlock/", army_lists.unlock, name="unlock_list"),
    path("events/<uuid:pk>/players/<int:number>/list/accept/", army_lists.accept, name="accept_list"),
]
