"""People who sign in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from .names import name_key, validate_one_script


class NameKeyField(models.CharField):
    """The key of the username (`names.name_key`), which is computed whenever a row is saved."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key, and set it on the instance."""
        key = name_key(model_instance.username)
        setattr(model_instance, self.attname, key)
        return key


class User(AbstractUser):
    """A person with a sign-in. Our own from the first migration, because Django cannot swap it in later.

    `email` is what somebody typed; only an allauth `EmailAddress` that is verified counts.
    A row stays for ever: what others share points at it (see `services.deletion`). One that was merged into another
    (`services.merging`) is called by the other's name, `known_as`, wherever books still name it.
    """

    username = models.CharField(
        _("username"),
        max_length=150,
        unique=True,
        help_text=_("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
        validators=[UnicodeUsernameValidator(), validate_one_script],
        error_messages={"unique": _("A user with that username already exists.")},
    )
    #: Names that look alike have one key, and so one account.
    username_key = NameKeyField(max_length=450, unique=True, editable=False)
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="merged"
    )
    known_as = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)

    def clean(self) -> None:
        """Refuse a name that counts as the same as another."""
        super().clean()
        if self.username and is_taken(self.username, except_for=self):
            message = self._meta.get_field("username").error_messages["unique"]
            raise ValidationError({"username": message}, "unique")

    def get_username(self) -> str:
        """What this person is called."""
        return self.known_as or super().get_username()

    @property
    def former_name(self) -> str:
        """What the others read once the account is deleted. Nobody can sign up with it: it has blanks and a #."""
        return f"former player #{self.pk}"

    @property
    def is_placeholder(self) -> bool:
        """Whether this is nobody's account: somebody of a campaign that was brought here, and not claimed yet."""
        kept = not self.is_active and self.merged_into_id is None and self.username != self.former_name
        return kept and self.username.endswith(self._mark)

    @property
    def carried_name(self) -> str:
        """The name by which this person is known in a file that carries a campaign elsewhere."""
        return self.username.removesuffix(self._mark) if self.is_placeholder else self.get_username()

    def placeholder_name(self, name: str) -> str:
        """The name of somebody whom nobody claimed yet; nobody can sign up with it either."""
        return f"{name}{self._mark}"

    @property
    def _mark(self) -> str:
        return f" #{self.pk}"


def is_taken(name: str, *, except_for: User | None = None) -> bool:
    """Return whether an account has a name that counts as the same."""
    others = User.objects.filter(username_key=name_key(name))
    return (others.exclude(pk=except_for.pk) if except_for else others).exists()
