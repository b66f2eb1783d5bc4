import { PostgresAdapter, sql, type Kysely, type Migration } from 'kysely'
import { expect, test } from 'vitest'
import { migrations } from '../../migrations/all.ts'
import { expandContractFaults } from '../../scripts/check/expand-contract.ts'

type Up = (db: Kysely<unknown>) => Promise<unknown>
const planted = (name: string, up: Up): Record<string, Migration> => ({
  '0050-before': { up: async () => {} },
  [name]: { up: async (db) => void (await up(db)) },
})

const breaking: [string, Up, string][] = [
  ['a dropped table', (db) => db.schema.dropTable('orders').execute(), 'drops the table orders'],
  ['a dropped column', (db) => db.schema.alterTable('orders').dropColumn('note').execute(), 'drops orders'],
  [
    'a renamed column',
    (db) => db.schema.alterTable('orders').renameColumn('note', 'notes').execute(),
    'renames orders',
  ],
  ['a renamed table', (db) => db.schema.alterTable('orders').renameTo('sales').execute(), 'renames orders'],
  [
    'a required column',
    (db) =>
      sql`alter table orders add column a text not null default '', add column b text not null`.execute(db),
    'adds a column without default to orders',
  ],
  [
    'another type',
    (db) =>
      db.schema
        .alterTable('orders')
        .alterColumn('n', (col) => col.setDataType('bigint'))
        .execute(),
    'changes the type of orders',
  ],
  [
    'a value required on Postgres alone',
    async (db) => {
      if (db.getExecutor().adapter instanceof PostgresAdapter)
        await sql`ALTER TABLE public.orders\n  ALTER note SET NOT NULL`.execute(db)
    },
    'requires a value in orders',
  ],
  [
    'a unique index',
    (db) => db.schema.createIndex('one_note').unique().on('orders').column('note').execute(),
    'makes orders unique',
  ],
  [
    'a unique constraint',
    (db) => db.schema.alterTable('orders').addUniqueConstraint('one_note', ['note']).execute(),
    'constrains orders',
  ],
  [
    'a dropped index, which may be the unique one of an upsert',
    (db) => db.schema.dropIndex('orders_by_day').execute(),
    'drops the index orders_by_day',
  ],
  [
    'an index dropped concurrently',
    (db) => sql`drop index concurrently if exists orders_by_day`.execute(db),
    'drops the index orders_by_day',
  ],
  [
    'a dropped trigger',
    (db) => sql`drop trigger if exists products_shown on products`.execute(db),
    'products_shown',
  ],
  [
    'a trigger that refuses rows',
    async (db) => {
      if (db.getExecutor().adapter instanceof PostgresAdapter) {
        await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
          db,
        )
        await sql`create trigger t before insert on orders for each row execute function refuse()`.execute(db)
      } else
        await sql`create trigger t before insert on orders begin select raise(abort, 'no'); end`.execute(db)
    },
    'lets a trigger refuse rows of orders',
  ],
  ['deleted rows', (db) => sql`delete from orders where note is null`.execute(db), 'deletes rows of orders'],
  [
    'values of an older column',
    (db) =>
      sql`alter table orders add column kind text; update orders set kind = (select a, b = 1 from c), "note" = ''`.execute(
        db,
      ),
    'changes note of orders',
  ],
  [
    'values changed by a query with a name',
    (db) => sql`with old as (select id from orders) update orders set note = old.id from old`.execute(db),
    'changes note of orders',
  ],
  ...(
    [
      ['update orders o set note = 1', 'changes note of orders'],
      ['update "orders" as "o" set "note" = 1', 'changes note of orders'],
      ['update or replace orders set note = 1', 'changes note of orders'],
      ["update orders set id = 'x--y', note = 'z'", 'changes id of orders'],
      [
        'insert into orders (id) values (1) on conflict (id) do update set note = 1',
        'changes note of orders',
      ],
      ['with gone as (delete from orders returning id) select 1', 'deletes rows of orders'],
      ['truncate returns, orders', 'deletes rows of returns'],
      ['insert or replace into orders values (1)', 'replaces rows of orders'],
      ['replace into orders values (1)', 'replaces rows of orders'],
      ['merge into orders using carts on true when matched then delete', 'replaces rows of orders'],
      ['create unique index on orders (note)', 'makes orders unique'],
      ['drop schema shop cascade', 'drops the schema shop'],
      ['create or replace view v as select 1', 'may replace v'],
      ['alter table orders set schema other', 'renames orders'],
      ['alter view shown rename to other', 'cannot judge'],
      ['drop procedure p', 'cannot judge'],
      ["alter table orders add column kind text check (note <> '')", 'checks older columns of orders'],
      [
        "alter table orders add column kind text check (kind = 'a' or (note is null and length(kind) > 1))",
        'checks older columns of orders',
      ],
      [
        "alter table orders add column number text not null unique default 'a'",
        'adds a unique column with a default to orders',
      ],
      ['create table a (id text, cart_id text references carts (id))', 'refuses to delete rows of carts'],
      [
        'create table a (id text references users on delete cascade, cart_id text references "carts" ("id"))',
        'refuses to delete rows of carts',
      ],
      [
        'create table a (id text); alter table a add constraint a_cart foreign key (id) references carts (id)',
        'refuses to delete rows of carts',
      ],
      ['alter table orders add column cart_id text references carts', 'refuses to delete rows of carts'],
      ['revoke update on orders from meridian', 'revokes a right'],
      ['alter table orders enable row level security', 'hides rows of orders'],
      ['alter table orders force row level security', 'hides rows of orders'],
      ['create policy own on orders using (true)', 'cannot judge'],
      ['create table a (id text); drop table a, orders', 'drops the table orders'],
      ['create or replace function f() returns trigger as $$ begin end $$', 'may replace f'],
      [
        'create constraint trigger t after insert on orders for each row execute function refuse_change()',
        'lets a trigger refuse rows of orders',
      ],
      [
        `create function g() returns int as $$ select 1 $$;
         create function f() returns trigger as $$ begin raise 'no'; end $$;
         create trigger t before insert on orders for each row execute function f()`,
        'lets a trigger refuse rows of orders',
      ],
    ] as const
  ).map(([text, fault]): [string, Up, string] => [text, (db) => sql.raw(text).execute(db), fault]),
  ['a block', (db) => sql`do $$ begin drop table orders; end $$`.execute(db), 'runs a DO block'],
]

test.each(breaking)('%s on an existing table is refused', async (_, up, fault) => {
  const faults = await expandContractFaults(planted('0051-breaks', up))
  expect(faults[0]).toContain(fault)
})

test('what only adds passes, and a new table may have any rule', async () => {
  const up: Up = async (db) => {
    await db.schema
      .createTable('returns')
      .addColumn('id', 'text', (col) => col.notNull().unique())
      .execute()
    await db.schema.createIndex('returns_id').unique().on('returns').column('id').execute()
    await db.schema.alterTable('orders').addColumn('return_id', 'text').execute()
    await sql`alter table orders add column kind text not null default 'not null, rename'`.execute(db)
    await sql`update orders set kind = 'set note = 1', return_id = id where note = 'x'`.execute(db)
    await sql`update returns set id = id`.execute(db)
    await sql`delete from returns`.execute(db)
    await sql`insert into orders (id) values (1) on conflict do update set kind = ''`.execute(db)
    await sql`create temp table seen (id text); delete from seen`.execute(db)
    await sql`create view v as select 1; drop view v`.execute(db)
    await sql`create function g() returns trigger as $$ begin raise notice 'x'; end $$`.execute(db)
    await sql`create trigger g after insert on orders for each row execute function g()`.execute(db)
    await sql`create trigger t after insert on orders begin delete from returns; update orders set note = ''; end`.execute(
      db,
    )
    await sql`create function f() returns trigger language plpgsql as $$ begin drop table orders; end $$`.execute(
      db,
    )
    await sql`alter table orders add column code text check (code in ('a', 'b') and length(code) > 0), add column no text unique`.execute(
      db,
    )
    await sql`alter table orders add column back_id text references returns (id), add column by_id text references users (id) on delete set null`.execute(
      db,
    )
    await sql`create table parts (part_of text references parts (part_of), cart_id text references carts (id) on delete cascade)`.execute(
      db,
    )
    await db.schema.createIndex('orders_by_return').on('orders').column('return_id').execute()
    await db.schema.dropIndex('orders_by_return').execute()
  }
  expect(await expandContractFaults(planted('0051-adds', up))).toEqual([])
})

test('a contract passes when it names a migration of an earlier release', async () => {
  const up: Up = (db) => db.schema.dropTable('orders').execute()
  const faultsOf = (name: string, released?: string) =>
    expandContractFaults(planted(name, up), released === undefined ? {} : { released })
  expect(await faultsOf('0051-no-orders-contracts-0050', '0050')).toEqual([])
  expect(await faultsOf('0051-no-orders-contracts-0050', '0049')).toEqual([
    'migrations/0051-no-orders-contracts-0050 contracts 0050, and the newest released one is 0049 (lastReleased).',
  ])
  expect(await faultsOf('0051-no-orders-contracts-0050')).toHaveLength(1)
  expect(await faultsOf('0051-no-orders-contracts-0051', '0051')).toHaveLength(1)
  expect(await faultsOf('0051-no-orders-contracts-0044', '0050')).toHaveLength(1)
})

test('the statements of every migration can be read', async () => {
  const faults = await expandContractFaults(migrations, { after: '0000' })
  expect(faults.join('\n')).toContain('migrations/0022-renamed-columns renames')
  expect(faults.join('\n')).not.toContain('0049')
})
