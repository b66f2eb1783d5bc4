#!/bin/sh
# Runs once, on the empty primary: the shop's role, which owns its database and nothing else, the
# replica's role and the slot that keeps the log for it, and the database of the restore drill.
set -eu
psql --set ON_ERROR_STOP=1 --set database="$POSTGRES_DB" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv shop DATABASE_PASSWORD
\getenv replication REPLICATION_PASSWORD
create role meridian login password :'shop';
alter database :"database" owner to meridian;
create database meridian_drill owner meridian;
create role replicator replication login password :'replication';
select pg_create_physical_replication_slot('replica');
alter database :"database" set random_page_cost = 1.1;
alter database :"database" set statement_timeout = '30s';
alter database :"database" set lock_timeout = '20s';
alter database :"database" set idle_in_transaction_session_timeout = '60s';
SQL
echo 'local replication replicator scram-sha-256' >>"$PGDATA/pg_hba.conf"
