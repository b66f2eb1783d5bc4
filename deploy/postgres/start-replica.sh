#!/bin/sh
# Copies the primary once, then follows it.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --pgdata "$PGDATA" --host /run/postgresql --username replicator --wal-method=stream \
    --write-recovery-conf --create-slot --slot replica --checkpoint=fast; do
    find "$PGDATA" -mindepth 1 -delete
    sleep 2
  done
  chmod 0700 "$PGDATA"
fi
# By default, a replica looks for its primary every five seconds: after a restart it would be late.
exec postgres -c unix_socket_directories=/run/replica -c listen_addresses= -c hot_standby_feedback=on \
  -c wal_retrieve_retry_interval=500ms
