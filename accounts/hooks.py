"""What higher apps do with the accounts of people. They add it to `REGISTERED` in `AppConfig.ready`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .models import User


@dataclass(frozen=True, slots=True)
class Hooks:
    """What an app answers. `deletion(user)` and `merging(gone, into)` run first and in the same transaction.

    `download(user)` is what people download under `name`: what JSON can express, dates and UUIDs. `deletion` may raise
    DeletionRefused, `merging` moves what belongs to `gone`, and `preview(gone)` says in lines what it would move.
    """

    name: str
    download: Callable[[User], Any] | None = None
    deletion: Callable[[User], object] = lambda user: None
    merging: Callable[[User, User], object] = lambda gone, into: None
    preview: Callable[[User], list[str]] = lambda gone: []


#: In the order of the apps.
REGISTERED: list[Hooks] = []
