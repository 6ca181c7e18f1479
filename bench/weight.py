"""What the site weighs: how long its first start takes, phase by phase, and how much memory it takes when idle.

    .venv/bin/python bench/weight.py --against PATH

copies this directory and PATH, another checkout, and starts each copy from nothing with `make run`, one after another,
with the package cache as warm as the first of them leaves it. After twelve requests of somebody who has signed in, it
adds up what all processes take (PSS, in which shared memory counts once). Prints both and their ratio; exits with 1
where a ratio is above its limit. `--home` also compares Home with the bare view in each (`bench/speed.py`).
"""

import argparse
import http.cookiejar
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import psutil

from bench.own_site import free_port

HERE = Path(__file__).parents[1]
#: What a fresh clone does not have.
MADE = shutil.ignore_patterns(".git", ".venv", ".data", ".static", "__pycache__", ".*_cache", "backups")
START, MEMORY = "First start, s", "Idle site, MB"
#: How many times what the other build takes.
LIMITS = {START: 0.5, MEMORY: 0.5}
PAGES = ("/", "/rules/", "/registers/", "/campaigns/", "/events/", "/", "/rules/", "/registers/", "/", "/")
PHASES = ("…", "Creating the environment", "Installing the packages")


def phases_of(lines: Iterable[tuple[float, str]]) -> dict[str, float]:
    """Return the seconds from each line that names a phase to the next one, by its words. `lines` have their times."""
    begun = [(moment, line.strip(" …")) for moment, line in lines if line.startswith(PHASES[1:]) or line.endswith("…")]
    ends = [*[moment for moment, _ in begun[1:]], max((moment for moment, _ in lines), default=0)]
    return {name.partition(" in ")[0]: end - moment for (moment, name), end in zip(begun, ends, strict=True)}


def pss(process: psutil.Process) -> float:
    """Return the megabytes that a process has, with its share of what it shares."""
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    except OSError:  # it has just ended
        return 0
    return int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1]) / 1024  # type: ignore[index]


def visit(port: int, output: str) -> None:
    """Sign in as the first person of the demo that `output` names, and open PAGES: twelve requests."""
    name, password = re.search(r"^ *(\w+) +(\w+-\w+-\w+)", output, re.MULTILINE).groups()  # type: ignore[union-attr]
    site = f"http://localhost:{port}"
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    page = browser.open(f"{site}/accounts/login/").read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]  # type: ignore[index]
    form = {"login": name, "password": password, "csrfmiddlewaretoken": token}
    browser.open(f"{site}/accounts/login/", urllib.parse.urlencode(form).encode())
    for address in PAGES:
        try:
            browser.open(site + address)
        except urllib.error.HTTPError:  # one of the builds has no such page
            continue


def weigh(build: Path, python: str) -> dict[str, float]:
    """Start a fresh copy of a build, and return what it takes."""
    with tempfile.TemporaryDirectory(prefix="musterbook-weight-") as directory:
        copy, port, lines = Path(directory, "musterbook"), free_port(), []
        Path(directory).chmod(0o755)  # PostgreSQL runs as another user where this one is root
        shutil.copytree(build, copy, ignore=MADE, symlinks=True)
        environment = {key: value for key, value in os.environ.items() if key not in ("DATABASE_URL", "DATA_DIR")}
        environment |= {"PORT": str(port), "PYTHONUNBUFFERED": "1"}
        begun = time.monotonic()
        with subprocess.Popen(  # noqa: S603
            ["make", "run", f"PYTHON={python}"],  # noqa: S607
            cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as site:  # fmt: skip
            for line in site.stdout or ():
                lines.append((time.monotonic() - begun, line.rstrip()))
                if "is open at" in line:
                    break
            else:
                raise SystemExit("\n".join(text for _, text in lines))
            visit(port, "\n".join(text for _, text in lines))
            time.sleep(45)  # until it is idle: surplus connections are closed after 20 seconds each
            postgres = psutil.Process(int((copy / ".data/postgres/postmaster.pid").read_text().split()[0]))
            programs = [each for top in (psutil.Process(site.pid), postgres) for each in (top, *top.children(True))]
            memory = sum(map(pss, set(programs)))
            database = sum(map(pss, {postgres, *postgres.children()}))
            site.send_signal(signal.SIGTERM)
        return {START: lines[-1][0], **phases_of(lines), MEMORY: memory, "of this PostgreSQL, MB": database}


def home(build: Path) -> float:
    """Return how many times as long as the bare view Home takes, by the build's own `bench/speed.py`."""
    command = [build / ".venv/bin/python", build / "bench/speed.py", "--only", "Home", "--rounds", "3"]
    table = subprocess.run(command, cwd=build, capture_output=True, text=True, check=False).stdout  # noqa: S603
    return float(re.search(r"^\| Home.*? ([\d.]+) × ", table, re.MULTILINE)[1])  # type: ignore[index]


def table(ours: Mapping[str, float], theirs: Mapping[str, float]) -> str:
    """Return both builds and their ratios as Markdown."""
    lines = ["| What | This build | The other | Ratio | Limit |", "|---|---:|---:|---:|---|"]
    for name in dict.fromkeys([*ours, *theirs]):
        mine, other = ours.get(name), theirs.get(name)
        ratio = f"{mine / other:.2f}" if mine is not None and other else ""
        limit = f"≤ {LIMITS[name]}" if name in LIMITS else ""
        shown = ["" if value is None else f"{value:.1f}" for value in (mine, other)]
        lines.append(f"| {name} | {shown[0]} | {shown[1]} | {ratio} | {limit} |")
    return "\n".join(lines)


def main() -> int:
    """Weigh both builds, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--against", type=Path, required=True, help="another checkout")
    parser.add_argument("--home", action="store_true", help="also compare Home; both need an environment")
    parser.add_argument("--python", default="/usr/bin/python3", help="the Python that makes the environments")
    words = parser.parse_args()
    ours, theirs = (weigh(build, words.python) for build in (HERE, words.against))
    if words.home:
        ours["Home, bare views"], theirs["Home, bare views"] = home(HERE), home(words.against)
    print(table(ours, theirs))
    return int(any(ours[name] > limit * theirs[name] for name, limit in LIMITS.items()))


if __name__ == "__main__":
    sys.exit(main())
