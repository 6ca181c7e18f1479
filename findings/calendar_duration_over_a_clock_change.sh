#!/usr/bin/env bash
# Guess:    an event that starts at 01:00 in Berlin on the night when clocks skip an hour and has DURATION:PT3H ends
#           three hours later in every calendar library, as RFC 5545, 3.3.6 says (hours are exact, only days follow the clock).
# Happens:  icalendar (Python) and ical.js (Thunderbird's parser) add the hours on the wall clock, so the event ends an
#           hour early, after two hours; node-ical ends it after three. In autumn the same event lasts four hours.
# Hurt:     who writes DURATION to be safe from clock changes, and readers of night events on two nights a year.
#           DTSTART in UTC with the same DURATION reads alike in all three.
# Versions: icalendar 7.3.2 (PyPI), ical.js 2.2.1 and node-ical 0.26.1 (npm). Source: icalendar/attr.py (the end
#           is start + duration), ical.js lib/ical/time.js (`addDuration`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet icalendar==7.3.2 tzdata
npm install --silent --no-fund --no-audit ical.js@2.2.1 node-ical@0.26.1 > npm.log 2>&1

calendar() {  # $1: the line of DTSTART
    printf '%s\r\n' BEGIN:VCALENDAR VERSION:2.0 PRODID:-//example//EN BEGIN:VTIMEZONE TZID:Europe/Berlin \
        BEGIN:STANDARD DTSTART:19961027T030000 TZOFFSETFROM:+0200 TZOFFSETTO:+0100 \
        'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10' END:STANDARD \
        BEGIN:DAYLIGHT DTSTART:19810329T020000 TZOFFSETFROM:+0100 TZOFFSETTO:+0200 \
        'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3' END:DAYLIGHT END:VTIMEZONE \
        BEGIN:VEVENT UID:1 DTSTAMP:20260101T000000Z "$1" DURATION:PT3H SUMMARY:Night END:VEVENT END:VCALENDAR
}
cat > read.py <<'PYTHON'
import sys
from datetime import UTC
import icalendar

event = icalendar.Calendar.from_ical(sys.stdin.buffer.read()).walk("VEVENT")[0]
print("icalendar ", (event.end.astimezone(UTC) - event.start.astimezone(UTC)).total_seconds() / 3600, "hours")
PYTHON
cat > read.mjs <<'NODE'
import { readFileSync } from "node:fs";
import ICAL from "ical.js";
import nodeIcal from "node-ical";

const text = readFileSync(0, "utf8");
const calendar = new ICAL.Component(ICAL.parse(text));
ICAL.TimezoneService.register(calendar.getFirstSubcomponent("vtimezone"));
const event = new ICAL.Event(calendar.getFirstSubcomponent("vevent"));
const hours = (start, end) => ((end - start) / 3600000).toFixed(1);
console.log("ical.js   ", hours(event.startDate.toJSDate(), event.endDate.toJSDate()), "hours");
const other = Object.values(nodeIcal.sync.parseICS(text)).find((part) => part.type === "VEVENT");
console.log("node-ical ", hours(other.start, other.end), "hours");
NODE
for start in 'DTSTART;TZID=Europe/Berlin:20260329T010000' 'DTSTART;TZID=Europe/Berlin:20261025T010000' \
    'DTSTART:20260329T000000Z'; do
    echo "$start"
    calendar "$start" | venv/bin/python read.py
    calendar "$start" | node read.mjs
done | tee output
diff output - <<'SEEN'
DTSTART;TZID=Europe/Berlin:20260329T010000
icalendar  2.0 hours
ical.js    2.0 hours
node-ical  3.0 hours
DTSTART;TZID=Europe/Berlin:20261025T010000
icalendar  4.0 hours
ical.js    4.0 hours
node-ical  3.0 hours
DTSTART:20260329T000000Z
icalendar  3.0 hours
ical.js    3.0 hours
node-ical  3.0 hours
SEEN
