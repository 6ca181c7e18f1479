"""People who sign in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person with a sign-in. Our own from the first migration, because Django cannot swap it in later.

    `email` is what somebody typed; only an allauth `EmailAddress` that is verified counts.
    A row stays for ever: what others share points at it (see `services.deletion`). One that was merged into another
    (`services.merging`) is called by the other's name, `known_as`, wherever books still name it.
    """

    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="merged"
    )
    known_as = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)

    def get_username(self) -> str:
        """What this person is called."""
        return self.known_as or super().get_username()

    @property
    def former_name(self) -> str:
        """What the others read once the account is deleted. Nobody can sign up with it: it has blanks and a #."""
        return f"former player #{self.pk}"

    @property
    def is_stand_in(self) -> bool:
        """Whether this is nobody's account: somebody of a campaign that was brought here, and not claimed yet."""
        kept = not self.is_active and self.merged_into_id is None and self.username != self.former_name
        return kept and self.username.endswith(self._mark)

    @property
    def carried_name(self) -> str:
        """The name by which this person is known in a file that carries a campaign elsewhere."""
        return self.username.removesuffix(self._mark) if self.is_stand_in else self.get_username()

    def stand_in_name(self, name: str) -> str:
        """The name of somebody whom nobody claimed yet; nobody can sign up with it either."""
        return f"{name}{self._mark}"

    @property
    def _mark(self) -> str:
        return f" #{self.pk}"
