from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class DashboardConfig(AppConfig):
    name = "dashboard"

    def ready(self) -> None:
        """Create the groups of staff after the migrations of the last app: only then are all permissions there."""
        from dashboard.staff_groups import create_missing_groups  # lazy: setup

        *_, last = (app for app in apps.get_app_configs() if app.models_module)
        post_migrate.connect(create_missing_groups, sender=last)
