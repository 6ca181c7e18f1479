"""The rules for passwords, as one validator, so that forms explain them in one line."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    NumericPasswordValidator,
    UserAttributeSimilarityValidator,
)
from django.core.exceptions import ValidationError
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
        errors = []
        for rule in self.rules:
            try:
                rule.validate(password, user)
            except ValidationError as error:
                errors.append(error)
        if errors:
            raise ValidationError(errors)

    def get_help_text(self) -> str:
        """Return the rules in one line."""
        return _("At least 8 characters, not only digits, not a common password, and not like your name.")
