#!/bin/sh
# base-backup.sh BACKUPS ARCHIVE [DAYS]: a checked base backup in BACKUPS/TIME. Then deletes base
# backups older than DAYS (7) and the archived log that no remaining one needs. libpq's variables
# name the server; without them it is the one of this machine's socket.
#
# Records its run in the shop's database (SHOP_DATABASE, or "meridian"), for the alerts and
# /admin/status. A role that may not write there, such as that of replication, needs the shop's role
# for it: SHOP_USER and SHOP_PASSWORD.
set -eu
backups=${1:?} archive=${2:?} days=${3:-7}
# Debian keeps the programs apart by version.
for bin in /usr/lib/postgresql/*/bin; do PATH="$bin:$PATH"; done
umask 077

# The same statement as db/monitoring/runs.ts: a failure keeps the last success, and the other way
# round.
record() (
  if [ -n "${SHOP_USER:-}" ]; then
    export PGUSER="$SHOP_USER" PGPASSWORD="${SHOP_PASSWORD:-}"
  fi
  psql --no-psqlrc --quiet --no-password --set ON_ERROR_STOP=1 --set failed="$1" --set seconds="$2" \
    --dbname "${SHOP_DATABASE:-meridian}" <<'SQL'
insert into runs (kind, name, succeeded_at, failed_at, failure, duration_ms)
select 'backup', 'base-backup', case when step = '' then now() end, case when step <> '' then now() end,
  nullif(step, ''), least(:'seconds'::bigint * 1000, 2147483647)
from (values (:'failed'::text)) as run (step)
on conflict (kind, name) do update set
  succeeded_at = coalesce(excluded.succeeded_at, runs.succeeded_at),
  failed_at = coalesce(excluded.failed_at, runs.failed_at),
  failure = coalesce(excluded.failure, runs.failure),
  duration_ms = excluded.duration_ms
SQL
)

step=prepare started=$(date +%s)
finish() {
  status=$?
  trap - EXIT
  failed=
  if [ "$status" -ne 0 ]; then failed=$step; fi
  if ! record "$failed" "$(($(date +%s) - started))"; then
    echo "The run was not recorded in the shop's database, so its alerts do not see it." >&2
    if [ "$status" -eq 0 ]; then status=1; fi
  fi
  exit "$status"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

to="$backups/$(date -u +%Y-%m-%dT%H%M%SZ)"
find "$backups" -mindepth 1 -maxdepth 1 -name '*.partial' -exec rm -rf {} +
step=pg_basebackup
pg_basebackup --pgdata "$to.partial" --wal-method=stream --checkpoint=fast --no-password
step=pg_verifybackup
pg_verifybackup --quiet "$to.partial"
step=clean-up
mv "$to.partial" "$to"
find "$backups" -mindepth 1 -maxdepth 1 -type d -mtime "+$days" -exec rm -rf {} +
oldest=$(find "$backups" -mindepth 2 -maxdepth 2 -name backup_label | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$oldest")
pg_archivecleanup "$archive" "$first"
echo "base-backup=$to archive-from=$first"
