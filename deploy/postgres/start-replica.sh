#!/bin/sh
# Copies the primary once, then follows it by the slot that create-roles.sh made.
set -eu
# Postgres writes postmaster.opts when it starts, and pg_basebackup never copies it. So without it, the folder is empty or
# has what a killed copy left, which may even look complete.
if [ ! -s "$PGDATA/postmaster.opts" ]; then
  until find "$PGDATA" -mindepth 1 -delete && pg_basebackup --pgdata "$PGDATA" --host /run/postgresql \
    --username replicator --wal-method=stream --write-recovery-conf --slot replica --checkpoint=fast; do
    sleep 2
  done
  chmod 0700 "$PGDATA"
fi
# By default, a replica looks for its primary every five seconds: after a restart it would be late.
# Reads may delay it for three seconds; the shop leaves it after five.
exec postgres -c unix_socket_directories=/run/replica -c listen_addresses= -c hot_standby_feedback=on \
  -c wal_retrieve_retry_interval=500ms -c max_standby_streaming_delay=3s
