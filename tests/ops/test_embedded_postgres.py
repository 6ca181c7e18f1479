"""The life of the embedded PostgreSQL."""

import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from bench.postgres_down import kill
from ops.embedded_postgres import EmbeddedServer, EmbeddedServerError, provide_database_url
from ops.paths import BASE_DIR
from tests.ops.damaged_database import DAMAGED

SECONDS_TO_END = 20


@pytest.fixture
def place():
    """Return an empty directory with a path short enough for a socket, which the server's user may enter."""
    with tempfile.TemporaryDirectory(prefix="musterbook-embedded-") as directory:
        yield Path(directory)


@pytest.fixture
def server(place):
    server = EmbeddedServer(place)
    yield server
    server.release()


def pid(server):
    """Return the process id of the running PostgreSQL, or None."""
    file = server.data / "postmaster.pid"
    return int(file.read_text().split()[0]) if file.exists() else None


def ends(process_id):
    """Tell whether a process has ended or soon does: PostgreSQL removes its pid file a moment before its end."""
    try:
        process = os.pidfd_open(process_id)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], SECONDS_TO_END)[0])
    finally:
        os.close(process)


def begin_to_use(place, then):
    """Begin a process that uses the server, says so, and then does what `then` says."""
    code = f"""
import os, signal
from pathlib import Path
from ops.embedded_postgres import EmbeddedServer
EmbeddedServer(Path({str(place)!r})).start()
print("started", flush=True)
{then}
"""
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=BASE_DIR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def another_user(place, then):
    """Return a process that uses the server already."""
    process = begin_to_use(place, then)
    assert process.stdout.readline() == "started\n"
    return process


def test_what_was_written_in_our_own_database_outlives_its_servers(server):
    """One that was killed and started again, and one that was stopped by its release."""

    def kept():
        with psycopg.connect(url) as connection:
            return connection.execute("SELECT current_database(), number FROM kept").fetchone()

    url = server.start()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    assert server.is_running()
    kill(server.data)
    assert not server.is_running()

    server.start_again()
    assert server.is_running()
    assert kept() == ("musterbook", 7)

    stopped = pid(server)
    server.release()
    assert pid(server) is None
    assert ends(stopped)

    assert server.start() == url
    assert kept() == ("musterbook", 7)


def test_the_last_user_stops_it_not_the_first(server, place):
    other = another_user(place, then="input()")
    server.start()
    shared = pid(server)

    other.communicate("done\n")
    assert pid(server) == shared

    server.release()
    assert pid(server) is None


@pytest.mark.nightly
def test_a_release_leaves_the_server_to_its_other_users(server, place):
    server.start()
    shared = pid(server)
    other = another_user(place, then="input()")

    server.release()
    assert pid(server) == shared

    other.communicate("done\n")
    assert pid(server) is None


@pytest.mark.nightly
def test_several_may_start_it_at_once(server, place):
    others = [begin_to_use(place, then="input()") for _ in range(4)]

    assert [other.stdout.readline() for other in others] == ["started\n"] * 4
    for other in others:
        other.communicate("done\n")
    assert pid(server) is None


@pytest.mark.nightly
def test_a_forked_child_does_not_stop_the_server(server):
    server.start()
    before = pid(server)

    child = os.fork()
    if child == 0:
        server.release()
        os._exit(0)
    os.waitpid(child, 0)

    assert pid(server) == before


def test_a_server_whose_user_was_killed_is_taken_over_and_stopped(server, place):
    killed = another_user(place, then="os.kill(os.getpid(), signal.SIGKILL)")
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    survivor = pid(server)
    assert server.is_running()

    server.start()
    assert pid(server) == survivor

    server.release()
    assert pid(server) is None
    assert ends(survivor)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "left_behind",
    ["", f"{os.getpid()}\n{os.getcwd()}\n1\n5432\n/nowhere\n\n0 0\nready\n"],
    ids=["cut short", "of a process that is no PostgreSQL"],
)
def test_a_pid_file_that_a_power_cut_left_behind_does_no_harm(server, left_behind):
    server.start()
    server.release()
    (server.data / "postmaster.pid").write_text(left_behind)

    with psycopg.connect(server.start()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def refusal(server):
    with pytest.raises(EmbeddedServerError) as caught:
        server.start()
    return str(caught.value)


def test_a_directory_of_something_else_is_refused_and_left_as_it_is(server):
    server.data.mkdir()
    (server.data / "diary.txt").write_text("Dear diary")

    assert refusal(server) == DAMAGED.format(server.data)
    assert (server.data / "diary.txt").read_text() == "Dear diary"


@pytest.mark.nightly
@pytest.mark.parametrize("file", ["PG_VERSION", "global/pg_control", "postgresql.conf"])
def test_damaged_data_are_refused(server, file):
    server.start()
    server.release()
    (server.data / file).write_text("nonsense")

    assert refusal(server) == DAMAGED.format(server.data)


def test_a_file_where_the_directory_should_be_is_refused(place):
    (place / "data").write_text("")

    assert refusal(EmbeddedServer(place / "data")) == DAMAGED.format(place / "data" / "postgres")


@pytest.mark.parametrize("name", ["my games", "50%", "what?", "#1", "it's"])
def test_a_path_that_its_tools_do_not_understand_is_refused(place, name):
    assert refusal(EmbeddedServer(place / name)) == (
        f"The embedded PostgreSQL cannot use {place / name}. Its path may contain only letters, digits and "
        "-_.,@+~, but no spaces. Set DATA_DIR to another directory, or move Musterbook."
    )
    assert list(place.iterdir()) == []


def test_the_data_of_another_user_are_refused(server, monkeypatch):
    def denied(*_args, **_options):
        raise PermissionError(13, "Permission denied", "/house/.data/postgres")

    monkeypatch.setattr("ops.embedded_postgres.get_server", denied)

    assert refusal(server) == (
        "/house/.data/postgres belongs to another user. Start Musterbook as the user who started it first."
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could take them")
def test_root_does_not_take_the_data_of_another_user(server):
    server.start()
    server.release()
    os.chown(server.data / "PG_VERSION", 0, 0)

    assert refusal(server) == (
        f"{server.data} belongs to another user. Start Musterbook as the user who started it first."
    )


def test_a_database_url_that_is_set_wins(place, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgresql://elsewhere/musterbook")

    provide_database_url(place)

    assert (os.environ["DATABASE_URL"], list(place.iterdir())) == ("postgresql://elsewhere/musterbook", [])


def test_without_one_the_embedded_server_is_it(place):
    code = (
        "import os; from pathlib import Path; from ops.embedded_postgres import provide_database_url;"
        "provide_database_url(Path(os.environ['PLACE'])); print(os.environ['DATABASE_URL'])"
    )
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"} | {"PLACE": str(place)}

    text = subprocess.check_output([sys.executable, "-c", code], cwd=BASE_DIR, env=environment, text=True)

    assert text == f"postgresql://postgres:@/musterbook?host={place}/postgres\n"
