from django.apps import AppConfig


class CatalogueConfig(AppConfig):
    name = "catalogue"

    def ready(self) -> None:
        """Let the rules speak the language of the page that asks them: this is the lowest room that knows Django."""
        from django.utils import translation

        from rules.core.translation import speak

        speak(translation)
