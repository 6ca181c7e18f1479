"""What stands before the environment: the version of Python, and whether there is anything to install."""

import ast
import re
import subprocess
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ops import bootstrap
from ops.paths import BASE_DIR


@pytest.mark.parametrize(("version", "sentence"), [((3, 10, 12), "this is 3.10"), ((2, 7, 18), "this is 2.7")])
def test_a_python_that_is_too_old_is_refused_in_a_sentence(version, sentence):
    assert bootstrap.too_old(version) == (
        f"Musterbook needs Python 3.11 or newer, but {sentence}. Try `make PYTHON=python3.13 run`."
    )


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 13, 1), (4, 0, 0)])
def test_a_python_that_will_do(version):
    assert bootstrap.too_old(version) is None


def test_the_refusal_has_no_traceback(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 1))

    with pytest.raises(SystemExit) as caught:
        bootstrap.main("requirements.txt")

    assert caught.value.code == bootstrap.too_old((3, 9, 1))


def test_an_old_python_can_read_the_file_that_refuses_it():
    source = (BASE_DIR / "ops" / "bootstrap.py").read_bytes()

    source.decode("ascii")  # Python 2 refuses the rest without a declaration
    tree = ast.parse(source, feature_version=(3, 4))
    assert [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign)] == []


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_a_lock_names_the_extras_that_its_packages_ask_for(lock):
    """Or a pip before 23.1 (Debian 12's) takes `coverage[toml]` for unlocked, as soon as there is a newer coverage."""
    locked = {
        found["name"]: set((found["extras"] or "").split(", ")) - {""}
        for found in re.finditer(
            r"^(?P<name>[\w.-]+)(?:\[(?P<extras>.+)\])?==", (BASE_DIR / lock).read_text(), re.MULTILINE
        )
    }
    missing = {
        (name, asked.name, extra)
        for name, extras in locked.items()
        if _is_installed(name)
        for asked in map(Requirement, metadata.requires(name) or [])
        if any(asked.marker is None or asked.marker.evaluate({"extra": extra}) for extra in {"", *extras})
        for extra in asked.extras - locked[canonicalize_name(asked.name)]
    }
    assert (missing, len(locked) > 30) == (set(), True)


def _is_installed(name: str) -> bool:
    """Whether this system installs what is locked: the lock is for all of them."""
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False


@pytest.fixture
def venv(tmp_path, monkeypatch):
    """Return the lock file of an environment that holds what it names."""
    python = tmp_path / "python"  # a link would find the packages of the system in place of the environment's
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    lock = tmp_path / "lock.txt"
    lock.write_text("django==5.2\n")
    monkeypatch.setattr(bootstrap, "BASE_DIR", str(tmp_path))
    monkeypatch.setattr(bootstrap, "VENV", str(tmp_path))
    monkeypatch.setattr(bootstrap, "PYTHON", str(python))
    (tmp_path / "lock.txt.installed").write_text(bootstrap.fingerprint("lock.txt"))
    return lock


def test_nothing_is_installed_twice(venv, monkeypatch):
    monkeypatch.setattr(bootstrap, "install", None)

    bootstrap.main("lock.txt")

    assert bootstrap.installed("lock.txt") is True


def test_a_lock_file_that_changed_is_installed_again(venv):
    venv.write_text("django==5.2.1\n")

    assert bootstrap.installed("lock.txt") is False


def test_an_environment_without_python_is_made_again(venv):
    (venv.parent / "python").unlink()

    assert bootstrap.installed("lock.txt") is False


def test_an_environment_of_a_python_that_was_upgraded_is_made_again(venv):
    """Its link leads to another one, which does not look where the packages lie."""
    (venv.parent / "python").unlink()
    (venv.parent / "python").write_text("#!/bin/sh\nexit 1\n")
    (venv.parent / "python").chmod(0o755)

    assert bootstrap.installed("lock.txt") is False


def test_an_environment_that_never_was_is_made(venv):
    (venv.parent / "lock.txt.installed").unlink()

    assert bootstrap.installed("lock.txt") is False


def test_uv_is_locked_as_developers_have_it():
    locks = [(BASE_DIR / name).read_text() for name in ("ops/uv.txt", "requirements-dev.txt")]
    assert len({re.search(r"^uv==(\S+)", lock, re.MULTILINE)[1] for lock in locks}) == 1


@pytest.mark.parametrize(
    ("failing", "ran"), [("", ["uv.txt", "uv"]), ("uv.txt", ["uv.txt", "pip"]), ("uv", ["uv.txt", "uv", "pip"])]
)
def test_what_uv_cannot_install_pip_does(venv, monkeypatch, failing, ran):
    """Where there is no uv for the system, or only pip knows the mirror."""
    calls = []

    def call(command, **_):
        calls.append("uv.txt" if "ops/uv.txt" in command else "uv" if command[0] == bootstrap.UV else "pip")
        return calls[-1] == failing

    monkeypatch.setattr(bootstrap, "works", lambda: True)
    monkeypatch.setattr(bootstrap.subprocess, "call", call)
    bootstrap.install("lock.txt")
    assert (calls, bootstrap.installed("lock.txt")) == (ran, True)


def test_pip_runs_from_the_wheel_that_python_brings(venv, monkeypatch, tmp_path):
    """And is unpacked into the environment only where there is no such wheel."""
    calls = []
    monkeypatch.setattr(bootstrap, "works", lambda: False)
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda command, **_: calls.append(command) or 0)
    made = [sys.executable, "-m", "venv", "--clear"]

    for wheel, options in (("/wheels/pip-26.3.whl/pip", ["--without-pip"]), (None, [])):
        monkeypatch.setattr(bootstrap, "pip_wheel", lambda wheel=wheel: wheel)
        bootstrap.install("lock.txt")
        assert calls[0] == [*made, *options, str(tmp_path)]
        assert calls[1][1:-2] == [
            *([wheel] if wheel else ["-m", "pip"]), "install", "--require-hashes", "--progress-bar", "off", "--quiet",
            "--only-binary", ":all:",
        ]  # fmt: skip
        calls.clear()


def test_an_environment_without_pip_is_made_again_where_no_wheel_is_left(monkeypatch, tmp_path):
    subprocess.check_call([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)])
    [packages] = tmp_path.glob("lib/python*/site-packages")
    (packages / "django.py").touch()
    monkeypatch.setattr(bootstrap, "PYTHON", str(tmp_path / "bin" / "python"))
    for wheel, works in (("/wheels/pip-26.3.whl/pip", True), (None, False)):
        monkeypatch.setattr(bootstrap, "pip_wheel", lambda wheel=wheel: wheel)
        assert bootstrap.works() is works


def test_packages_that_nobody_can_install_are_told(venv, monkeypatch):
    venv.write_text("django==5.2.1\n")
    monkeypatch.setattr(bootstrap, "works", lambda: True)
    monkeypatch.setattr(bootstrap.subprocess, "call", lambda *_, **__: 1)
    with pytest.raises(SystemExit, match="could not be installed"):
        bootstrap.install("lock.txt")
    assert bootstrap.installed("lock.txt") is False
