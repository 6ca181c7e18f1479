"""The app `django.contrib.admin`, with our admin site."""

from django.contrib.admin import apps as admin


class PanelConfig(admin.AdminConfig):
    """Django's admin with `MusterbookAdminSite` as the site that all admin modules register with."""

    default = False
    default_site = "core.admin.MusterbookAdminSite"
