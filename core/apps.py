"""The app `django.contrib.admin`, with our admin site."""

from django.apps import apps
from django.contrib.admin import apps as admin

from core.admin_theme import FIELD_NAMES


class PanelConfig(admin.AdminConfig):
    """Django's admin with `MusterbookAdminSite` as the site that all admin modules register with."""

    default = False
    default_site = "core.admin.MusterbookAdminSite"

    def ready(self) -> None:
        """Name fields in words for people, before the pages of the admin are made."""
        for name, field in ((each.verbose_name, each) for model in apps.get_models() for each in model._meta.fields):
            if isinstance(name, str):  # not those of Django, which are translated
                field.verbose_name = FIELD_NAMES.get(str(field).lower(), FIELD_NAMES.get(name, name))
        super().ready()
