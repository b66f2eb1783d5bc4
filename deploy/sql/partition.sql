-- Partitions a table by month or by number, beside the running shop (docs/scale.md). Run with psql as
-- the shop's role, once for each table and in this order, because a partitioned table cannot get an
-- unverified foreign key: orders, order_events, audit_log, ledger_batches, ledger_rows, audit_chain.
--   psql -v table=orders -v from=2027-01-01 -v count=12 -f deploy/sql/partition.sql DATABASE
--   psql -v table=ledger_rows -v key=batch_id -v from=… (the key of the others by month is id)
--   psql -v table=audit_chain -v key=seq -v from=60000000 -v step=50000000 -v count=4 …
-- `from` is where the new partitions begin, and `count` their number. By month, it is in the future.
-- With `step`, they are ranges of as many numbers, and `from` is beyond the last one in use, so far
-- that none reaches it before the script has ended. The present table becomes the first
-- partition as it is: no row is copied. Only phase 2 blocks readers and writers: of this table and
-- of every table with a foreign key to or from it, such as users. When it does not get its locks,
-- run the script again, before `from`: until then, the check of phase 1 lets every row pass, and
-- afterwards it refuses all of them.
-- Run it again to add partitions before the last one ends, because a row outside of all partitions is
-- refused: `from` is then the end of the last one, in the past if need be.
-- By month, the partition key is a UUIDv7, which begins with its time. So the primary key and the
-- foreign keys to it stay. Other columns are then unique within a partition only. For the payment of
-- an order that is enough: its checkout is "ordered" once. The id of a ledger row is a UUID. To the
-- chain, one process at a time appends, which looks for each entry in all partitions.
\set ON_ERROR_STOP on
\timing on
-- It never waits long for a lock, because the shop's statements would wait behind it. Reading a large
-- table takes longer than the shop's own statements may (deploy/postgres/create-roles.sh).
set lock_timeout = '900ms';
set statement_timeout = 0;
\if :{?key}
\else
  \set key id
\endif

create or replace function first_id_of(month timestamptz) returns text language sql immutable as $$
  select substr(ms, 1, 8) || '-' || substr(ms, 9, 4)
  from (select lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0') as ms) as at
$$;
-- The new partitions, each with its first key and the first one after it.
\if :{?step}
create temporary table bounds as
  select i, :'table' || '_' || lower as name, lower::text, (lower + :step)::text as upper
  from generate_series(0, :count - 1) as i, lateral (select :from + i * :step::bigint as lower) as at;
select coalesce(max(:"key"), 0) >= :from as is_past from :"table" \gset
\else
create temporary table bounds as
  select i, :'table' || '_' || to_char(month, 'YYYY_MM') as name,
    first_id_of(month) as lower, first_id_of(next) as upper
  from generate_series(0, :count - 1) as i, lateral (
    select :'from'::timestamptz + i * interval '1 month' as month,
      :'from'::timestamptz + (i + 1) * interval '1 month' as next
  ) as at;
select :'from'::timestamptz <= now() as is_past \gset
\endif
select relkind = 'r' as is_new from pg_class where oid = :'table'::regclass \gset
select :'is_new' and :'is_past' as is_refused \gset
\if :is_refused
  do $$ begin raise exception '`from` must be beyond every row: in the future, or above the last number.'; end $$;
\endif
select lower as boundary, :'table' || '_first' as first, :'table' || '_before_partitions' as check
from bounds where i = 0 \gset

\if :is_new
\echo 'Phase 1: the check that every row is before the boundary; writers continue.'
alter table :"table" drop constraint if exists :"check";
alter table :"table" add constraint :"check" check (:"key" < :'boundary') not valid;
alter table :"table" validate constraint :"check";
\endif

\echo 'Phase 2: the new table takes the place of the old one; readers and writers wait.'
begin;
-- It waits for the first lock only, while it holds none, and gives up before Postgres looks for
-- deadlocks (after a second): so no transaction of the shop can be ended for it.
lock table :"table" in access exclusive mode;
select coalesce(string_agg(format('lock table %s in access exclusive mode nowait;', other), ' '), '') as locks
from (
  select conrelid::regclass::text from pg_constraint where confrelid = :'table'::regclass and contype = 'f'
  union
  select confrelid::regclass::text from pg_constraint where conrelid = :'table'::regclass and contype = 'f'
) as others(other) where other <> :'table' \gset
:locks
-- `model` has the unique indexes and the guards that each new partition needs. The first one may be
-- split or detached by now. A partition that was made by hand may lack them, so it is the one with
-- the most.
create temporary table partitioning on commit drop as
  select :'table' as name, :'first' as first, coalesce(
    (select relname from pg_inherits join pg_class on oid = inhrelid
      where inhparent = :'table'::regclass
      order by relname = :'first' desc,
        (select count(*) from pg_index where indrelid = oid and indisunique)
          + (select count(*) from pg_trigger where tgrelid = oid and not tgisinternal) desc,
        relname desc
      limit 1), :'first') as model;
\if :is_new
create temporary table references_to on commit drop as
  select conrelid::regclass::text as child, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where confrelid = :'table'::regclass and contype = 'f' and conparentid = 0;
create temporary table constraints_of on commit drop as
  select conname as name, contype as kind, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = :'table'::regclass and contype in ('p', 'f') and conparentid = 0;
-- The columns of each index, and its condition: what follows the name of the table.
create temporary table indexes_of on commit drop as
  select c.relname as name, i.indisunique as is_unique,
    substring(pg_get_indexdef(c.oid) from ' USING .*$') as columns
  from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = :'table'::regclass;
-- Bit 1 of tgtype is FOR EACH ROW.
create temporary table triggers_of on commit drop as
  select tgname as name, tgtype & 1 = 1 as is_for_rows, pg_get_triggerdef(oid) as definition
  from pg_trigger where tgrelid = :'table'::regclass and not tgisinternal;

alter table :"table" rename to :"first";
do $$
declare one record; own record;
begin
  select * into own from partitioning;
  for one in select * from references_to loop
    execute format('alter table %s drop constraint %I', one.child, one.name);
  end loop;
  for one in select * from indexes_of loop
    execute format('alter index %I rename to %I', one.name, one.name || '_first');
  end loop;
  for one in select * from triggers_of where is_for_rows loop
    execute format('drop trigger %I on %I', one.name, own.first);
  end loop;
end $$;

create table :"table" (like :"first" including defaults including constraints including storage)
  partition by range (:"key");
alter table :"table" drop constraint :"check";
do $$
declare one record; own record;
begin
  select * into own from partitioning;
  for one in select * from constraints_of order by kind desc loop
    execute format('alter table %I add constraint %I %s', own.name, one.name, one.definition);
  end loop;
  for one in select * from indexes_of where not is_unique loop
    execute format('create index %I on %I%s', one.name, own.name, one.columns);
  end loop;
end $$;
alter table :"table" attach partition :"first" for values from (minvalue) to (:'boundary');
-- Each partition gets its copies of the triggers for rows, such as those of the sums by day.
do $$
declare one record;
begin
  for one in select * from triggers_of loop
    execute one.definition;
  end loop;
end $$;
\endif
-- A partition gets neither the unique indexes nor the triggers for statements, which guard the table
-- that a statement names: they are those of another one.
do $$
declare one record; own record; partition record;
begin
  select * into own from partitioning;
  for partition in select * from bounds order by i loop
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      partition.name, own.name, partition.lower, partition.upper);
    for one in
      select substring(pg_get_indexdef(indexrelid) from ' USING .*$') as columns from pg_index
      where indrelid = own.model::regclass and indisunique and not indisprimary
    loop
      execute format('create unique index on %I%s', partition.name, one.columns);
    end loop;
    for one in
      select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = own.model::regclass and not tgisinternal and tgtype & 1 = 0
    loop
      execute replace(one.definition, format(' ON %I.%I ', current_schema(), own.model),
        format(' ON %I.%I ', current_schema(), partition.name));
    end loop;
  end loop;
end $$;
\if :is_new
do $$
declare one record;
begin
  for one in select * from references_to loop
    execute format('alter table %s add constraint %I %s not valid', one.child, one.name, one.definition);
  end loop;
end $$;
\endif
commit;

\echo 'Phase 3: the foreign keys to the table are verified; writers continue.'
reset lock_timeout;
select format('alter table %s validate constraint %I', conrelid::regclass, conname)
from pg_constraint where confrelid = :'table'::regclass and contype = 'f' and not convalidated
  and conparentid = 0 \gexec

\echo 'Phase 4: statistics of the new table, which has none: searches by customer would read every order.'
analyze :"table";
