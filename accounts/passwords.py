"""The rules for passwords, as one validator, so that forms explain them in one line."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    NumericPasswordValidator,
    UserAttributeSimilarityValidator,
    validate_password,
)
from django.utils.translation import gettext as _


class PasswordRules:
    """Django's four rules. NIST SP 800-63B asks for a minimum length and a list of common passwords."""

    def __init__(self) -> None:
        self.rules = (
            UserAttributeSimilarityValidator(),
            MinimumLengthValidator(),
            CommonPasswordValidator(),
            NumericPasswordValidator(),
        )

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Check all rules. Raises ValidationError with the message of each broken one."""
        validate_password(password, user, self.rules)

    def get_help_text(self) -> str:
        """Return the rules in one line."""
        return _("At least 8 characters, not only digits, not a common password, and not like your name.")
