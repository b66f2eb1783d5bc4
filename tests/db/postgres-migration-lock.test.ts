import { openDatabase } from '#db/engine/client.ts'
import { migrate } from '#db/engine/migrate.ts'
import { onEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

// A pooler gives a session to the next transaction, with its locks.
onEngine('postgres', (_openDb, openWithUrl) => {
  test('the only lock of a migration ends with its transaction', async () => {
    const { db, url } = await openWithUrl()
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    const locks: string[] = []
    const observed = openDatabase(url, () => {}, {
      observe: ({ text }, run) => {
        if (text.includes('advisory')) locks.push(text)
        return run()
      },
    })
    await migrate(observed)
    await observed.destroy()
    expect(locks).toEqual([expect.stringContaining('pg_advisory_xact_lock(')])
  })

  test('a start reports that another process migrates, and migrates after it', async () => {
    const { db } = await openWithUrl()
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let hold = (): void => {}
    const held = new Promise<void>((resolve) => (hold = resolve))
    const other = db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(4610237)`.execute(tx)
      hold()
      await released
    })
    await held
    const onBlocked = vi.fn<() => void>()
    const migrating = migrate(db, onBlocked)
    await vi.waitFor(() => expect(onBlocked).toHaveBeenCalled(), { timeout: 20_000 })
    release()
    await other
    expect(await migrating).not.toEqual([])
  })
})
