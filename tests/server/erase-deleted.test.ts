import { findOldestErasure } from '#db/crypto/erasures.ts'
import type { Db, Engine } from '#db/engine/client.ts'
import { deleteUser } from '#server/privacy/delete-user.ts'
import { updateProfile } from '#server/accounts/update-profile.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { rotateKeys } from '#server/crypto/rotate-keys.ts'
import { eraseDeleted } from '#server/jobs/erase-deleted.ts'
import { createLog } from '#server/log.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

const erase = (db: Db, now = new Date()): Promise<void> =>
  eraseDeleted({ db, log: createLog('silent'), now: () => now })

/** Transactions of other tests on the same Postgres server can hold an erasure up briefly. */
const eraseSoon = (db: Db): Promise<void> => vi.waitFor(() => erase(db), { timeout: 20_000, interval: 100 })

/** Which of these texts the files of the database contain, read as a thief reads a stolen disk. */
async function findInFiles(db: Db, engine: Engine, url: string, texts: readonly string[]): Promise<string[]> {
  if (engine === 'sqlite') {
    const files = ['', '-wal', '-shm']
      .map((suffix) => url.slice('sqlite:'.length) + suffix)
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file))
    return texts.filter((text) => files.some((file) => file.includes(text)))
  }
  await sql`checkpoint`.execute(db)
  // Every file of the database: tables, earlier versions of them, indexes, TOAST, statistics.
  const { rows } = await sql<{ text: string }>`
    select distinct t.text from json_array_elements_text(${JSON.stringify(texts)}) as t (text),
      (select pg_read_binary_file('base/' || oid || '/' || name, 0, 1000000000, true) as bytes
        from pg_database, pg_ls_dir('base/' || oid) as name where datname = current_database()) as file
    where position(convert_to(t.text, 'UTF8') in file.bytes) > 0`.execute(db)
  return rows.map(({ text }) => text)
}

/** The sealed values of a user as they are in the database. */
async function sealedOf(db: Db, id: string) {
  const { wrappedKey } = await db
    .selectFrom('userKeys')
    .select('wrappedKey')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow()
  const { sealedProfile } = await db
    .selectFrom('users')
    .select('sealedProfile')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // Of a long value, SQLite keeps the end on other pages than the beginning.
  return { wrappedKey, profile: [sealedProfile.slice(20, 80), sealedProfile.slice(-60)] }
}

/** Keeps a snapshot of the database until the returned function is called. */
async function holdSnapshot(db: Db, engine: Engine): Promise<() => Promise<void>> {
  if (engine === 'sqlite') {
    await sql`begin`.execute(db)
    await db.selectFrom('users').select('id').execute()
    return async () => void (await sql`commit`.execute(db))
  }
  let release = (): void => {}
  const released = new Promise<void>((done) => (release = done))
  let ended: Promise<void> = Promise.resolve()
  await new Promise<void>((started) => {
    ended = db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await tx.selectFrom('users').select('id').execute()
        started()
        await released
      })
  })
  return async () => {
    release()
    await ended
  }
}

eachEngine((engine, _openDb, openWithUrl) => {
  test('after a deletion no file of the database contains the key; a blocked erasure is retried', async () => {
    const { db, url, openAgain } = await openWithUrl()
    const [staying, leaving] = [await makeUser(db), await makeUser(db)]
    const ctx = testContext(db, { user: signedIn(leaving) })
    await updateProfile(ctx, { allergies: 'Xanomeline '.repeat(450) })
    const before = await sealedOf(db, leaving)
    await updateProfile(ctx, { allergies: 'Trospium '.repeat(500) })
    await addPrescription(db, leaving)
    const [deleted, remaining] = [await sealedOf(db, leaving), await sealedOf(db, staying)]
    // The planner's statistics are copies of values.
    await sql`analyze`.execute(db)
    const release = await holdSnapshot(openAgain(), engine)
    await deleteUser(ctx, leaving)

    const secrets = [
      deleted.wrappedKey,
      ...(engine === 'sqlite' ? [...before.profile, ...deleted.profile] : []),
    ]
    const find = (texts: readonly string[], reader = db) => findInFiles(reader, engine, url, texts)
    expect(await find([deleted.wrappedKey, remaining.wrappedKey])).toEqual(
      expect.arrayContaining([deleted.wrappedKey, remaining.wrappedKey]),
    )
    await expect(erase(db)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await findOldestErasure(db)).not.toBeNull()
    await release()
    // Another process, which was not there when the account was deleted.
    const restarted = openAgain()
    await eraseSoon(restarted)
    expect(await findOldestErasure(restarted)).toBeNull()
    expect(await find(secrets, restarted)).toEqual([])
    expect(await find([remaining.wrappedKey], restarted)).toEqual([remaining.wrappedKey])
    await erase(restarted)
  })

  test('after a rotation no file of the database contains the keys wrapped before', async () => {
    const { db, url } = await openWithUrl()
    for (let i = 0; i < 20; i++) await makeUser(db)
    const wrapped = async () =>
      (await db.selectFrom('userKeys').select('wrappedKey').execute()).map(({ wrappedKey }) => wrappedKey)
    const before = await wrapped()
    await sql`analyze`.execute(db)
    const fresh = `fresh:${randomBytes(32).toString('base64')}`
    await rotateKeys(db, parseKeyRing(`${fresh},${productionEnv.ENCRYPTION_KEYS}`))
    // Postgres may already have overwritten some of them.
    if (engine === 'sqlite') expect(await findInFiles(db, engine, url, before)).toHaveLength(20)
    await eraseSoon(db)
    expect(await findInFiles(db, engine, url, before)).toEqual([])
    expect(await findInFiles(db, engine, url, await wrapped())).toHaveLength(20)
  })
})
