import { isMigrated, migrate } from '#db/engine/migrate.ts'
import { openEarlierShop } from '#tests/support/earlier-shop.ts'
import { eachEngine, onEngine } from '#tests/support/engines.ts'
import { untilWaiting } from '#tests/support/lock-waits.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { migrations } from '../../migrations/all.ts'

eachEngine((engine, openDb) => {
  test('a migrated database gets no migration', async () => {
    const db = await openDb()
    expect(await isMigrated(db)).toBe(true)
    expect(await migrate(db)).toEqual([])
  })

  test('an empty database gets every migration in order', async () => {
    const db = await openDb()
    await dropEverything(db, engine)
    expect(await isMigrated(db)).toBe(false)
    expect(await migrate(db)).toEqual(Object.keys(migrations))
    expect(await isMigrated(db)).toBe(true)
  })

  test('two concurrent runs apply each migration once', async () => {
    const db = await openDb()
    await dropEverything(db, engine)
    const applied = await Promise.all([migrate(db), migrate(db)])
    expect(applied.flat().toSorted()).toEqual(Object.keys(migrations))
  })

  test('a failed migration leaves the database unchanged', async () => {
    const db = await openDb()
    await dropEverything(db, engine)
    await sql`create table cart_lines (conflicting text)`.execute(db)
    await expect(migrate(db)).rejects.toThrow(/cart_lines/)
    await expect(db.selectFrom('products').select('id').execute()).rejects.toThrow(/products/)
    await sql`drop table cart_lines`.execute(db)
    expect(await migrate(db)).toEqual(Object.keys(migrations))
  })

  test('a version before the newest migrations starts, is ready and migrates nothing', async () => {
    const db = await openDb()
    await sql`insert into schema_migrations (name, timestamp) values ('9998-more-columns', '')`.execute(db)
    await sql`insert into schema_migrations (name, timestamp) values ('9999-less-contracts-0001', '')`.execute(
      db,
    )
    expect(await migrate(db)).toEqual([])
    expect(await isMigrated(db)).toBe(true)
  })

  test('a version whose columns a contract removed neither starts nor stays ready', async () => {
    const db = await openDb()
    await sql`insert into schema_migrations (name, timestamp) values ('9999-less-contracts-9998', '')`.execute(
      db,
    )
    expect(await isMigrated(db)).toBe(false)
    await expect(migrate(db)).rejects.toThrow(
      'Migration 9999-less-contracts-9998 removed what this version uses. Start a version with migration 9998.',
    )
  })

  test('every text column compares by bytes', async () => {
    const db = await openDb()
    const withOtherCollation =
      engine === 'postgres'
        ? sql`select table_name, column_name from information_schema.columns
            where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'
              and table_name not like 'schema_migrations%'`
        : sql`select name from sqlite_master where sql like '%collate%'`
    expect((await withOtherCollation.execute(db)).rows).toEqual([])
  })
})

// A backup holds such a lock. SQLite's copies its file without one.
onEngine('postgres', (_openDb, openWithUrl) => {
  test('a migration that waits for a lock does not make the running shop wait', async () => {
    const { db } = await openEarlierShop('postgres', openWithUrl)
    let unlock = (): void => {}
    const unlocked = new Promise<void>((resolve) => (unlock = resolve))
    const backup = db.transaction().execute(async (tx) => {
      await sql`lock table products in access share mode`.execute(tx)
      await unlocked
    })
    const onBlocked = vi.fn<() => void>()
    const migrating = migrate(db, onBlocked)
    await untilWaiting(db, migrating)
    // Behind the migration, which ends after its three seconds.
    await sql`select count(*) from products`.execute(db)
    await vi.waitFor(() => expect(onBlocked).toHaveBeenCalled(), { timeout: 20_000 })
    unlock()
    await backup
    expect((await migrating).at(-1)).toBe(Object.keys(migrations).at(-1))
  })

  test('a migration that a deadlock ends starts again', async () => {
    const { db } = await openEarlierShop('postgres', openWithUrl)
    let deadlock = (): void => {}
    const meets = new Promise<void>((resolve) => (deadlock = resolve))
    const shop = db.transaction().execute(async (tx) => {
      // The migration finds the deadlock first, and ends.
      await sql`set local deadlock_timeout = '1min'`.execute(tx)
      await sql`lock table products in access share mode`.execute(tx)
      await meets
      // Migration 0023 has changed it, in the transaction that waits for the products.
      await sql`lock table sessions in access share mode`.execute(tx)
    })
    const onBlocked = vi.fn<() => void>()
    const migrating = migrate(db, onBlocked)
    await untilWaiting(db, migrating)
    deadlock()
    await shop
    expect((await migrating).at(-1)).toBe(Object.keys(migrations).at(-1))
    expect(onBlocked).toHaveBeenCalled()
  })
})

async function dropEverything(db: Parameters<typeof migrate>[0], engine: string): Promise<void> {
  if (engine === 'postgres') {
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    return
  }
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite\_%' escape '\\'
      and name not like '%\_fts\_%' escape '\\'`.execute(db)
  await sql`pragma foreign_keys = off`.execute(db)
  for (const { name } of rows) await sql`drop table if exists ${sql.ref(name)}`.execute(db)
  await sql`pragma foreign_keys = on`.execute(db)
}
