"""The queue's tasks of events."""

from django.utils import timezone
from procrastinate.contrib.django import app

from notifications.tasks import BackOff
from tournaments.services.exchange import WAITING
from tournaments.services.links import forget_started, mail_invitation
from tournaments.services.notifications import remind_of_lists


@app.periodic(cron="21 * * * *")
@app.task(name="remind_of_army_lists", queueing_lock="remind_of_army_lists")
def remind_of_army_lists(timestamp: int) -> None:
    """Remind players of the army lists that are due."""
    remind_of_lists(timezone.now())


@app.periodic(cron="57 4 * * *")
@app.task(name="clean_event_files", queueing_lock="clean_event_files")
def clean_event_files(timestamp: int) -> None:
    """Delete uploaded event files that nobody imported, and invitations to events that have started."""
    WAITING.clear()
    forget_started()


@app.task(name="mail_player_invitation", retry=BackOff())
def mail_player_invitation(invited: int) -> None:
    """Mail the invitation of the player with this primary key."""
    mail_invitation(invited, timezone.now())
