"""The rules for passwords, as one validator, so that forms explain them in one line."""

from django.contrib.auth import password_validation
from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext as _


class PasswordRules:
    """Django's four rules. NIST SP 800-63B asks for a minimum length and a list of common passwords."""

    def __init__(self) -> None:
        self.rules = (
            password_validation.UserAttributeSimilarityValidator(),
            password_validation.MinimumLengthValidator(),
            password_validation.CommonPasswordValidator(),
            password_validation.NumericPasswordValidator(),
        )

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Check all rules. Raises ValidationError with the message of each broken one."""
        password_validation.validate_password(password, user, self.rules)

    def get_help_text(self) -> str:
        """Return the rules in one line."""
        return _("At least 8 characters, not only digits, not a common password, and not like your name.")
