#!/usr/bin/env python3
"""Make or refresh `.venv` from a lock file with hashes. Runs on the system's Python, before all else.

    python3 ops/bootstrap.py requirements.txt        # what the app needs
    python3 ops/bootstrap.py requirements-dev.txt    # and what its developers need

Does nothing if `.venv` is up to date. A Python that is too old must be able to read this file to
say so, hence the old-fashioned syntax.
"""

import glob
import hashlib
import os
import subprocess
import sys
import sysconfig

OLDEST = (3, 11)
BASE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(BASE_DIR, os.environ.get("VENV") or ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
UV = os.path.join(VENV, "bin", "uv")


def too_old(version):
    """Return the sentence that refuses this Python version, or None when it will do."""
    if tuple(version) >= OLDEST:
        return None
    return "Musterbook needs Python {}.{} or newer, but this is {}.{}. Try `make PYTHON=python3.13 run`.".format(
        *(OLDEST + tuple(version[:2]))
    )


def fingerprint(lock):
    """Return what names a lock file's content."""
    with open(os.path.join(BASE_DIR, lock), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def stamp(lock):
    """Return the path of the file that says which content of `lock` is installed."""
    return os.path.join(VENV, lock + ".installed")


def installed(lock):
    """Return whether `.venv` works and holds what `lock` says."""
    if not os.path.exists(stamp(lock)) or not works():
        return False
    with open(stamp(lock)) as file:
        return file.read() == fingerprint(lock)


def works():
    """Return whether `.venv` has a Python that finds its packages, which may fail after a system upgrade, and a pip if
    the wheel is gone with which it was made.
    """
    packages = "django" if pip_wheel() else "django, pip"
    try:
        return subprocess.call([PYTHON, "-c", "import " + packages], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def pip_wheel():
    """Return the pip that this Python brings, as a wheel, from which it runs; None if there is none. To unpack it into
    `.venv` takes longer than to install all packages.
    """
    try:
        import ensurepip  # lazy: optional
    except ImportError:  # venv says what to do
        return None
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), os.path.join(os.path.dirname(ensurepip.__file__), "_bundled")]
    found = [wheel for folder in folders if folder for wheel in sorted(glob.glob(os.path.join(folder, "pip-*.whl")))]
    return os.path.join(found[0], "pip") if found else None


def pip(*options):
    """Install packages with pip, and return whether that worked."""
    wheel = pip_wheel()
    program = [PYTHON, wheel] if wheel else [PYTHON, "-m", "pip"]
    command = program + ["install", "--require-hashes", "--progress-bar", "off"] + list(options)
    return subprocess.call(command, cwd=BASE_DIR) == 0


def install_uv():
    """Install uv, which downloads all packages at once where pip takes one after the other, and return whether it is
    there. Not every system has one, nor does it know of mirrors that are set up for pip.
    """
    return pip("--quiet", "--only-binary", ":all:", "-r", "ops/uv.txt")


def install_with_uv(lock):
    """Install `lock` with uv, and return whether that worked."""
    # The lock names all packages, and files can be links to uv's cache, which nobody writes to.
    options = ["--python", PYTHON, "--link-mode", "hardlink", "--no-deps", "--require-hashes", "-r", lock]
    command = [UV, "pip", "install"] + options
    return subprocess.call(command, cwd=BASE_DIR) == 0


def install(lock):
    """Make `.venv` if it is missing or broken, and install `lock` into it, by pip where uv cannot."""
    if not works():
        print("Creating the environment .venv")
        options = ["--without-pip"] if pip_wheel() else []
        if subprocess.call([sys.executable, "-m", "venv", "--clear"] + options + [VENV]):
            sys.exit("Python's venv module does not work. On Debian or Ubuntu, run `apt-get install python3-venv`.")
    print("Installing the packages in {}".format(lock))
    sys.stdout.flush()
    if not (install_uv() and install_with_uv(lock)) and not pip("-r", lock):
        sys.exit("The packages could not be installed. The reason is in the output above. You can safely try again.")
    with open(stamp(lock), "w") as file:
        file.write(fingerprint(lock))


def main(lock):
    """Refuse a Python that is too old; else make sure that `.venv` holds what `lock` says."""
    violation = too_old(sys.version_info)
    if violation:
        sys.exit(violation)
    if not installed(lock):
        try:
            install(lock)
        except KeyboardInterrupt:
            sys.exit(130)


if __name__ == "__main__":
    main(sys.argv[1])
