"""The one command that serves the site, as a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import psycopg
import pytest
from django.core import management
from django.core.management import CommandError
from django.db import connection
from gunicorn.errors import HaltServer
from prometheus_client import values
from psycopg.conninfo import make_conninfo

from bench.postgres_down import kill
from ops import serve
from ops.embedded_postgres import EmbeddedServerError
from ops.monitoring import shared_metrics
from ops.paths import BASE_DIR
from tests.ops.damaged_database import DAMAGED


@pytest.fixture
def empty():
    """A directory in which no site was yet."""
    with tempfile.TemporaryDirectory(prefix="musterbook-serve-") as directory:
        yield Path(directory)


@pytest.fixture
def port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


@pytest.fixture
def start(empty, port):
    """Return a function that starts the site with variables of its own; what still runs is stopped at the end."""
    started = []

    def _start(**variables):
        environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
        environment |= {"DATA_DIR": str(empty / "data"), "STATIC_ROOT": str(empty / "static"), "PORT": port}
        site = subprocess.Popen(
            [sys.executable, "-m", "ops.serve", "--no-demo"],
            cwd=BASE_DIR,
            env=environment | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        started.append(site)
        return site

    yield _start
    for site in started:
        if site.poll() is None:
            site.terminate()
        site.wait()
        site.stdout.close()


def opened(site):
    """Read what the site says until it is open; return the lines that tell what it is doing."""
    sentences = []
    for line in site.stdout:
        sentences.append(line.rstrip())
        if "is open" in line:
            return [line for line in sentences if line.endswith(("…", "stop it."))]
    raise AssertionError(f"The site did not open: {sentences}")


def sign_in_page(port):
    with urllib.request.urlopen(f"http://localhost:{port}/accounts/login/") as response:
        return response.status, response.read().decode()


def postgres(house):
    """Return the process of the site's PostgreSQL, or None."""
    file = house / "data" / "postgres" / "postmaster.pid"
    return psutil.Process(int(file.read_text().split()[0])) if file.exists() else None


def is_queue_worker(process):
    """Return whether a process works on the queue. One that was killed does not, though it may still be listed."""
    try:
        return os.getsid(process.pid) == process.pid and process.status() != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, psutil.NoSuchProcess):
        return False


def queue_worker(site, port, but=None):
    """Return the process that works on the queue, as soon as there is one and it is not `but`."""
    while True:
        found = [child for child in psutil.Process(site.pid).children() if is_queue_worker(child)]
        if found not in ([], [but]):
            return found[0]
        assert sign_in_page(port)[0] == 200


@pytest.mark.nightly
def test_it_serves_from_nothing_replaces_what_dies_and_leaves_nothing_running(start, empty, port):
    site = start()
    assert opened(site) == [
        "Compiling the code …",
        "Collecting static files …",
        "Updating the database tables …",
        "Loading the cards …",
        "Loading the Story Arcs …",
        f"Musterbook is open at http://localhost:{port} — press Ctrl-C to stop it.",
    ]
    status, page = sign_in_page(port)
    assert status == 200
    stylesheet = next(part for part in page.split('"') if part.endswith(".css"))
    with urllib.request.urlopen(f"http://localhost:{port}{stylesheet}") as response:
        assert response.headers["Cache-Control"] == "max-age=315360000, public, immutable"

    killed = queue_worker(site, port)
    killed.kill()
    successor = queue_worker(site, port, but=killed)
    kill(empty / "data" / "postgres")
    assert "The embedded PostgreSQL stopped. Starting it again …\n" in site.stdout
    while ready(port) != 200:
        assert site.poll() is None

    processes = [successor, *psutil.Process(site.pid).children(), postgres(empty)]
    site.send_signal(signal.SIGINT)
    site.wait()
    assert site.returncode == 0
    assert psutil.wait_procs(processes, timeout=10)[1] == []

    killed = start()
    assert opened(killed) == [f"Musterbook is open at http://localhost:{port} — press Ctrl-C to stop it."]
    survivor, orphan = postgres(empty), queue_worker(killed, port)
    killed.kill()
    killed.wait()
    assert postgres(empty) == survivor
    assert psutil.wait_procs([orphan], timeout=10)[1] == []

    heir = start(QUEUE_WORKER="false")
    opened(heir)
    assert postgres(empty) == survivor
    assert sign_in_page(port)[0] == 200
    assert not any(is_queue_worker(child) for child in psutil.Process(heir.pid).children())
    heir.send_signal(signal.SIGHUP)  # as a terminal that is closed
    heir.wait()
    assert (heir.returncode, postgres(empty)) == (0, None)


def ready(port):
    try:
        with urllib.request.urlopen(f"http://localhost:{port}/readyz", timeout=10) as response:
            return response.status
    except urllib.error.HTTPError as refused:
        return refused.code


class Database:
    """A PostgreSQL that has died, and starts again at the `attempt`th attempt."""

    def __init__(self, attempt):
        self.attempt, self.attempts = attempt, 0

    def is_running(self):
        return self.attempts >= self.attempt

    def start_again(self):
        self.attempts += 1
        if not self.is_running():
            raise EmbeddedServerError("It is damaged.")


@pytest.fixture
def master():
    def _master(database):
        return serve.Master(serve.Site("127.0.0.1", "8000", database))

    return _master


def test_a_database_that_died_is_started_again(master, capsys):
    database = Database(3)
    one = master(database)
    for _ in range(5):
        one.keep_database_running()
    assert database.attempts == 3
    assert capsys.readouterr().err == "The embedded PostgreSQL stopped. Starting it again …\n"


def test_the_site_ends_with_a_sentence_if_the_database_does_not_start(master, monkeypatch, capsys):
    one = master(Database(1_000))
    one.keep_database_running()
    monkeypatch.setattr(serve.Master, "PATIENCE", -1)
    with pytest.raises(HaltServer) as halted:
        one.keep_database_running()
    assert halted.value.exit_status == 1
    assert capsys.readouterr().err.endswith("It is damaged.\n")


def test_a_database_elsewhere_is_left_alone(master):
    master(None).keep_database_running()


def test_a_queue_worker_that_ended_has_a_successor_after_a_pause(master, monkeypatch):
    now, started = [100.0], []
    monkeypatch.setattr(serve.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(serve.os, "fork", lambda: started.append(4_000_000) or started[-1])  # no process has this id
    one = master(None)
    for now[0] in (100.0, 101.0, 104.0, 105.0):
        one.keep_queue_running()
    assert len(started) == 2


@pytest.fixture
def database_of(db):
    """Return a function that makes a database in this way and returns its URL."""
    connection.ensure_connection()
    info = connection.connection.info
    parts = info.get_parameters() | {"password": info.password, "options": ""}

    def _made(how: str) -> str:
        with psycopg.connect(make_conninfo(**parts), autocommit=True) as server:
            server.execute(f"CREATE DATABASE {info.dbname}_other {how}")
        return make_conninfo(**parts | {"dbname": f"{info.dbname}_other"})

    yield _made
    with psycopg.connect(make_conninfo(**parts), autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {info.dbname}_other")


def refusal(site):
    output, _ = site.communicate()
    return site.returncode, output


def test_a_port_in_use_is_refused_in_a_sentence_and_nothing_is_started(start, empty, port):
    with socket.create_server(("127.0.0.1", int(port))):
        assert refusal(start()) == (
            1,
            (
                f"Port {port} cannot be used (Address already in use). "
                "Choose another one, for example `PORT=8001 make run`.\n"
            ),
        )
    assert list(empty.iterdir()) == []


@pytest.mark.parametrize("silly", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_no_port_is_refused(silly):
    with pytest.raises(serve.Unprepared) as refused:
        serve._refuse_port_in_use("127.0.0.1", silly)
    assert str(refused.value) == f"PORT is {silly}: it must be a number from 1 to 65535."


def test_damaged_data_are_refused_in_a_sentence(start, empty):
    (empty / "data" / "postgres").mkdir(parents=True)
    (empty / "data" / "postgres" / "diary.txt").touch()

    status, text = refusal(start())

    assert (status, text) == (1, DAMAGED.format(empty / "data" / "postgres") + "\n")


def test_a_database_that_does_not_answer_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_URL", f"postgresql://player@/musterbook?host={tmp_path}")
    with pytest.raises(serve.Unprepared) as refused:
        serve._refuse_unfit_database()
    assert str(refused.value).startswith("The database of DATABASE_URL does not answer: ")
    assert str(refused.value).endswith(f'"{tmp_path}/.s.PGSQL.5432" failed: No such file or directory')


def test_a_database_that_has_not_all_letters_is_refused(monkeypatch, database_of):
    url = database_of("TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'")
    monkeypatch.setenv("DATABASE_URL", url)
    with pytest.raises(serve.Unprepared) as refused:
        serve._refuse_unfit_database()
    assert str(refused.value) == (
        "The database of DATABASE_URL uses the encoding SQL_ASCII, but must use UTF8. "
        "Create it again: `createdb --encoding UTF8 --template template0 …`."
    )


def test_a_step_that_fails_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(serve, "_run", lambda command, **_: 1)
    monkeypatch.setattr(serve.gc, "disable", lambda: None)

    with pytest.raises(serve.Unprepared) as caught:
        serve._prepare(tmp_path / "prepared", demo=False, collected=False)

    assert str(caught.value) == "`manage.py migrate` failed. The reason is above."
    assert not (tmp_path / "prepared").exists()


def test_what_lies_there_already_is_not_collected(monkeypatch):
    commands = []
    monkeypatch.setattr(serve, "_start", lambda sentence, command, **_: commands.append(command))
    monkeypatch.setattr(serve, "_finish", lambda started: None)
    monkeypatch.setattr(serve.gc, "disable", lambda: None)
    monkeypatch.setattr(serve.shared_metrics, "forget", lambda process: None)

    serve._prepare(None, demo=False, collected=True)

    assert commands == ["migrate", "load_catalogue", "load_arcs"]


@pytest.mark.parametrize(
    ("error", "printed"), [(CommandError("No such card."), "No such card.\n"), (KeyError(7), "KeyError: 7\n")]
)
def test_a_command_that_fails_says_why(monkeypatch, capsys, error, printed):
    def fail(command):
        raise error

    monkeypatch.setattr(management, "call_command", fail)
    assert serve._run("load_catalogue") == 1
    assert capsys.readouterr().err.endswith(printed)


def test_a_site_that_cannot_be_loaded_ends_with_a_sentence(start):
    status, text = refusal(start(DJANGO_SETTINGS_MODULE="nowhere"))
    assert status == 1
    assert "ModuleNotFoundError: No module named 'nowhere'" in text
    assert text.endswith("Musterbook could not be loaded. The reason is above.\n")


def test_two_machines_prepare_one_after_the_other(db):
    connection.ensure_connection()
    info = connection.connection.info
    url = make_conninfo(**info.get_parameters(), password=info.password)

    def free() -> bool:
        """Whether another machine could begin."""
        with psycopg.connect(url) as other:
            return other.execute("SELECT pg_try_advisory_lock(%s)", [serve.PREPARING]).fetchone()[0]

    with serve.one_at_a_time(url):
        assert not free()
    assert free()


def test_figures_are_counted_in_a_place_that_goes_with_the_site(monkeypatch):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    with shared_metrics.shared_directory():
        place = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        assert list(place.iterdir()) == []
    assert not place.exists()


def test_a_worker_that_ends_leaves_the_figures_of_the_others(monkeypatch):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    with shared_metrics.shared_directory():
        place = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        monkeypatch.setattr(shared_metrics.os, "getpid", lambda: 1)  # as after a fork
    assert place.exists()
    place.rmdir()


def test_no_header_says_what_was_asked_for():
    """gunicorn would believe a proxy SCRIPT_NAME and PATH_INFO; ours hands on whatever a visitor says."""
    assert serve.Site("127.0.0.1", "8000").cfg.forwarder_headers == []


def test_gunicorn_says_nothing_of_visitors_and_what_they_asked_for(capfd):
    log = serve.QuietLog(serve.Site("127.0.0.1", "8000").cfg)
    log.warning("Invalid request from ip=203.0.113.9: hush")
    log.warning("WSGI app sent body bytes on a no-body response (method=%s status=%s)", "HEAD", 200)
    log.warning("WORKER TIMEOUT (pid:%s)", 7)
    try:
        raise ValueError("hush")
    except ValueError:
        log.exception("Error handling request %s %s", "GET", "/chronicle/hush/")
    output = capfd.readouterr().err
    assert output.splitlines()[0].endswith("[WARNING] WORKER TIMEOUT (pid:7)")
    assert output.splitlines()[-1] == "ValueError"
    assert "203.0.113.9" not in output
    assert "hush" not in output.replace('raise ValueError("hush")', "")


RELEASING = """
import re, ssl
from pathlib import Path
from ops import serve
def megabytes():
    return int(re.search(r"^RssFile:[^0-9]+([0-9]+)", Path("/proc/self/status").read_text(), re.MULTILINE)[1]) / 1024
ssl.create_default_context()
before = megabytes()
serve.release_code()
assert megabytes() < before / 2, (megabytes(), before)
ssl.create_default_context()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists the mappings of a process")
def test_code_that_only_an_import_needed_is_given_back_and_can_still_be_run():
    subprocess.run([sys.executable, "-c", RELEASING], cwd=BASE_DIR, check=True)


def test_phones_get_an_address_and_its_code():
    words = serve.for_phones("http://192.168.1.20:8000")
    assert words.startswith("Phones on this network open http://192.168.1.20:8000\n█")
    assert len(words.splitlines()) > 12
