"""The books at night."""

from procrastinate.contrib.django import app
from structlog.testing import capture_logs

from registers import tasks
from registers.models import Proof, Register


def test_each_night(settings):
    [periodic] = [task for task in app.periodic_registry.periodic_tasks.values() if task.task is tasks.prove_books]
    assert periodic.cron == settings.PROOF_CRON == "27 3 * * *"


def test_what_is_found_stands_in_the_log(founded):
    with capture_logs() as logs:
        tasks.prove_books(timestamp=0)
    assert logs == []
    Register.objects.update(reputation=9)
    with capture_logs() as logs:
        tasks.prove_books(timestamp=0)
    assert logs == [
        {"event": "books_differ", "log_level": "error", "proof": Proof.objects.latest("pk").pk, "registers": 1}
    ]
