"""Our feeds in programs that people read calendars with: the same moments in all of them, in sixteen odd time zones.

Each program is installed into a temporary folder; one that this machine cannot get is skipped.
"""

import ctypes
import datetime
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from core.ics import Appointment, ics_of

pytestmark = pytest.mark.nightly
UTC, HOUR = datetime.UTC, datetime.timedelta(hours=1)
#: Half hours, two hours, quarters of an hour, changes at midnight, winter time that is saved, and the ends of the day.
ZONES = (
    "Australia/Lord_Howe", "Antarctica/Troll", "Asia/Kathmandu", "Pacific/Chatham", "America/St_Johns",
    "America/Havana", "Africa/Cairo", "Asia/Beirut", "Asia/Gaza", "Africa/Casablanca", "Europe/Dublin",
    "Pacific/Kiritimati", "Pacific/Norfolk", "America/Santiago", "America/Nuuk", "Atlantic/Azores",
)  # fmt: skip
NODE = """
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import nodeIcal from "node-ical";

const text = readFileSync(process.argv[3], "utf8"), found = {};
if (process.argv[2] === "ical.js") {
  const calendar = new ICAL.Component(ICAL.parse(text));
  calendar.getAllSubcomponents("vtimezone").forEach((zone) => ICAL.TimezoneService.register(zone));
  for (const part of calendar.getAllSubcomponents("vevent")) {
    const event = new ICAL.Event(part);
    found[event.uid] = [event.startDate.toJSDate() / 1000, event.endDate.toJSDate() / 1000];
  }
} else {
  for (const part of Object.values(nodeIcal.sync.parseICS(text))) {
    if (part.type === "VEVENT") found[part.uid] = [part.start / 1000, part.end / 1000];
  }
}
console.log(JSON.stringify(found));
"""
KHAL = """
[calendars]
[[own]]
path = {folder}/own
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M
longdatetimeformat = %Y-%m-%dT%H:%M
"""


def moments():
    """Yield an evening in winter and in summer in each zone, and the hours around each change of its clocks."""
    for name in ZONES:
        zone = ZoneInfo(name)
        found = {datetime.datetime(2026, month, 15, 19, tzinfo=zone) for month in (1, 7)}
        for hour in range(365 * 24):
            moment = datetime.datetime(2026, 1, 1, tzinfo=UTC) + hour * HOUR
            if moment.astimezone(zone).utcoffset() != (moment + HOUR).astimezone(zone).utcoffset():
                found |= {(moment + half * HOUR / 2).astimezone(zone) for half in range(-9, 6)}
                found.add((moment.astimezone(zone).replace(tzinfo=None) + HOUR * 1.5).replace(tzinfo=zone))
        yield from sorted(found, key=lambda each: each.timestamp())


@pytest.fixture(scope="module")
def feed(tmp_path_factory):
    """A calendar in a file, and when each thing in it begins and ends."""
    path = tmp_path_factory.mktemp("feed") / "feed.ics"
    entries = [
        Appointment(key=f"n-{place}", title="Night", day=each.date(), starts_at=each, changed_at=each)
        for place, each in enumerate(moments())
    ]
    path.write_bytes(ics_of("Nights", entries, "https://musterbook.example"))
    begins = {f"{each.key}@musterbook": each.starts_at.timestamp() for each in entries}
    return path, {key: [moment, moment + 3 * 3600] for key, moment in begins.items()}


def run(*command, cwd=None, **more):
    """Return what a program prints; skip the test if it is missing or cannot be installed."""
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is missing")
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False, **more)
    if done.returncode and command[0] in ("npm", "apt-get"):
        pytest.skip(f"{command[0]}: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def node_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("node")
    run("npm", "install", "--silent", "--no-fund", "--no-audit", "ical.js@2.2.1", "node-ical@0.26.1", cwd=folder)
    (folder / "read.mjs").write_text(NODE)
    return folder


@pytest.mark.parametrize("program", ["ical.js", "node-ical"])
def test_in_javascript(feed, node_folder, program):
    path, expected = feed
    assert json.loads(run("node", "read.mjs", program, str(path), cwd=node_folder)) == expected


def test_in_khal(feed, tmp_path):
    path, expected = feed
    run(sys.executable, "-m", "venv", str(tmp_path / "venv"))
    installed = subprocess.run(
        [tmp_path / "venv/bin/pip", "install", "--quiet", "khal==0.13.0"], capture_output=True, check=False, timeout=300
    )
    if installed.returncode:
        pytest.skip("khal cannot be installed")
    (tmp_path / "own").mkdir()
    (tmp_path / "config").write_text(KHAL.format(folder=tmp_path))
    wanted = "{uid} {start-long} {end-long}"
    khal = [str(tmp_path / "venv/bin/khal"), "-c", str(tmp_path / "config"), "printics", "-f", wanted, str(path)]
    lines = [line.split() for line in run(*khal, env=os.environ | {"HOME": str(tmp_path)}).splitlines()[1:]]
    found = {key: [_timestamp(start), _timestamp(end)] for key, start, end in lines}
    assert found == expected


def _timestamp(text):
    return datetime.datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


class Time(ctypes.Structure):
    """`icaltimetype`: a time with its zone."""

    _fields_ = (("parts", ctypes.c_int * 8), ("zone", ctypes.c_void_p))


def test_in_libical(feed, tmp_path):
    path, expected = feed
    run("apt-get", "download", "libical3", cwd=tmp_path)
    [package] = Path(tmp_path).glob("libical3*.deb")
    run("dpkg", "-x", str(package), "libical", cwd=tmp_path)
    [library] = {each.resolve() for each in Path(tmp_path).rglob("libical.so.3")}
    ical = ctypes.CDLL(str(library))
    pointer = ctypes.c_void_p
    ical.icalparser_parse_string.restype = ical.icalcomponent_get_first_component.restype = pointer
    ical.icalcomponent_get_next_component.restype = pointer
    ical.icalcomponent_get_uid.restype, ical.icaltime_as_timet_with_zone.restype = ctypes.c_char_p, ctypes.c_long
    ical.icalcomponent_get_dtstart.restype = ical.icalcomponent_get_dtend.restype = Time
    ical.icaltime_as_timet_with_zone.argtypes = (Time, pointer)
    calendar, found = pointer(ical.icalparser_parse_string(path.read_bytes())), {}
    event = ical.icalcomponent_get_first_component(calendar, VEVENT)
    while event:
        times = ical.icalcomponent_get_dtstart(pointer(event)), ical.icalcomponent_get_dtend(pointer(event))
        moments = [ical.icaltime_as_timet_with_zone(each, each.zone) for each in times]
        found[ical.icalcomponent_get_uid(pointer(event)).decode()] = moments
        event = ical.icalcomponent_get_next_component(calendar, VEVENT)
    assert found == expected


#: ICAL_VEVENT_COMPONENT of libical.
VEVENT = 4
