from django.apps import AppConfig


class CalendarConfig(AppConfig):
    name = "campaign.calendar"

    def ready(self) -> None:
        """Register what happens to the address of a calendar when an account is deleted or merged."""
        from accounts.hooks import REGISTERED, Hooks
        from campaign.calendar.services import forget_address

        REGISTERED.append(Hooks("calendar", deletion=forget_address, merging=lambda gone, into: forget_address(gone)))
