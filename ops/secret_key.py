"""The site's SECRET_KEY, created once and stored."""

import os
import secrets
from contextlib import suppress
from pathlib import Path


def stored_secret_key(data_dir: Path) -> str:
    """Return the key stored in `data_dir`/secret-key; the first call creates it, readable by its owner alone.

    The key is stored so that sessions outlive a restart. Two processes that start at once agree on one key: only one of
    them can link its file to the name.
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
