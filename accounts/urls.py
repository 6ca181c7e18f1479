"""Sign-up, sign-in and sign-out, under allauth's own names: account_login, account_logout, account_signup."""

from django.urls import include, path

urlpatterns = [path("", include("allauth.account.urls"))]
