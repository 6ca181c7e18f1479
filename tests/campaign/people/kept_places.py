"""Places that are kept for somebody without an account."""

from accounts.models import User


def kept_for(user: User) -> User:
    """The place of this user, kept for somebody who has not come yet."""
    User.objects.filter(pk=user.pk).update(is_active=False, username=user.placeholder_name(user.username))
    user.refresh_from_db()
    return user
