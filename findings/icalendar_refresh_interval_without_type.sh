#!/usr/bin/env bash
# Guess:    `calendar.refresh_interval = timedelta(hours=2)` writes what RFC 7986, 5.7 asks for:
#           REFRESH-INTERVAL;VALUE=DURATION:PT2H. The property has no default type, so VALUE=DURATION is required.
# Happens:  icalendar writes REFRESH-INTERVAL:PT2H. ical.js, which trusts the parameter, reads the value as type
#           "unknown", that is as text and not as a duration; with the parameter it reads a duration.
# Hurt:     feeds whose subscribers then refresh as rarely as they like, although the author used the library's own
#           attribute.
# Versions: icalendar 7.3.2 (PyPI), ical.js 2.2.1 (npm). Source: icalendar/cal/calendar.py (`refresh_interval`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
python3 -m venv venv && venv/bin/pip install --quiet icalendar==7.3.2 tzdata
npm install --silent --no-fund --no-audit ical.js@2.2.1 > npm.log 2>&1

cat > write.py <<'PYTHON'
from datetime import timedelta
import icalendar

calendar = icalendar.Calendar()
calendar.refresh_interval = timedelta(hours=2)
print(calendar.to_ical().decode().splitlines()[1])
PYTHON
cat > read.mjs <<'NODE'
import ICAL from "ical.js";

const [line] = process.argv.slice(2);
const [[, [property]]] = [ICAL.parse(`BEGIN:VCALENDAR\r\n${line}\r\nEND:VCALENDAR\r\n`)];
console.log(line, "is read as", property[2]);
NODE
{ node read.mjs "$(venv/bin/python write.py)"; node read.mjs 'REFRESH-INTERVAL;VALUE=DURATION:PT2H'; } | tee output
diff output - <<'SEEN'
REFRESH-INTERVAL:PT2H is read as unknown
REFRESH-INTERVAL;VALUE=DURATION:PT2H is read as duration
SEEN
