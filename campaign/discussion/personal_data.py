"""What a person wrote in discussions: for them to download, and when their account is merged."""

from typing import Any

from accounts.models import User
from campaign.discussion.models import Announcement, Comment, Notice

#: Rows that move to the other account, and the field that names the person.
FOLLOW = ((Announcement, "author"), (Comment, "author"), (Notice, "user"), (Notice, "by"))


def texts_of(user: User) -> dict[str, Any]:
    """Return the announcements and comments that a person wrote, and the notices they got: one query for each."""
    announcements = Announcement.objects.filter(author=user, removed_at=None).order_by("written_at")
    comments = Comment.objects.filter(author=user, removed_at=None).order_by("written_at")
    notices = Notice.objects.filter(user=user).order_by("at")
    return {
        "announcements": list(announcements.values("campaign__name", "title", "text", "pinned", "written_at")),
        "comments": list(
            comments.values("campaign__name", "announcement__title", "battle__number", "text", "written_at")
        ),
        "notices": list(notices.values("campaign__name", "kind", "battle__number", "at", "seen_at")),
    }


def move_texts(gone: User, into: User) -> None:
    """Give the texts and notices of `gone` to `into`."""
    for model, name in FOLLOW:
        model._default_manager.filter(**{name: gone}).update(**{name: into})


def merge_lines(gone: User) -> list[str]:
    """Return what another account would get, a line each."""
    numbers = {
        "Announcements": Announcement.objects.filter(author=gone, removed_at=None).count(),
        "Comments": Comment.objects.filter(author=gone, removed_at=None).count(),
    }
    return [f"{name}: {number}" for name, number in numbers.items() if number]
