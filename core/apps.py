"""The apps `core` and `django.contrib.admin`, the latter with our admin site."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class CoreConfig(AppConfig):
    name = "core"
    default = True


class PanelConfig(admin.AdminConfig):
    """Django's admin with `MusterbookAdminSite` as the site that all admin modules register with."""

    default = False
    default_site = "core.admin.MusterbookAdminSite"
