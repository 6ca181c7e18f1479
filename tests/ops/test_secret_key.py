"""The secret key of a machine where nobody set one."""

import stat

from ops.environment import stored_secret_key


def test_a_key_is_made_once_and_kept(tmp_path):
    first = stored_secret_key(tmp_path / "new")

    assert len(first) >= 50
    assert stored_secret_key(tmp_path / "new") == first
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret-key"]


def test_only_its_owner_may_read_it(tmp_path):
    stored_secret_key(tmp_path)

    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_two_machines_have_two_keys(tmp_path):
    assert stored_secret_key(tmp_path / "one") != stored_secret_key(tmp_path / "two")
