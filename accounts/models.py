"""Users."""

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from .names import name_key, twin_keys, validate_one_script


class NameKeyField(models.CharField):
    """The key of the username (`names.name_key`), computed whenever a row is saved."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key, and set it on the instance."""
        key = name_key(model_instance.username)
        setattr(model_instance, self.attname, key)
        return key


class User(AbstractUser):
    """A person with a sign-in. Our own model from the first migration, because Django cannot swap it later.

    `email` is what the user typed; only a verified allauth `EmailAddress` counts. A row is never deleted, since shared
    data refers to it (see `services.closing`). An account that was merged into another is shown under the other's name,
    `known_as`, wherever ledgers refer to it; a player without an account is shown under the name that an organizer
    gave them. Only the account of a visitor who tries the demo is deleted, with all that refers to it.
    """

    username = models.CharField(
        _("username"),
        max_length=150,
        unique=True,
        help_text=_("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
        validators=[UnicodeUsernameValidator(), validate_one_script],
        error_messages={"unique": _("A user with that username already exists.")},
    )
    #: Names that look alike have the same key, so only one account can have them.
    username_key = NameKeyField(max_length=450, unique=True, editable=False)
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="merged"
    )
    known_as = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)
    #: When the account of a visitor who tries the demo is deleted (`campaign.scenarios.sandbox`). None for all others.
    guest_until = models.DateTimeField(null=True, blank=True, editable=False)

    def clean(self) -> None:
        """Refuse a name that counts as the same as another."""
        super().clean()
        if self.username and is_taken(self.username, except_for=self):
            message = self._meta.get_field("username").error_messages["unique"]
            raise ValidationError({"username": message}, "unique")

    def get_username(self) -> str:
        """Return the name of this person."""
        return self.known_as or super().get_username()

    @property
    def former_name(self) -> str:
        """The name shown after the account is deleted. Nobody can sign up with it: it has blanks and a #."""
        return f"former player #{self.pk}"

    @property
    def is_placeholder(self) -> bool:
        """Whether this is a placeholder that nobody has claimed yet: for a person of an imported campaign, or for a
        player without an account.
        """
        kept = not self.is_active and self.merged_into_id is None and self.username != self.former_name
        return kept and self.username.endswith(self._mark)

    @property
    def carried_name(self) -> str:
        """The name of this person in an exported campaign file."""
        return self.username.removesuffix(self._mark) if self.is_placeholder else self.get_username()

    def placeholder_name(self, name: str) -> str:
        """Return the username for an unclaimed person; nobody can sign up with it."""
        return f"{name}{self._mark}"

    @property
    def _mark(self) -> str:
        return f" #{self.pk}"


def has_right(user: User | AnonymousUser | None, permission: str) -> bool:
    """Return whether somebody of the staff has a permission ("app.codename"). No query for anyone else."""
    return bool(user and user.is_staff and user.has_perm(permission))


def is_taken(name: str, *, except_for: User | None = None) -> bool:
    """Return whether an account has a name that counts as the same, or one that looks the same in another alphabet."""
    others = User.objects.filter(username_key__in=[name_key(name), *twin_keys(name)])
    return (others.exclude(pk=except_for.pk) if except_for else others).exists()
