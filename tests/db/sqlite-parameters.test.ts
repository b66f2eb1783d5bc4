import { openTestDatabase } from '#tests/support/databases.ts'
import { sql, type RawBuilder } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'

function openMemory() {
  const db = openTestDatabase('sqlite::memory:')
  onTestFinished(() => db.destroy())
  return db
}

test('a plan does not depend on values', async () => {
  const db = openMemory()
  await sql`create table stocks (name text collate nocase, stock integer)`.execute(db)
  await sql`create index stocks_low on stocks (stock) where stock <= 10`.execute(db)
  await sql`create index stocks_by_name on stocks (name)`.execute(db)
  const planOf = async (condition: RawBuilder<unknown>): Promise<string> => {
    const plan = sql<{ detail: string }>`explain query plan select * from stocks where ${condition}`
    return (await plan.execute(db)).rows.map(({ detail }) => detail).join('; ')
  }
  // With a bare parameter, SQLite would plan again with the value in its place, and take the index.
  expect(await planOf(sql`stock <= ${10}`)).toBe('SCAN stocks')
  expect(await planOf(sql`stock <= ${sql.lit(10)}`)).toContain('INDEX stocks_low')
  expect(await planOf(sql`name like ${'ab%'}`)).toBe('SCAN stocks')
  expect(await planOf(sql`name like ${sql.lit('ab%')}`)).toContain('INDEX stocks_by_name')
})

test('values arrive as they are', async () => {
  const db = openMemory()
  const bytes = Buffer.from([0, 1, 255])
  const { rows } = await sql`
    select ${'5'} as text, ${5} as number, ${-0.5} as negative, ${null} as missing, ${bytes} as bytes, ${true} as flag,
      typeof(${'5'}) as text_type, typeof(${5}) as number_type, ${'a'} || ${'b'} as joined, ${'a%'} like ${'A_'} as alike,
      ${3} - ${5} as difference, ${'B'} in (${'a'}, ${'B'}) as listed`.execute(db)
  expect(rows).toEqual([
    {
      text: '5',
      number: 5,
      negative: -0.5,
      missing: null,
      bytes,
      flag: 1,
      textType: 'text',
      numberType: 'real',
      joined: 'ab',
      alike: 1,
      difference: -2,
      listed: 1,
    },
  ])
})
