"""A browser that takes push messages, and the queue that sends them."""

import base64
import json
import os
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from notifications import tasks
from notifications.models import Kind
from notifications.services import people


class Browser:
    """A browser with push: what it sends to the site, and how it reads a message."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = {"p256dh": _text(point), "auth": _text(self.secret)}

    def read(self, body: bytes) -> Any:
        """What a message says."""
        return json.loads(http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def told(*users: User, kind: Kind = Kind.CONFIRM, key: str = "1", **words: str) -> set[int]:
    """Who gets a notification."""
    values = {"title": "Report to confirm", "body": "Confirm it.", "url": "/battles/1/", **words}
    return people.notify(users, kind, key=key, **values)


def work() -> None:
    """Do what the jobs of the queue do, as its worker would."""
    for job in ProcrastinateJob.objects.order_by("pk"):
        getattr(tasks, job.task_name)(**job.args)
