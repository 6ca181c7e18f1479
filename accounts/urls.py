"""The account page and its two acts, then allauth's pages under its own names: account_login, mfa_index, …"""

from django.urls import include, path

from . import views

own = [
    path("", views.profile, name="profile"),
    path("download/", views.download, name="download"),
    path("delete/", views.delete, name="delete"),
]

urlpatterns = [
    path("", include((own, "accounts"))),
    path("signup/", views.SignupView.as_view(), name="account_signup"),
    path("oidc/<str:provider_id>/login/", views.openid_connect_login, name="openid_connect_login"),
    path("", include("allauth.urls")),
]
