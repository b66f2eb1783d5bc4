-- Splits the first partition of a table by months, beside the running shop (docs/scale.md). It is
-- the table from before deploy/sql/partition.sql. Run with psql as the shop's role, and not through
-- PgBouncer:
--   psql -v table=orders -f deploy/sql/split-first-partition.sql DATABASE
--   psql -v table=ledger_rows -v key=batch_id -f … (the key of the others is id)
-- It needs as much free disk as the first partition has, and as much again for the log.
-- It copies the rows in batches, and a trigger notes what the shop changes in the meantime. Phase 1
-- stops writers for a moment, also those of the tables that this one refers to, such as users. Phase
-- 5 stops readers and writers of this table and of those that refer to it, and writers of those that
-- it refers to.
-- Stop it whenever you want, and run it again after a stop, an error or a lock that it did not get:
-- it continues where it stopped. After a deploy that changed the table, it starts over.
--   -v batch=2000    rows for each transaction
--   -v pause=0.05    seconds after each
--   -v only=copy     ends before phase 5, so that another run can do that in a quiet hour of the
--                    same day: until then, what the shop deletes or erases stays in the copy
--   -v fresh=1       deletes the copy of an earlier run and starts over
--   -v abandon=1     deletes the copy of an earlier run and ends
-- Afterwards the old table is TABLE_unsplit. Drop it on the same day: what the shop deletes or
-- erases from then on stays in it. The function note_split_change stays; nothing uses it then.
\set ON_ERROR_STOP on
\timing on
-- As in partition.sql: it never waits long for a lock, because the shop's statements would wait
-- behind it.
set lock_timeout = '900ms';
set statement_timeout = 0;
set timezone = 'UTC';
set client_min_messages = warning;
-- Without it, a run whose psql was killed would go on.
set client_connection_check_interval = '1s';
\if :{?key}
\else
  \set key id
\endif
\if :{?batch}
\else
  \set batch 2000
\endif
\if :{?pause}
\else
  \set pause 0.05
\endif
\if :{?only}
\else
  \set only ''
\endif
select :{?fresh} or :{?abandon} as is_fresh \gset

select not pg_try_advisory_lock(hashtextextended(:'table' || '_split', 0)) as is_running \gset
\if :is_running
  do $$ begin raise exception 'Another run is splitting this table. Wait for it, or end it.'; end $$;
\endif

create temporary table splitting as
select :'table' as name, :'key' as key, :'table' || '_first' as first, :'table' || '_unsplit' as unsplit,
  :'table' || '_split_changes' as changes, :'table' || '_split_months' as months,
  :'table' || '_split_progress' as progress, :'batch'::integer as batch, :'pause'::float8 as pause,
  (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = :'table'::regclass and attnum > 0 and not attisdropped) as columns;
select first, unsplit, changes, months, progress,
  exists (select from pg_inherits where inhparent = name::regclass and inhrelid = to_regclass(first)) as is_whole,
  to_regclass(unsplit) is not null as has_unsplit, to_regclass(months) is not null as has_months
from splitting \gset
select not :'is_whole' and not :'has_unsplit' as is_refused, :'is_whole' and :'has_unsplit' as has_old_copy \gset
\if :is_refused
  do $$ begin raise exception 'The table has no first partition to split: see deploy/sql/partition.sql.'; end $$;
\endif
\if :has_old_copy
  do $$ begin raise exception 'First drop the old table of an earlier split: TABLE_unsplit.'; end $$;
\endif

-- What a table must have in common with another one to take its place.
create function pg_temp.shape_of(one regclass) returns text[] language sql as $$
  select array(
    select format('%s %s %s', attname, format_type(atttypid, atttypmod), attnotnull) from pg_attribute
    where attrelid = one and attnum > 0 and not attisdropped
    union all
    select pg_get_constraintdef(oid) from pg_constraint
    where conrelid = one and contype in ('c', 'f') and conname !~ '_(before_partitions|split_bounds)$'
    union all
    select indisunique || substring(pg_get_indexdef(indexrelid) from ' USING .*$') from pg_index
    where indrelid = one
    order by 1)
$$;
-- Copies again what the shop changed. Returns the number of keys.
create function pg_temp.apply_changes() returns bigint language plpgsql as $$
declare own record; month record; keys text[]; ids text[];
begin
  select * into own from splitting;
  execute format('with taken as (delete from %I returning key) select array_agg(distinct key) from taken',
    own.changes) into keys;
  if keys is null then return 0; end if;
  for month in execute format('select * from %I', own.months) loop
    ids := array(select one from unnest(keys) as one
      where (month.lower is null or one >= month.lower collate "C") and one < month.upper collate "C");
    if cardinality(ids) > 0 then
      execute format('delete from %I where %I = any ($1)', month.name, own.key) using ids;
      execute format('insert into %1$I (%2$s) select %2$s from %3$I where %4$I = any ($1)',
        month.name, own.columns, own.first, own.key) using ids;
    end if;
  end loop;
  return cardinality(keys);
end $$;

\if :is_whole
\if :has_months
select :'is_fresh' or exists (
  select from :"months" where to_regclass(name) is not null
    and pg_temp.shape_of(name::regclass) <> pg_temp.shape_of(:'first'::regclass)
) as is_dropped \gset
\if :is_dropped
\echo 'Deleting the copy of an earlier run: it is not wanted, or the table has changed since.'
begin;
drop trigger if exists note_split_change on :"first";
select format('drop table if exists %I', name) from :"months" \gexec
drop table :"months", :"progress", :"changes";
commit;
\set has_months false
\endif
\endif
\if :{?abandon}
  \echo 'The table is as it was.'
  \quit
\endif

\echo 'Phase 1: a table for each month, and the trigger that notes changes; writers wait for a moment.'
\if :has_months
\else
create or replace function note_split_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    execute format('insert into %I select ($1).%I', tg_argv[0], tg_argv[1]) using old;
  end if;
  if tg_op <> 'DELETE' then
    execute format('insert into %I select ($1).%I', tg_argv[0], tg_argv[1]) using new;
  end if;
  return null;
end $$;
select substring(pg_get_expr(relpartbound, oid) from 'TO \(''([^'']+)''\)') as boundary
from pg_class where oid = :'first'::regclass \gset
begin;
lock table :"first" in share row exclusive mode;
create table :"changes" (key text collate "C" not null);
create table :"progress" as select ''::text collate "C" as copied_to;
-- The first has no lower bound, as the first partition. A month that partition.sql began has a name
-- already.
create table :"months" as
select name || case when to_regclass(name) is not null then '_before' else '' end as name,
  case when i > 0 then lower end as lower, least(upper, :'boundary' collate "C") as upper
from (select min(:"key") as id from :"first") as oldest,
  lateral (select date_trunc('month', to_timestamp(
    ('x' || lpad(replace(substr(id, 1, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0)) as month) as since,
  generate_series(0, 1200) as i,
  lateral (select first_id_of(month + i * interval '1 month') collate "C" as lower,
    first_id_of(month + (i + 1) * interval '1 month') collate "C" as upper,
    :'table' || '_' || to_char(month + i * interval '1 month', 'YYYY_MM') as name) as at
where lower < :'boundary' collate "C";
create trigger note_split_change after insert or update or delete on :"first"
  for each row execute function note_split_change(:'changes', :'key');
select count(*) not between 2 and 240 as is_refused from :"months" \gset
\if :is_refused
  do $$ begin raise exception 'The first partition must have rows of 2 to 240 months.'; end $$;
\endif
commit;
\endif
-- One at a time, because a foreign key makes the writers of users wait for as long as its
-- transaction.
do $$
declare own record; month record; one record;
begin
  select * into own from splitting;
  for month in execute format('select * from %I where to_regclass(name) is null', own.months) loop
    execute format('create table %I (like %I including all)', month.name, own.first);
    execute format('alter table %I drop constraint if exists %I', month.name, own.name || '_before_partitions');
    -- Without it, Postgres would read all rows when the table becomes a partition.
    execute format('alter table %I add constraint %I check (%s)', month.name, own.name || '_split_bounds',
      concat_ws(' and ', case when month.lower is not null then format('%I >= %L', own.key, month.lower) end,
        format('%I < %L', own.key, month.upper)));
    for one in
      select conname, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = own.name::regclass and contype = 'f' and conparentid = 0
    loop
      execute format('alter table %I add constraint %I %s', month.name, one.conname, one.definition);
    end loop;
    commit;
  end loop;
end $$;

\echo 'Phase 2: the rows are copied; writers continue.'
do $$
declare own record; month record; after text; upto text; retries integer := 0;
begin
  select * into own from splitting;
  loop
    perform pg_temp.apply_changes();
    execute format('select copied_to from %I', own.progress) into after;
    execute format('select max(key) from (select %1$I as key from %2$I where %1$I > $1 order by 1 limit %3$s) as next',
      own.key, own.first, own.batch) into upto using after;
    exit when upto is null;
    begin
      for month in
        execute format('select * from %I where upper > $1 and (lower is null or lower <= $2)', own.months)
        using after, upto
      loop
        execute format('insert into %1$I (%2$s) select %2$s from %3$I where %4$I > $1 and %4$I <= $2
          and %4$I >= $3 and %4$I < $4 on conflict do nothing', month.name, own.columns, own.first, own.key)
          using after, upto, coalesce(month.lower, ''), month.upper;
      end loop;
      execute format('update %I set copied_to = $1', own.progress) using upto;
      retries := 0;
    exception when foreign_key_violation then
      -- A user was deleted between the reading and the writing of an order.
      retries := retries + 1;
      if retries > 10 then raise; end if;
    end;
    commit;
    perform pg_sleep(own.pause);
  end loop;
end $$;

\echo 'Phase 3: statistics, so that no search reads whole months; writers continue.'
-- It may wait for an autovacuum: neither blocks the shop.
set lock_timeout = 0;
select format('vacuum (analyze) %I', name) from :"months" order by upper \gexec
set lock_timeout = '900ms';

\echo 'Phase 4: the copy is compared with the rows, without what is being changed; writers continue.'
do $$
declare own record; month record; is_same boolean; total bigint := 0; rows bigint;
begin
  select * into own from splitting;
  perform pg_temp.apply_changes();
  commit;
  for month in execute format('select * from %I order by upper', own.months) loop
    execute format('with sums as (
        select false as is_copy, count(*) as rows, sum(hashtextextended(row(%1$s)::text, 0)::numeric) as hash
        from %2$I where %4$I >= $1 and %4$I < $2 and %4$I not in (select key from %5$I)
        union all
        select true, count(*), sum(hashtextextended(row(%1$s)::text, 0)::numeric)
        from %3$I where %4$I not in (select key from %5$I))
      select one.rows, row(one.rows, one.hash) is not distinct from row(other.rows, other.hash)
      from sums as one, sums as other where one.is_copy and not other.is_copy',
      own.columns, own.first, month.name, own.key, own.changes)
      into rows, is_same using coalesce(month.lower, ''), month.upper;
    if not is_same then raise exception 'The copy % differs. Start over with -v fresh=1.', month.name; end if;
    total := total + rows;
    commit;
  end loop;
  raise info '% rows are equal in both.', total;
end $$;
select :'only' = 'copy' as is_done \gset
\if :is_done
  \echo 'The copy is complete. The trigger keeps noting changes until another run puts it in place.'
  \quit
\endif

\echo 'Phase 5: the months take the place of the first partition; readers and writers wait.'
-- What was changed since phase 4, so that little is left for the transaction.
select pg_temp.apply_changes() as changed \gset
begin;
-- It waits for the first lock only, as in partition.sql.
lock table :"table" in access exclusive mode;
select coalesce(string_agg(format('lock table %s in %s mode nowait;', other, mode), ' '), '') as locks
from (
  select other, case when bool_or(is_child) then 'access exclusive' else 'share row exclusive' end as mode
  from (
    select conrelid::regclass::text, true from pg_constraint
    where confrelid = :'table'::regclass and contype = 'f' and conparentid = 0
    union
    select confrelid::regclass::text, false from pg_constraint
    where conrelid = :'table'::regclass and contype = 'f' and conparentid = 0
  ) as others(other, is_child) where other <> :'table' group by other
) as locked \gset
:locks
drop trigger note_split_change on :"first";
select pg_temp.apply_changes() as changed \gset
do $$
declare own record; month record; one record; guard record; leaf record;
begin
  select * into own from splitting;
  create temporary table references_to on commit drop as
    select conrelid, conname, pg_get_constraintdef(oid) as definition from pg_constraint
    where confrelid = own.name::regclass and contype = 'f' and conparentid = 0;
  -- Postgres does not detach a partition that other tables refer to.
  for one in select * from references_to loop
    execute format('alter table %s drop constraint %I', one.conrelid::regclass, one.conname);
  end loop;
  execute format('alter table %I detach partition %I', own.name, own.first);
  for month in execute format('select * from %I order by upper', own.months) loop
    execute format('alter table %I attach partition %I for values from (%s) to (%L)',
      own.name, month.name, coalesce(quote_literal(month.lower), 'minvalue'), month.upper);
    -- The guards for statements do not come with the table. Bit 1 of tgtype is FOR EACH ROW.
    for guard in
      select pg_get_triggerdef(oid) as definition from pg_trigger
      where tgrelid = own.first::regclass and not tgisinternal and tgtype & 1 = 0
    loop
      execute replace(guard.definition, format(' ON %I.%I ', current_schema(), own.first),
        format(' ON %I.%I ', current_schema(), month.name));
    end loop;
  end loop;
  -- A partitioned table cannot get an unverified foreign key, but its partitions can.
  for one in select * from references_to loop
    for leaf in
      select relid from pg_partition_tree(one.conrelid) where isleaf
      union
      select one.conrelid where not exists (select from pg_partition_tree(one.conrelid))
    loop
      execute format('alter table %s add constraint %I %s not valid', leaf.relid::regclass, one.conname,
        one.definition);
    end loop;
  end loop;
  execute format('alter table %I rename to %I', own.first, own.unsplit);
  execute format('drop table %I, %I, %I', own.months, own.progress, own.changes);
end $$;
commit;
\endif

\echo 'Phase 6: the foreign keys to the table are verified; writers continue.'
set lock_timeout = 0;
select format('alter table %s validate constraint %I', conrelid::regclass, conname)
from pg_constraint where confrelid = :'table'::regclass and contype = 'f' and not convalidated
  and conparentid = 0 \gexec
-- A partitioned table takes over the verified ones of its partitions.
set lock_timeout = '900ms';
select distinct format('alter table %s add constraint %I %s', pg_partition_root(conrelid)::regclass, conname,
  pg_get_constraintdef(c.oid))
from pg_constraint c join pg_class child on child.oid = conrelid
where confrelid = :'table'::regclass and contype = 'f' and conparentid = 0 and child.relispartition \gexec

\echo 'Phase 7: statistics of the whole table.'
analyze :"table";
\echo 'Done. Drop the old table today:'
\echo "  set lock_timeout = '900ms'; drop table" :unsplit
