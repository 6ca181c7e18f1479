"""Let the processes of a site count their metrics in files of one directory, each in its own."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import values

_process = "master"


def count_as(process: str) -> None:
    """Let this process, a fork, count in files of this name.

    Not by process id: the files of all replaced workers would stay, and each would be read.
    """
    global _process
    _process = process


def forget(process: str) -> None:
    """Remove what the process of this name has counted."""
    for file in Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).glob(f"*_{process}.db"):
        file.unlink()


@contextmanager
def shared_directory() -> Iterator[None]:
    """Give all processes one directory for their metrics, empty at first: metrics count from the start of the site.

    The metrics themselves have to be imported after this.
    """
    maker, directory = os.getpid(), tempfile.mkdtemp(prefix="musterbook-figures-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
    values.ValueClass = values.MultiProcessValue(lambda: _process)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        if os.getpid() == maker:  # workers run this too when they end
            shutil.rmtree(directory, ignore_errors=True)
