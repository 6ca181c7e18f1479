#!/usr/bin/env bash
# Guess:    `storage.save(name, content)` of FileSystemStorage saves a file or raises, and leaves nothing if it raises.
# Happens:  On a full disk it raises OSError and leaves the beginning of the file under its final name. `exists(name)`
#           is true, and saving the same name again gets another name, with a suffix.
# Hurt:     whoever trusts a file that exists (a later request, a clean-up that compares names) serves half a picture,
#           and a full disk does not get emptier when the request fails.
# Versions: Django 5.2.19 (PyPI). Source: django/core/files/storage/filesystem.py (`_save`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet django==5.2.19

cat > save.py <<'PYTHON'
import errno
import os

from django.conf import settings

settings.configure()

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage


class LargerThanTheDisk(File):
    def __init__(self):
        super().__init__(None)

    def chunks(self, chunk_size=None):
        yield b"half a picture"
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


storage = FileSystemStorage(location="uploads")
try:
    storage.save("full.jpg", LargerThanTheDisk())
except OSError as error:
    print("raised:", error.strerror)
with storage.open("full.jpg") as left:
    print("left:", left.read().decode())
PYTHON
venv/bin/python save.py | tee output
diff output - <<'SEEN'
raised: No space left on device
left: half a picture
SEEN
