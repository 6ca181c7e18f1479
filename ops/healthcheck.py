"""`python -m ops.healthcheck`: exit with 0 if the site on this machine can serve players.

Used as a container's health check.
"""

import os
import sys
import urllib.error
import urllib.request


def main() -> None:
    """Request `/readyz`, and print its answer."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{os.environ.get('PORT') or 8000}/readyz", timeout=4) as answer:
            print(answer.read().decode().strip())
    except urllib.error.HTTPError as refused:
        sys.exit(refused.read().decode().strip())
    except OSError as error:
        sys.exit(f"The site does not answer: {error}")


if __name__ == "__main__":
    main()
