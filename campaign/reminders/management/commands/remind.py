"""Send the reminders that are due now. The queue's worker does it every hour."""

from typing import Any

from django.core.management.base import BaseCommand

from campaign.reminders.services import send_due


class Command(BaseCommand):
    help = "Send the reminders that are due: of battles tomorrow, reports that wait, and rounds."

    def handle(self, *args: Any, **options: Any) -> None:
        """Send them, and print how many people get one."""
        self.stdout.write(f"People reminded: {send_due()}")
