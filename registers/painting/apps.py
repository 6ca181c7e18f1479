from django.apps import AppConfig


class PaintingConfig(AppConfig):
    name = "registers.painting"
