"""What people type about their accounts, where it differs from allauth's own forms."""

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

from .names import normalized


class LoginForm(allauth.LoginForm):
    """Name and password."""

    def clean_login(self) -> str:
        """Return the name as it is stored, however the keyboard writes it."""
        return normalized(super().clean_login())


class SignupForm(allauth.SignupForm):
    """A name and a password; it says what the optional address is good for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].help_text = _(
            "The only way back in if you forget your password. It counts once you open the link we send there."
        )

    def validate_unique_email(self, value: str) -> str:
        """Any: it may stand at several accounts until one confirms it, and nobody learns here whether one has."""
        return value


class ResetPasswordForm(allauth.ResetPasswordForm):
    """Asks where to send the link. An address that nobody confirmed gets none, though an account may name it."""

    def clean_email(self) -> str:
        """Look for the account that confirmed the address; there is one at most."""
        email: str = super().clean_email()
        self.users = [user for user in EmailAddress.objects.get_users_for(email) if user.is_active]
        return email


class CredentialField(forms.JSONField):
    """The JSON object that a browser makes of a passkey."""

    def to_python(self, value: Any) -> Any:
        """Return the object. Raises BadRequest for what no browser sends and the library cannot read."""
        if value in self.empty_values:
            return None
        try:
            credential = json.loads(value)
            # Refuses infinity, half surrogates, and what is nested too deeply.
            json.dumps(credential, allow_nan=False, ensure_ascii=False).encode()
        except (ValueError, RecursionError) as error:
            raise BadRequest("The credential is not JSON.") from error
        if not isinstance(credential, dict):
            raise BadRequest("The credential is not a JSON object.")
        return credential


class CredentialForm(forms.Form):
    """A form of allauth's with a credential, which answers 400 to a malformed one."""

    credential = CredentialField(widget=forms.HiddenInput)

    def full_clean(self) -> None:
        """Check the form. The library that reads credentials raises errors of many kinds."""
        try:
            super().full_clean()
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError, struct.error) as error:
            raise BadRequest("The credential is malformed.") from error


class SignInByKeyForm(CredentialForm, LoginWebAuthnForm):
    """Sign-in by a passkey alone."""


class SecondFactorKeyForm(CredentialForm, AuthenticateWebAuthnForm):
    """A key as second factor."""


class ConfirmByKeyForm(CredentialForm, ReauthenticateWebAuthnForm):
    """A key again, before something important."""


class AddKeyForm(CredentialForm, AddWebAuthnForm):
    """A passkey, unless somebody wants a plain security key: the first is what phones have."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        passwordless = self.fields["passwordless"]
        passwordless.initial = True
        passwordless.label = _("A passkey: it alone signs me in")
        passwordless.help_text = _("By finger, face or PIN. Without this it is asked for after the password.")


class DeleteForm(allauth.ReauthenticateForm):
    """The password once more; whoever signs in without one types the name instead."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.user.has_usable_password():
            del self.fields["password"]
            self.fields["name"] = forms.CharField(label=_("Your name here, to be sure"))
            self.fields["name"].widget.attrs["autocomplete"] = "off"

    def clean_name(self) -> str:
        """Refuse any other name."""
        name: str = self.cleaned_data["name"]
        if name != self.user.get_username():
            raise ValidationError(_("That is not the name you sign in with."))
        return name
