import type { Db } from '#db/engine/client.ts'
import { seedDemo } from '#db/seed/demo.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const count = async (db: Db, table: 'products' | 'productDocuments'): Promise<number> => {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

eachEngine((engine, openDb) => {
  test('the demo catalog is seeded with its search or not at all, and only into an empty shop', async () => {
    const db = await openDb()
    // The last write fails, as when the process is killed before the end.
    await sql`alter table search_words rename to words_moved`.execute(db)
    await expect(seedDemo(db)).rejects.toThrow(/search_words/)
    expect(await count(db, 'products')).toBe(0)

    await sql`alter table words_moved rename to search_words`.execute(db)
    // As autovacuum may: it has seen empty tables and would plan for no rows.
    if (engine === 'postgres') await sql`analyze`.execute(db)
    expect(await seedDemo(db)).toMatch(/^seeded \d+ products$/)
    const products = await count(db, 'products')
    expect(products).toBeGreaterThan(300)
    expect(await count(db, 'productDocuments')).toBe(products)

    expect(await seedDemo(db)).toMatch(/nothing seeded/)
    expect(await count(db, 'products')).toBe(products)
  })
})
