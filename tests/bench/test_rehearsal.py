"""What the rehearsal of the whole product is judged by."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.rehearsal import sights
from bench.rehearsal.accounts import code_of
from bench.rehearsal.record import Record, name_of

ROOT = Path(__file__).parents[2]
PATIENCE = 3600  # seconds: minutes where nothing else runs, and half an hour was seen on a machine at work


@pytest.mark.nightly
@pytest.mark.browser
def test_the_short_form(chromium):
    """Two players and one Story Arc, in browsers, from the first sign-up to the last file."""
    command = [sys.executable, "-m", "bench.rehearsal", "--short", "--seed", "1"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as played:
        try:
            output, _ = played.communicate(timeout=PATIENCE)
        finally:
            played.terminate()  # it takes its site along
    assert played.returncode == 0, output


def test_an_address_that_nobody_opened_is_forgotten_or_left_out_for_a_reason():
    record = Record()
    for name in sights.names():
        if name not in ("home", "discord_login", "admin:index", "admin:auth_group_add"):
            record.opened[name] += 1
    record.forbidden.add("admin:auth_group_add")
    discord = sights.LEFT_OUT["discord_*"]
    assert sights.unseen(record, short=False) == (
        {"admin:auth_group_add": sights.FORBIDDEN, "discord_login": discord},
        ["admin:index", "home"],
    )
    admin = sights.NOT_IN_SHORT["admin:*"]
    assert sights.unseen(record, short=True) == (
        {"admin:auth_group_add": admin, "admin:index": admin, "discord_login": discord},
        ["home"],
    )


def test_every_reason_is_that_of_an_address():
    record = Record()
    left_out, _ = sights.unseen(record, short=True)
    assert {*left_out.values()} == {*sights.LEFT_OUT.values(), *sights.NOT_IN_SHORT.values()}


def test_names_of_addresses():
    assert [name_of(path) for path in ("/", "/rules/", "/static/css/base.css")] == ["home", "rules", ""]


def test_codes_of_an_authenticator_app():
    """RFC 6238, appendix B: its secret, and the last six digits of its codes."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    assert [code_of(secret, at) for at in (59, 1_111_111_109, 20_000_000_000)] == ["287082", "081804", "353130"]
