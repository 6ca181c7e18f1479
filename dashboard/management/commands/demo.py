"""Create the demo campaign and the demo events, if there are no accounts yet."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from accounts.models import User
from campaign.scenarios.demo import ORGANIZER, set_up_campaign
from ops.paths import DATA_DIR
from tournaments.scenarios.demo import set_up_events


class Command(BaseCommand):
    """`manage.py demo`: a campaign of two players and an organizer, with a battle whose sequence begins, and three
    events in which they play. It changes nothing if any account exists. Passwords are random; the command prints them
    and saves them in the data directory.
    """

    help = "Set up the demo campaign and events in an empty database, and print the sign-ins."

    def handle(self, *args: Any, **options: Any) -> None:
        """Create the demo once; print the sign-ins whenever they are known."""
        kept = DATA_DIR / "demo-sign-ins.txt"
        if User.objects.filter(guest_until=None).exists():
            self.stdout.write(
                kept.read_text()
                if kept.exists() and User.objects.filter(username=ORGANIZER).exists()
                else "This database already has accounts. No demo was set up."
            )
            return
        with transaction.atomic():
            set_up_campaign()
            people = {user.username: user for user in User.objects.all()}
            set_up_events(cora=people[ORGANIZER], ada=people["ada"], ben=people["ben"])
            words = _words(_give_passwords())
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.touch(mode=0o600)
            kept.write_text(words + "\n")
        self.stdout.write(words)
        self.stdout.write(f"The sign-ins are saved in {kept}.")


def _give_passwords() -> dict[str, str]:
    passwords = {}
    for user in User.objects.filter(guest_until=None).order_by("pk"):
        passwords[user.username] = f"{secrets.token_hex(2)}-{secrets.token_hex(2)}-{secrets.token_hex(2)}"
        user.set_password(passwords[user.username])
        user.save()
    return passwords


def _words(passwords: dict[str, str]) -> str:
    lines = ["The demo campaign is ready. Sign in as:"]
    for name, password in passwords.items():
        lines.append(f"  {name:<6} {password}  ({'organizer' if name == ORGANIZER else 'player'})")
    return "\n".join(lines)
