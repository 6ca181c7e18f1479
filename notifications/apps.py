from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "notifications"

    def ready(self) -> None:
        """Register the hooks for data exports and for accounts that are deleted or merged."""
        from accounts.queries import also_in_download
        from accounts.services.closing import before_deletion, before_merging
        from notifications.services.people import delete_notifications_of, give_devices, notifications_of

        also_in_download("notifications", notifications_of)
        before_deletion(delete_notifications_of)
        before_merging(give_devices)
