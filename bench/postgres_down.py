"""PostgreSQL is killed with -9 while people use the site, and comes back: pages say so meanwhile, and then go on.

    .venv/bin/python bench/postgres_down.py --seconds 6

starts a server of its own in a directory that is removed at the end, lets `readers` ask for pages all the time, kills
the server, sends forms for that long, starts it again, and counts the answers they got. The exit status is 1 if any
answer was neither a page nor the sentence (503), if a form took more than MOST_SECONDS, or if pages did not come back.
"""

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import own_site
from bench.simulated_battles import player
from bench.speed_site import session_of

READERS, PAGE, FORM = 4, "/", "/accounts/login/"
TOKEN = "t" * 32  # of forms: what the cookie says, too
MOST_SECONDS = 3  # until a form is answered while the server is away
PATIENCE = 30  # seconds until pages have to be there again


def kill(data: Path) -> None:
    """Kill the server whose data lie there, as the power does, and wait until it is gone."""
    import psutil

    postmaster = psutil.Process(int((data / "postmaster.pid").read_text().split()[0]))
    family = [postmaster, *postmaster.children(recursive=True)]
    for process in family:
        with suppress(psutil.NoSuchProcess):  # its children end by themselves
            process.send_signal(signal.SIGKILL)
    psutil.wait_procs(family, timeout=10)


@contextmanager
def reading(readers: list[str]) -> Iterator[Counter[int]]:
    """How often each status was answered while readers ask all the time, each in a thread of their own."""
    enough, statuses = Event(), Counter[int]()

    def read(session: str) -> None:
        while not enough.is_set():
            statuses[ask(session)] += 1
            enough.wait(0.05)

    threads = [Thread(target=read, args=(session,)) for session in readers]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        enough.set()
        for thread in threads:
            thread.join()


def ask(session: str, *, post: bool = False) -> int:
    """Ask for the page as the server does, which lets go of its connection at the end; the status of the answer. With
    `post` a form is sent, as somebody who signs in sends it.
    """
    from django.test import RequestFactory

    from config.wsgi import application

    statuses: list[str] = []
    headers = {"Cookie": f"sessionid={session}; csrftoken={TOKEN}"}
    form = {"csrfmiddlewaretoken": TOKEN, "login": "nobody", "password": "nothing"}
    requests = RequestFactory()
    asked = requests.post(FORM, form, headers=headers) if post else requests.get(PAGE, headers=headers)
    environ = asked.environ
    answer = application(environ, lambda status, _headers: statuses.append(status))
    b"".join(answer)
    answer.close()
    return int(statuses[0][:3])


def seconds_until(session: str, status: int) -> float:
    """How long it takes until a page is answered with that status. Raises TimeoutError after PATIENCE seconds."""
    began = time.monotonic()
    while ask(session) != status:
        if time.monotonic() - began > PATIENCE:
            raise TimeoutError(f"no {status} within {PATIENCE} seconds")
        time.sleep(0.05)
    return time.monotonic() - began


def longest_posts(session: str, seconds: float) -> tuple[float, set[int]]:
    """Send forms for so many seconds. Return the longest time until one was answered, and the statuses."""
    longest, statuses, until = 0.0, set(), time.monotonic() + seconds
    while (began := time.monotonic()) < until:
        statuses.add(ask(session, post=True))
        longest = max(longest, time.monotonic() - began)
    return longest, statuses


def play(place: Path, seconds: float) -> dict[str, Any]:
    """Kill the server in `place` and start it again after so many seconds. Return the answers that people got."""
    from ops.embedded_postgres import EmbeddedServer

    first, *others = [session_of(player(f"reader-{number}")) for number in range(READERS)]
    with reading(others) as statuses:
        seconds_until(first, 200)
        kill(place / "postgres")
        until_answered = seconds_until(first, 503)
        longest, posts = longest_posts(first, seconds)
        again = EmbeddedServer(place)
        again.start()
        until_back = seconds_until(first, 200)
    again.release()
    return {
        "answers": dict(statuses),
        "answers to forms": posts,
        "longest until a form was answered": longest,
        "until the error page": until_answered,
        "until pages were back": until_back,
    }


def main() -> int:
    """Start, kill, start again, and print the answers people got."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=6)
    words = parser.parse_args()
    with own_site("down") as place:
        found = play(place, words.seconds)
    for name, value in found.items():
        print(f"{name}: {value}")
    right = set(found["answers"]) <= {200, 503} and found["answers to forms"] == {503}
    return int(not right or found["longest until a form was answered"] > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
