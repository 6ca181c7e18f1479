"""The secret key of a site, and secrets of others that are sealed with a key derived from it.

Who reads the database alone, a dump or a backup of it, reads no sealed secret. Who has the SECRET_KEY as well can open
everything, as the site itself can.
"""

import base64
import os
import secrets
from contextlib import suppress
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes


def kept_secret_key(data_dir: Path) -> str:
    """Return the key kept in `data_dir`/secret-key; the first call makes it, readable by its owner alone.

    Sessions outlive a restart because the key does. Two processes that start at once agree on one key:
    only one of them can link its file to the name.
    """
    path = data_dir / "secret-key"
    if not path.exists():
        data_dir.mkdir(parents=True, exist_ok=True)
        draft = data_dir / f"secret-key.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


def seal(secret: str) -> str:
    """Return the secret as a text that only `unseal` can open."""
    return _keys().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str | None:
    """Return what was sealed, also with a key among SECRET_KEY_FALLBACKS; None once its key is gone."""
    try:
        return _keys().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def _keys() -> MultiFernet:
    return MultiFernet([_key(each) for each in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret_key: str | bytes) -> Fernet:
    """The key of one purpose: it opens nothing else that is signed with the same SECRET_KEY."""
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"musterbook.sealing")
    return Fernet(base64.urlsafe_b64encode(derivation.derive(force_bytes(secret_key))))
