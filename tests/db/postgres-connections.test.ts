import { openDatabase } from '#db/client.ts'
import { toAppError } from '#server/errors.ts'
import { freshDatabase } from '#tests/support/databases.ts'
import '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, inject, test, vi } from 'vitest'

// About Postgres' connections alone: SQLite has none that could break.
test('a connection that breaks between two statements of a transaction fails the transaction and nothing else', async () => {
  const { url, remove } = await freshDatabase(inject('templates'), 'postgres')
  const told: string[] = []
  const db = openDatabase(url, (error) => void told.push(error.message))
  try {
    const broken = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
      // The break is to arrive while no query waits for it.
      await vi.waitFor(() => expect(told).not.toEqual([]), { timeout: 10_000 })
      await sql`select 1`.execute(tx)
    })
    const failure: unknown = await broken.catch((error: unknown) => error)
    expect(failure).toMatchObject({ message: expect.stringMatching(/connection/i) })
    // To the shop the database was away for a moment; nothing of its own failed.
    expect(toAppError(failure).code).toBe('UNAVAILABLE')
    expect(told).toContain('terminating connection due to administrator command')
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
    await remove()
  }
})
