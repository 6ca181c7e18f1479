"""The gunicorn worker: what is received, what takes a turn, and when it accepts another connection."""

import os
import socket
import subprocess
import sys
from collections import deque
from contextlib import ExitStack
from ctypes import CDLL
from io import BytesIO
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from gunicorn.http.errors import NoMoreData
from gunicorn.workers.gthread import ThreadWorker
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector

from ops import serve, web_worker
from ops.paths import BASE_DIR


@pytest.fixture
def worker(monkeypatch) -> web_worker.Worker:
    """A worker that has no connection and no process of its own."""

    def bare(worker, *_: object) -> None:
        worker.cfg = SimpleNamespace(threads=64, worker_connections=1000)
        worker.keepalived_conns, worker.pending_conns = deque(), deque()

    monkeypatch.setattr(ThreadWorker, "__init__", bare)
    return web_worker.Worker()


class Response(list):
    """The response of a site: its content, and whether it has been closed."""

    streaming, closed = False, False

    def close(self) -> None:
        self.closed = True


def test_a_body_is_received_before_the_site_runs(worker):
    def site(environ, start_response):
        assert worker.waiting == 1
        return Response([environ["wsgi.input"].read()])

    environ = {"CONTENT_LENGTH": "5", "wsgi.input": BytesIO(b"hello and more")}
    assert worker.in_turn(site)(environ, None) == [b"hello"]
    assert worker.waiting == 0


def test_half_a_body_never_reaches_the_site(worker):
    environ = {"CONTENT_LENGTH": "5", "wsgi.input": BytesIO(b"hel")}
    with pytest.raises(NoMoreData):
        worker.in_turn(lambda *_: pytest.fail("It was called."))(environ, None)
    assert worker.waiting == 0


def test_a_very_large_body_is_left_to_the_site(worker):
    """It is refused there before it is read, unless there is room for it (`uploads.handlers`). Its rest is dropped."""
    body = BytesIO(b"x")
    environ = {"CONTENT_LENGTH": str(10**9), "wsgi.input": body}
    seen = worker.in_turn(lambda environ, _: Response([str(environ["wsgi.input"].tell()).encode()]))(environ, None)
    assert (seen, body.tell()) == ([b"0"], 1)


def test_an_answer_holds_nothing_while_it_is_sent(worker):
    response = Response([b"a", b"page"])
    assert worker.in_turn(lambda *_: response)({}, None) == [b"apage"]
    assert response.closed


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how many connections wait")
def test_polls_make_room_while_connections_wait(worker, monkeypatch):
    monkeypatch.setattr(web_worker, "BUSY", 2)
    sent: list[object] = []
    site = worker.in_turn(lambda *_: Response([b"news"]))
    poll, answer = {"HTTP_X_POLL": "true"}, {}
    with socket.create_server(("127.0.0.1", 0)) as listener, ExitStack() as clients:
        worker.sockets = [listener]
        for waiting in (0, 1):
            assert web_worker.waiting_at(listener) == waiting
            assert site(poll, None) == [b"news"]
            clients.enter_context(socket.create_connection(listener.getsockname()))
        for waiting, seconds in ((2, "1"), (3, "1"), (4, "2")):  # the more wait, the later polls come again
            assert web_worker.waiting_at(listener) == waiting
            sent.clear()
            assert site(poll, lambda *words: sent.extend(words)) == []
            assert (sent[0], ("Retry-After", seconds) in sent[1]) == ("204 No Content", True)
            clients.enter_context(socket.create_connection(listener.getsockname()))
        assert site(answer, None) == [b"news"]


def test_a_stream_is_sent_as_it_is_made(worker):
    response = Response([b"a", b"page"])
    response.streaming = True
    assert worker.in_turn(lambda *_: response)({}, None) is response
    assert not response.closed


def test_connections_are_accepted_while_there_is_a_turn_left(worker):
    worker.keepalived_conns.extend("ab")
    worker.pending_conns.append("c")
    assert worker.worker_connections == 64 + 3

    running, enough = [Event() for _ in range(web_worker.RUNNING)], Event()

    def site(environ, start_response):
        environ["begun"].set()
        enough.wait(10)
        return Response()

    threads = [Thread(target=worker.in_turn(site), args=({"begun": each}, None)) for each in running]
    for thread, begun in zip(threads, running, strict=True):
        assert worker.worker_connections > 0
        thread.start()
        assert begun.wait(10)
    assert worker.worker_connections == 0
    enough.set()
    for thread in threads:
        thread.join()
    assert worker.worker_connections == 64 + 3


def test_threads_keep_the_lock_until_they_wait(worker, monkeypatch):
    monkeypatch.setattr(ThreadWorker, "init_process", lambda worker: None)
    before = sys.getswitchinterval()
    try:
        worker.init_process()
        assert sys.getswitchinterval() == pytest.approx(web_worker.SWITCH_INTERVAL)
    finally:
        sys.setswitchinterval(before)


def test_gunicorn_is_told_of_it():
    cfg = serve.Site("127.0.0.1", "8000").cfg
    assert (cfg.threads, cfg.worker_class) == (web_worker.RECEIVING, web_worker.Worker)
    assert 0 < cfg.max_requests_jitter < cfg.max_requests


def test_a_worker_takes_the_number_of_the_one_that_it_replaces(worker):
    others = {7: SimpleNamespace(slot=0), 9: SimpleNamespace(slot=2)}
    web_worker.take_free_slot(SimpleNamespace(WORKERS=others), worker)
    assert worker.slot == 1


#: A master that imports its metrics, and a worker that is forked from it and counts.
COUNTING = """
import os
from ops.monitoring import shared_metrics
from ops.web_worker import ThreadWorker, Worker
shared_metrics.tempfile.mkdtemp = lambda prefix: os.environ["DIRECTORY"]
shared_metrics.shutil.rmtree = lambda *_, **__: None
ThreadWorker.init_process = lambda worker: None
with shared_metrics.shared_directory():
    from prometheus_client import Counter
    seen = Counter("seen", "Seen.")
    if (child := os.fork()) == 0:
        Worker.__new__(Worker).init_process()
        seen.inc()
        os._exit(0)
    os.waitpid(child, 0)
"""


def test_its_successor_goes_on_counting_in_the_same_file(tmp_path):
    environment = {**os.environ, "DIRECTORY": str(tmp_path)}
    for _ in range(3):
        subprocess.run([sys.executable, "-c", COUNTING], cwd=BASE_DIR, env=environment, check=True)
    assert {path.name for path in tmp_path.iterdir()} == {"counter_master.db", "counter_web0.db"}
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(tmp_path))
    assert registry.get_sample_value("seen_total") == 3


#: Twelve threads that allocate at once; glibc then lists its arenas on stderr.
ALLOCATING = """
from ctypes import CDLL
from threading import Barrier, Thread
from ops.web_worker import limit_arenas
limit_arenas()
together = Barrier(12)
def allocate():
    together.wait()
    kept = [bytearray(10_000) for _ in range(100)]
    together.wait()
threads = [Thread(target=allocate) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
CDLL(None).malloc_stats()
"""


@pytest.mark.skipif(not hasattr(CDLL(None), "malloc_stats"), reason="another C library than glibc")
def test_all_threads_share_two_arenas():
    """Otherwise each would have its own, and none gives memory back."""
    told = subprocess.run([sys.executable, "-c", ALLOCATING], cwd=BASE_DIR, capture_output=True, check=True, text=True)
    assert told.stderr.count("Arena ") == 2


def test_what_is_left_of_a_refused_body_is_read(monkeypatch):
    """Up to a limit: whoever sends it hears the answer."""
    monkeypatch.setattr(web_worker, "DISCARDED", 3 * web_worker.CHUNK)
    body = BytesIO(bytes(5 * web_worker.CHUNK))
    web_worker.discard(body)
    assert body.tell() == 3 * web_worker.CHUNK
    web_worker.discard(body)
    assert body.read() == b""
