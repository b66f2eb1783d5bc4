#!/bin/sh
# base-backup.sh BACKUPS ARCHIVE [DAYS]: a checked base backup in BACKUPS/TIME. Then deletes base
# backups older than DAYS (7) and the archived log that no remaining one needs. libpq's variables
# name the server; without them it is the one of this machine's socket.
set -eu
backups=${1:?} archive=${2:?} days=${3:-7}
# Debian keeps the programs apart by version.
for bin in /usr/lib/postgresql/*/bin; do PATH="$bin:$PATH"; done
umask 077
to="$backups/$(date -u +%Y-%m-%dT%H%M%SZ)"
find "$backups" -mindepth 1 -maxdepth 1 -name '*.partial' -exec rm -rf {} +
pg_basebackup --pgdata "$to.partial" --wal-method=stream --checkpoint=fast --no-password
pg_verifybackup --quiet "$to.partial"
mv "$to.partial" "$to"
find "$backups" -mindepth 1 -maxdepth 1 -type d -mtime "+$days" -exec rm -rf {} +
oldest=$(find "$backups" -mindepth 2 -maxdepth 2 -name backup_label | sort | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\))$/\1/p' "$oldest")
pg_archivecleanup "$archive" "$first"
echo "base-backup=$to archive-from=$first"
