import { openDatabase } from '#db/engine/client.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'

// Only Postgres has poolers.
test('behind a pooler, nothing on a connection lasts longer than a transaction', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const direct = openDatabase(url, () => {})
  const pooled = openDatabase(`${url}?pooler=transaction`, () => {})
  const readSession = async (db: typeof direct) => {
    // Twice, because the first run would prepare the statement.
    for (let i = 0; i < 2; i++) await db.selectFrom('products').select('id').execute()
    const { rows } = await sql<{ prepared: number; pageCost: string }>`
      select (select count(*) from pg_prepared_statements) as prepared,
        current_setting('random_page_cost') as page_cost`.execute(db)
    return rows[0]
  }
  try {
    expect(await readSession(direct)).toMatchObject({ pageCost: '1.1' })
    expect((await readSession(direct))?.prepared).toBeGreaterThan(0)
    expect(await readSession(pooled)).toEqual({ prepared: 0, pageCost: '4' })
    const answers = await pooled
      .connection()
      .execute((one) =>
        pooled
          .transaction()
          .execute((tx) =>
            Promise.all([
              sql<{ n: number }>`select 1 as n`.execute(tx),
              sql<{ n: number }>`select ${2}::int as n`.execute(tx),
              sql<{ n: number }>`select 3 as n`.execute(one),
            ]),
          ),
      )
    expect(answers.map(({ rows }) => rows[0]?.n)).toEqual([1, 2, 3])
  } finally {
    await direct.destroy()
    await pooled.destroy()
    await remove()
  }
})
