from django.apps import AppConfig


class CalendarConfig(AppConfig):
    name = "campaign.calendar"

    def ready(self) -> None:
        """Register what happens to the address of a calendar when an account is deleted or merged."""
        from accounts.services.closing import before_deletion, before_merging
        from campaign.calendar.services import forget_address

        before_deletion(forget_address)
        before_merging(lambda gone, into: forget_address(gone))
