"""Firefox and WebKitGTK without a window: just enough of the protocols to open pages, and to run scripts in them."""

import json
import os
import re
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from shutil import which
from socket import socket
from time import monotonic, sleep
from typing import Any

import pytest

#: Seconds until what a page shall show, or a browser that starts, is given up.
PATIENCE = 30
WEBKIT = Path("/usr/lib")
MINI_BROWSER = "*/webkit2gtk-4.1/MiniBrowser"


class OtherBrowser(ABC):
    """A browser with one page."""

    @abstractmethod
    def open(self, address: str) -> None:
        """Open an address, and wait until the page is loaded."""

    @abstractmethod
    def run(self, script: str) -> Any:
        """Run the body of a function in the page, and return what it returns."""

    def wait_for(self, script: str) -> Any:
        """Return what the script returns as soon as it is true; a page that loads meanwhile has no answer yet."""
        until = monotonic() + PATIENCE
        while monotonic() < until:
            try:
                if found := self.run(script):
                    return found
            except (RuntimeError, OSError):
                pass
            sleep(0.1)
        raise AssertionError(f"never true: {script}")

    def click(self, selector: str, text: str = "") -> None:
        """Click the first visible element that fits the selector and has the text."""
        wanted, words = json.dumps(selector), json.dumps(text)
        self.wait_for(
            f"const found = [...document.querySelectorAll({wanted})].find((each) => each.getClientRects().length &&"
            f" each.textContent.includes({words})); found?.click(); return Boolean(found)"
        )

    def fill(self, selector: str, text: str) -> None:
        """Enter a text."""
        self.wait_for(
            f"const field = document.querySelector({json.dumps(selector)}); if (field) field.value = "
            f"{json.dumps(text)}; return Boolean(field)"
        )


class Firefox(OtherBrowser):
    """Firefox by WebDriver BiDi."""

    def __init__(self, address: str) -> None:
        import websocket  # lazy: optional

        self.socket = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.number = 0
        self.call("session.new", capabilities={})
        self.page = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **params: Any) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while (answer := json.loads(self.socket.recv())).get("id") != self.number:
            pass
        if answer["type"] == "error":
            raise RuntimeError(answer["message"])
        return answer["result"]

    def open(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self.page, url=address, wait="complete")

    def run(self, script: str) -> Any:
        code = f"JSON.stringify((() => {{ {script} }})() ?? null)"
        found = self.call("script.evaluate", expression=code, target={"context": self.page}, awaitPromise=False)
        if found["type"] == "exception":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])


class WebKit(OtherBrowser):
    """WebKitGTK by WebDriver."""

    def __init__(self, port: int, program: Path) -> None:
        self.port, self.session = port, "/session"
        options = {"binary": str(program), "args": ["--automation"]}
        found = self.call("", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        self.session += f"/{found['sessionId']}"

    def call(self, path: str, method: str = "POST", **params: Any) -> Any:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request(method, self.session + path, json.dumps(params) if method == "POST" else None)
            answer = connection.getresponse()
            value = json.load(answer)["value"]
        if answer.status >= 400:
            raise RuntimeError(value["message"])
        return value

    def open(self, address: str) -> None:
        self.call("/url", url=address)

    def run(self, script: str) -> Any:
        return self.call("/execute/sync", script=script, args=[])


@contextmanager
def firefox(place: Path) -> Iterator[OtherBrowser]:
    """Firefox with a new profile."""
    pytest.importorskip("websocket", reason="There is no websocket-client.")
    program = which("firefox-esr") or which("firefox") or pytest.skip("There is no Firefox (firefox-esr).")
    words = [program, "--headless", "--no-remote", "--profile", str(place), "--remote-debugging-port=0", "about:blank"]
    with _running(words, env={**os.environ, "HOME": str(place)}) as process:
        for line in process.stderr:
            if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                browser = Firefox(found[1])
                try:
                    yield browser
                finally:
                    browser.socket.close()
                return
    raise AssertionError("Firefox does not start")


@contextmanager
def webkit(place: Path) -> Iterator[OtherBrowser]:
    """MiniBrowser of WebKitGTK on a display of its own."""
    driver = which("WebKitWebDriver") or pytest.skip("There is no WebKitGTK (webkit2gtk-driver).")
    display = which("Xvfb") or pytest.skip("There is no display for WebKitGTK (xvfb).")
    program = next(WEBKIT.glob(MINI_BROWSER), None) or pytest.skip("There is no MiniBrowser of WebKitGTK.")
    read, write = os.pipe()
    screen = [display, "-displayfd", str(write), "-screen", "0", "800x900x24", "-nolisten", "tcp"]
    with _running(screen, pass_fds=[write]), socket() as free:
        number = os.read(read, 16).decode().strip()
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        own = {
            "HOME": str(place), "DISPLAY": f":{number}", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        }  # fmt: skip
        with _running([driver, f"--port={port}", "--host=127.0.0.1"], env={**os.environ, **own}):
            until = monotonic() + PATIENCE
            while monotonic() < until:
                with socket() as there:
                    if there.connect_ex(("127.0.0.1", port)) == 0:
                        break
                sleep(0.1)
            browser = WebKit(port, program)
            try:
                yield browser
            finally:
                browser.call("", "DELETE")


@contextmanager
def _running(words: list[str], **options: Any) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(words, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, **options) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.communicate()
