"""Encrypt third-party secrets (webhook addresses) with a key derived from SECRET_KEY."""

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes


def encrypt(secret: str) -> str:
    """Return the secret as a text that only `decrypt` can read."""
    return _keys().encrypt(secret.encode()).decode()


def decrypt(sealed: str) -> str | None:
    """Return the decrypted secret, also for keys in SECRET_KEY_FALLBACKS; None if its key is gone."""
    try:
        return _keys().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _keys() -> MultiFernet:
    return MultiFernet([_key(each) for each in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret_key: str | bytes) -> Fernet:
    """Return a key for this purpose only; it opens nothing else signed with the same SECRET_KEY."""
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"musterbook.sealing")
    return Fernet(base64.urlsafe_b64encode(derivation.derive(force_bytes(secret_key))))
