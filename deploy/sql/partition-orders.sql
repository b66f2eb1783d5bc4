-- Partitions the orders by month, beside the running shop (docs/scale.md). Run once with psql:
--   psql -v from=2027-01-01 -v months=12 -f deploy/sql/partition-orders.sql DATABASE
-- `from` is the first month of the new partitions and must be in the future. The present table
-- becomes the first partition as it is: no row is copied, and only phase 2 blocks orders.
-- The partition key is the id, a UUIDv7, which begins with its time. So the primary key and the
-- foreign keys to it stay. One payment for one order is then unique within a partition; across
-- partitions, the checkout's single change to "ordered" keeps it.
\set ON_ERROR_STOP on
\timing on

create or replace function first_id_of(month timestamptz) returns text language sql immutable as $$
  select substr(ms, 1, 8) || '-' || substr(ms, 9, 4)
  from (select lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0') as ms) as at
$$;
select first_id_of(:'from'::timestamptz) as boundary \gset

\echo 'Phase 1: the check that every row is before the boundary; writers continue.'
alter table orders drop constraint if exists orders_before_partitions;
alter table orders add constraint orders_before_partitions check (id < :'boundary') not valid;
alter table orders validate constraint orders_before_partitions;

\echo 'Phase 2: the new table takes the place of the old one; orders wait.'
begin;
set local lock_timeout = '2s';
lock table orders in access exclusive mode;
create temporary table references_to_orders on commit drop as
  select conrelid::regclass::text as child, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where confrelid = 'orders'::regclass and contype = 'f';
create temporary table references_of_orders on commit drop as
  select conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = 'orders'::regclass and contype = 'f';
create temporary table indexes_of_orders on commit drop as
  select c.relname as name, i.indisprimary as is_primary, i.indisunique as is_unique,
    pg_get_indexdef(c.oid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'orders'::regclass;
create temporary table triggers_of_orders on commit drop as
  select tgname as name, pg_get_triggerdef(oid) as definition
  from pg_trigger where tgrelid = 'orders'::regclass and not tgisinternal;

do $$
declare one record;
begin
  for one in select * from references_to_orders loop
    execute format('alter table %s drop constraint %I', one.child, one.name);
  end loop;
  alter table orders rename to orders_first;
  for one in select * from indexes_of_orders loop
    execute format('alter index %I rename to %I', one.name, one.name || '_first');
  end loop;
  for one in select * from triggers_of_orders loop
    execute format('drop trigger %I on orders_first', one.name);
  end loop;
end $$;

create table orders (like orders_first including defaults including constraints including storage)
  partition by range (id);
alter table orders drop constraint orders_before_partitions;
alter table orders add constraint orders_pkey primary key (id);

do $$
declare one record;
begin
  for one in select * from indexes_of_orders where not is_unique loop
    execute replace(one.definition, ' ON public.orders_first ', ' ON public.orders ');
  end loop;
  for one in select * from references_of_orders loop
    execute format('alter table orders add constraint %I %s', one.name, one.definition);
  end loop;
end $$;
alter table orders attach partition orders_first for values from (minvalue) to (:'boundary');
-- Each partition gets its copies of the triggers, such as those of the sums by day.
do $$
declare one record;
begin
  for one in select * from triggers_of_orders loop
    execute one.definition;
  end loop;
end $$;

select set_config('partition.from', :'from', true), set_config('partition.months', :'months', true) \g /dev/null
do $$
declare
  month timestamptz := current_setting('partition.from')::timestamptz;
  name text;
begin
  for i in 1..current_setting('partition.months')::int loop
    name := 'orders_' || to_char(month, 'YYYY_MM');
    execute format('create table %I partition of orders for values from (%L) to (%L)',
      name, first_id_of(month), first_id_of(month + interval '1 month'));
    execute format('create unique index on %I (payment_id)', name);
    execute format('create unique index on %I (checkout_id)', name);
    month := month + interval '1 month';
  end loop;
end $$;
do $$
declare one record;
begin
  for one in select * from references_to_orders loop
    execute format('alter table %s add constraint %I %s not valid', one.child, one.name, one.definition);
  end loop;
end $$;
commit;

\echo 'Phase 3: the foreign keys to orders are verified; writers continue.'
select format('alter table %s validate constraint %I', conrelid::regclass, conname)
from pg_constraint where confrelid = 'orders'::regclass and contype = 'f' and not convalidated
  and conparentid = 0 \gexec

\echo 'Phase 4: statistics of the new table, which has none: searches by customer would read every order.'
analyze orders;
