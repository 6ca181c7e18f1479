#!/usr/bin/env bash
# Guess:    `icalcomponent_get_span` of libical returns when an event begins and ends in seconds since 1970, as its type
#           icaltime_span says; an event at 19:00 in Tokyo with its VTIMEZONE beside it begins at 10:00 UTC.
# Happens:  it takes the local time for UTC: 19:00. `icalcomponent_get_dtstart`, converted with the zone that it carries,
#           is right.
# Hurt:     free-busy lists and overlap checks made with spans: each event is off by its zone's offset.
# Versions: libical 3.0.16 (Debian 12). Source: src/libical/icalcomponent.c (`icalcomponent_get_span`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
apt-get download libical3 > /dev/null 2>&1
dpkg -x libical3*.deb .

cat > read.py <<'PYTHON'
import ctypes
from datetime import UTC, datetime
from pathlib import Path

TEXT = """BEGIN:VCALENDAR
BEGIN:VTIMEZONE
TZID:Asia/Tokyo
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0900
TZOFFSETTO:+0900
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1
DTSTART;TZID=Asia/Tokyo:20260115T190000
DURATION:PT3H
END:VEVENT
END:VCALENDAR
"""


class Span(ctypes.Structure):
    _fields_ = (("start", ctypes.c_long), ("end", ctypes.c_long), ("is_busy", ctypes.c_int))


class Time(ctypes.Structure):
    _fields_ = (("parts", ctypes.c_int * 8), ("zone", ctypes.c_void_p))


[path] = {each.resolve() for each in Path().rglob("libical.so.3")}
ical = ctypes.CDLL(str(path))
ical.icalparser_parse_string.restype = ical.icalcomponent_get_first_component.restype = ctypes.c_void_p
ical.icalcomponent_get_span.restype, ical.icalcomponent_get_dtstart.restype = Span, Time
ical.icaltime_as_timet_with_zone.restype, ical.icaltime_as_timet_with_zone.argtypes = (
    ctypes.c_long, (Time, ctypes.c_void_p)
)
calendar = ctypes.c_void_p(ical.icalparser_parse_string(TEXT.replace("\n", "\r\n").encode()))
event = ctypes.c_void_p(ical.icalcomponent_get_first_component(calendar, 4))
start = ical.icalcomponent_get_dtstart(event)
print("span   ", datetime.fromtimestamp(ical.icalcomponent_get_span(event).start, UTC))
print("dtstart", datetime.fromtimestamp(ical.icaltime_as_timet_with_zone(start, start.zone), UTC))
PYTHON
python3 read.py | tee output
diff output - <<'SEEN'
span    2026-01-15 19:00:00+00:00
dtstart 2026-01-15 10:00:00+00:00
SEEN
