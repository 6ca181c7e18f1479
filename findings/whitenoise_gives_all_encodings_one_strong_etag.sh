#!/usr/bin/env bash
# Guess:    a static file and its gzip form, whose bytes differ, have different strong ETags, or weak ones (RFC 9110, 8.8.1:
#           a strong validator changes whenever the bytes do, also between content codings).
# Happens:  WhiteNoise builds the ETag from size and time of the uncompressed file and sends it, strong, with every encoding.
# Hurt:     a cache that combines ranges or answers If-Range across encodings may join bytes of two forms. A function for
#           add_headers_function that makes the ETag weak is the way out.
# Versions: whitenoise 6.12.0 (PyPI). Source: whitenoise/responders.py (`StaticFile.get_headers`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet whitenoise==6.12.0

cat > etags.py <<'PYTHON'
import gzip
from pathlib import Path
from whitenoise import WhiteNoise

Path("files").mkdir()
Path("files/a.css").write_bytes(b"p { color: red }\n" * 100)
Path("files/a.css.gz").write_bytes(gzip.compress(Path("files/a.css").read_bytes()))
site = WhiteNoise(None, root="files", prefix="/")


def ask(encoding):
    seen = {}
    environ = {"PATH_INFO": "/a.css", "REQUEST_METHOD": "GET", "HTTP_ACCEPT_ENCODING": encoding}
    body = site(environ, lambda status, headers: seen.update(headers))
    return seen.get("Content-Encoding", "identity"), seen["ETag"], b"".join(body)


first, second = ask("identity"), ask("gzip")
print(first[0], second[0])
print("same bytes:", first[2] == second[2])
print("same strong ETag:", first[1] == second[1] and not first[1].startswith("W/"))
PYTHON
venv/bin/python etags.py | tee output
diff output - <<'SEEN'
identity gzip
same bytes: False
same strong ETag: True
SEEN
