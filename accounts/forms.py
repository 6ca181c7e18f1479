"""Account forms, where they differ from allauth's own."""

import json
import struct
from typing import Any

from allauth.account import forms as allauth
from allauth.account.models import EmailAddress
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.core.exceptions import BadRequest, ValidationError
from django.utils.translation import gettext_lazy as _

from .adapters import can_mail
from .names import normalized


class LoginForm(allauth.LoginForm):
    """Username and password. The page has the way to a new password below: between the two, the tab key meets it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""

    def clean_login(self) -> str:
        """Return the name as it is stored, however the keyboard writes it."""
        return normalized(super().clean_login())


class SignupForm(allauth.SignupForm):
    """A username and a password, with a note on the use of the optional address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = (
            _("Used to reset a forgotten password. Open the link we send you to confirm the address.")
            if can_mail()
            else _("This site sends no mail, so the address is not used now.")
        )

    def validate_unique_email(self, value: str) -> str:
        """Return any address: several accounts may have it until one confirms it, and the form must not reveal that."""
        return value


class ResetPasswordForm(allauth.ResetPasswordForm):
    """Asks for the address to send the link to. An unconfirmed address gets none, even if an account has it."""

    def clean_email(self) -> str:
        """Look up the account that confirmed the address; there is at most one."""
        email: str = super().clean_email()
        self.users = [user for user in EmailAddress.objects.get_users_for(email) if user.is_active]
        return email


#: Objects and arrays of a passkey; browsers write fewer than ten.
MOST_BRACKETS = 60


class CredentialField(forms.JSONField):
    """The JSON object that a browser makes from a passkey."""

    def to_python(self, value: Any) -> Any:
        """Return the object. Raises BadRequest for input that no browser sends and the library cannot read."""
        if value in self.empty_values:
            return None
        try:
            # How deep `json` reads depends on Python; with few brackets nothing is deep.
            credential = json.loads(value if value.count("[") + value.count("{") <= MOST_BRACKETS else "")
            # Refuses infinity and lone surrogates.
            json.dumps(credential, allow_nan=False, ensure_ascii=False).encode()
        except ValueError as error:
            raise BadRequest("The credential is not JSON.") from error
        if not isinstance(credential, dict):
            raise BadRequest("The credential is not a JSON object.")
        return credential


class CredentialForm(forms.Form):
    """An allauth form with a credential, which answers 400 to a malformed one."""

    credential = CredentialField(widget=forms.HiddenInput)

    def full_clean(self) -> None:
        """Validate the form. The library that reads credentials raises errors of many kinds."""
        try:
            super().full_clean()
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, struct.error) as error:
            raise BadRequest("The credential is malformed.") from error


class SignInByKeyForm(CredentialForm, LoginWebAuthnForm):
    """Sign-in with a passkey alone."""


class SecondFactorKeyForm(CredentialForm, AuthenticateWebAuthnForm):
    """A key as second factor."""


class ConfirmByKeyForm(CredentialForm, ReauthenticateWebAuthnForm):
    """Confirmation by key before a sensitive action."""


class AddKeyForm(CredentialForm, AddWebAuthnForm):
    """Adds a passkey, or on request a plain security key. Phones have passkeys."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        passwordless = self.fields["passwordless"]
        passwordless.initial = True
        passwordless.label = _("Use as a passkey to sign in without a password")
        passwordless.help_text = _(
            "Tick to sign in with fingerprint, face or PIN. Otherwise the key is asked for after the password."
        )


class DeleteForm(allauth.ReauthenticateForm):
    """Asks for the password again; users who sign in without one type their name instead."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.user.has_usable_password():
            del self.fields["password"]
            self.fields["name"] = forms.CharField(label=_("Your sign-in name, to confirm"))
            self.fields["name"].widget.attrs["autocomplete"] = "off"

    def clean_name(self) -> str:
        """Return the user's name. Refuses any other name."""
        name: str = self.cleaned_data["name"]
        if name != self.user.get_username():
            raise ValidationError(_("This is not your sign-in name. Type the name you sign in with."))
        return name
