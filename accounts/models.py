"""People who sign in."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with a sign-in. Our own from the first migration, because Django cannot swap it in later.

    `email` is what somebody typed; only an allauth `EmailAddress` that is verified counts.
    A row stays for ever: what others share points at it (see `services.deletion`).
    """

    @property
    def former_name(self) -> str:
        """What the others read once the account is deleted. Nobody can sign up with it: it has blanks and a #."""
        return f"former player #{self.pk}"
