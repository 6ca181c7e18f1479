"""The site in a process of its own, over the database of the tests. Imports no model: its process has no Django yet."""

import multiprocessing
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

#: Settings that tests have changed, and a process of its own would not know.
OWN = ("SECRET_KEY", "STORAGES", "STATIC_ROOT", "PASSWORD_HASHERS")


def serve(database: Mapping[str, Any], own: Mapping[str, Any], port: Connection) -> None:
    """Serve, one request after the other, and tell the port."""
    from wsgiref.simple_server import WSGIRequestHandler, make_server

    from django.conf import settings

    from ops.worker_process import set_up_django

    set_up_django(database)
    for name, value in own.items():
        setattr(settings, name, value)
    from config.wsgi import application

    class Quiet(WSGIRequestHandler):
        def log_message(self, *args: object) -> None:
            return

    server = make_server("127.0.0.1", 0, application, handler_class=Quiet)
    port.send(server.server_port)
    server.serve_forever()


@contextmanager
def processes(database: Mapping[str, Any], number: int) -> Iterator[list[str]]:
    """The addresses of so many of them."""
    from django.conf import settings

    own = {name: getattr(settings, name) for name in OWN}
    spawn, begun = multiprocessing.get_context("spawn"), []
    for _ in range(number):
        here, there = spawn.Pipe()
        process = spawn.Process(target=serve, args=(database, own, there), daemon=True)
        process.start()
        there.close()
        begun.append((process, here))
    try:
        yield [f"http://127.0.0.1:{here.recv()}" for _, here in begun]
    finally:
        for process, here in begun:
            process.terminate()
            process.join()
            here.close()
