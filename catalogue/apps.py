from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "catalogue"

    def ready(self) -> None:
        """Install Django's translations in the rules: this is the lowest app that may import Django."""
        from django.utils import translation

        from rules.core.translation import speak

        speak(translation)
