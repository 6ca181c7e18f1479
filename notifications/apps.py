from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        """Register the hooks for data exports and for accounts that are deleted or merged."""
        from accounts.hooks import REGISTERED, Hooks
        from notifications.services.people import delete_notifications_of, give_devices, notifications_of

        REGISTERED.append(
            Hooks("notifications", download=notifications_of, deletion=delete_notifications_of, merging=give_devices)
        )
