"""`make audit` (`python -m ops.audit`): report locked versions with known vulnerabilities.

pip-audit asks PyPI about each package. A vulnerability exits with 1. A package that PyPI could not be asked about is
named but is no error, so that the command does not depend on the network; AUDIT=required makes it one. In GitHub's CI
(GITHUB_ACTIONS=true) each message is also an annotation of the run, which shows whether PyPI could be asked.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ops.paths import BASE_DIR

#: All packages for the app and development, at the app's versions.
LOCK = BASE_DIR / "requirements-dev.txt"
ASKED = [str(Path(sys.executable).parent / "pip-audit"), "--disable-pip", "--require-hashes", "--format=json"]
ASKED += ["--progress-spinner=off", "--requirement"]


def main() -> None:
    """Ask PyPI, and print the result."""
    asked = subprocess.run([*ASKED, str(LOCK)], capture_output=True, text=True, check=False)
    try:
        found = json.loads(asked.stdout)["dependencies"]
    except ValueError:
        found = []
    sentences, failed = report(found, required=os.environ.get("AUDIT") == "required")
    print(*sentences, sep="\n", flush=True)
    if os.environ.get("GITHUB_ACTIONS") == "true":
        level = "error" if failed else "warning" if any("WARNING" in each for each in sentences) else "notice"
        print(*(f"::{level} title=make audit::{each}" for each in sentences), sep="\n", flush=True)
    sys.exit(failed)


def report(found: list[dict[str, Any]], *, required: bool) -> tuple[list[str], bool]:
    """Return what to print about pip-audit's findings, and whether they are an error."""
    weak = [(each, weakness) for each in found for weakness in each.get("vulns", ())]
    unasked = [each["name"] for each in found if "skip_reason" in each]
    sentences = [
        f"{each['name']} {each['version']} has a known weakness, {weakness['id']}; fixed in "
        f"{', '.join(weakness['fix_versions']) or 'no version yet'}."
        for each, weakness in weak
    ]
    if not found or len(unasked) == len(found):
        sentences.append("WARNING: PyPI could not be reached. Nothing was audited.")
    elif unasked:
        sentences.append(
            f"WARNING: {len(unasked)} of {len(found)} packages could not be audited: {', '.join(unasked)}."
        )
    elif not weak:
        sentences.append(f"{len(found)} locked versions audited. None has a known vulnerability.")
    return sentences, bool(weak) or (required and (not found or bool(unasked)))


if __name__ == "__main__":
    main()
