#!/bin/sh
# Runs once, on the empty primary.
set -eu
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
create role replicator with replication login password '$REPLICATION_PASSWORD';
alter database "$POSTGRES_DB" set random_page_cost = 1.1;
alter database "$POSTGRES_DB" set statement_timeout = '30s';
alter database "$POSTGRES_DB" set lock_timeout = '20s';
alter database "$POSTGRES_DB" set idle_in_transaction_session_timeout = '60s';
SQL
echo 'local replication replicator scram-sha-256' >>"$PGDATA/pg_hba.conf"
