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
        for field in (field for model in apps.get_models() for field in model._meta.fields):
            if isinstance(field.verbose_name, str):  # not those of Django, which are translated
                field.verbose_name = FIELD_NAMES.get(field.verbose_name, field.verbose_name)
        super().ready()
