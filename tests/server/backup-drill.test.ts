import type { Db, Engine } from '#db/engine/client.ts'
import { withDrillDatabase } from '#db/engine/drill-database.ts'
import { drillMarker } from '#db/engine/drill-marker.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { hasTables } from '#db/engine/snapshot-facts.ts'
import { backUp } from '#server/backup/back-up.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { openLocalStorage } from '#server/integrations/storage/local.ts'
import { startCommand, type CommandName } from '#tests/support/commands.ts'
import { eachEngine, onEngine, type OpenWithUrl } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { storeFile } from '#tests/support/stored-files.ts'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { sql } from 'kysely'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const { ENCRYPTION_KEYS: key, SESSION_SECRET: sessionSecret } = productionEnv

const never = new Promise<never>(() => {})

/** A shop with a backup, and a drill of it. */
async function makeDrill(engine: Engine, openWithUrl: OpenWithUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-drill-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { db, url } = await openWithUrl('demo')
  const scratch = await openWithUrl()
  const encryptionKeys = parseKeyRing(key)
  const shop = {
    databaseUrl: url,
    encryptionKeys,
    storage: { kind: 'local', path: join(folder, 'files') } as const,
  }
  await openShopKeys(db, { databaseUrl: url, encryptionKeys, sessionSecret })
  await storeFile({ db, storage: openLocalStorage(shop.storage.path) })
  const backups = join(folder, 'backups')
  for (const [name, day] of [
    ['older', '2026-11-20'],
    ['newer', '2026-11-21'],
  ] as const)
    await backUp(shop, { to: join(backups, name), now: new Date(`${day}T02:00:00Z`) })

  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const start = (into: string, isNamed = false) => {
    const args = ['--backups', backups, ...(isNamed ? ['--into', into] : [])]
    const env = {
      DATABASE_URL: url,
      STORAGE: `local:${shop.storage.path}`,
      ENCRYPTION_KEYS: key,
      ...(engine === 'postgres' && !isNamed && { DRILL_DATABASE_URL: into }),
    }
    return startCommand('backup-drill', {
      args,
      env: { ...env, SESSION_SECRET: sessionSecret, TMPDIR: temporary },
    })
  }
  const drill = (into: string, isNamed = false) => start(into, isNamed).ended
  const lastRun = () => db.selectFrom('runs').selectAll().where('name', '=', 'restore').executeTakeFirst()
  return { db, url, scratch, folder, backups, temporary, start, drill, lastRun }
}

eachEngine((engine, _openDb, openWithUrl) => {
  test('a drill restores the newest backup elsewhere, compares every byte and is recorded', async () => {
    const { scratch, backups, drill, lastRun } = await makeDrill(engine, openWithUrl)

    // The place is not empty: nothing there is touched.
    if (engine === 'postgres') {
      const refused = await drill(scratch.url, true)
      expect(refused.code).toBe(1)
      expect(refused.err).toBe(
        'The drill’s database is not empty, and no drill filled it. Name an empty one with --into.\n',
      )
      expect(await scratch.db.selectFrom('products').select('id').limit(1).execute()).toEqual([])
      expect(await lastRun()).toMatchObject({ failure: 'INVALID', succeededAt: null })
      await scratch.db.destroy()
      await resetDatabase(scratch.url)
    }
    const passed = await drill(scratch.url)
    expect(passed.err).toBe('')
    expect(passed.out).toMatch(/backup=2026-11-21T02:00:00.000Z compared=\d+ files=1 findings=0\n$/)
    expect(Number(/compared=(\d+)/.exec(passed.out)?.[1])).toBeGreaterThanOrEqual(
      engine === 'sqlite' ? 2 : 80,
    )
    expect(await lastRun()).toMatchObject({ kind: 'verify', summary: 'findings=0' })

    appendFileSync(join(backups, 'newer', engine === 'sqlite' ? 'database.sqlite' : 'database.dump'), 'x')
    const damaged = await drill(scratch.url)
    expect(damaged.code).toBe(1)
    expect(damaged.err).toContain('is not what was backed up')
    expect((await lastRun())?.failedAt).not.toBeNull()
  })
  test('a drill that is stopped removes its copy and is no failure', async () => {
    const { scratch, temporary, start, lastRun } = await makeDrill(engine, openWithUrl)
    await scratch.db.destroy()
    await resetDatabase(scratch.url)
    const { child, ended } = start(scratch.url)
    const restored = () => readdirSync(temporary, { recursive: true }).join()
    await expect.poll(restored, { interval: 2, timeout: 60_000 }).toContain('files')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGTERM' })
    expect(readdirSync(temporary)).toEqual([])
    expect(await lastRun()).toBeUndefined()
  })
})

onEngine('postgres', (_openDb, openWithUrl) => {
  test.each([
    ['--into', true],
    ['DRILL_DATABASE_URL', false],
  ])('a drill names %s when its database is away', async (name, isNamed) => {
    const { drill, lastRun } = await makeDrill('postgres', openWithUrl)
    const { code, out, err } = await drill('postgres://shop:no-secret@127.0.0.1:1/nothing', isNamed)
    const line = `${name}: connect ECONNREFUSED 127.0.0.1:1\n`
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: line })
    expect(await lastRun()).toMatchObject({ failure: 'ECONNREFUSED', succeededAt: null })
  })

  const findMarker = async (db: Db): Promise<boolean> => {
    const { rows } = await sql`select from pg_namespace where nspname = ${drillMarker}`.execute(db)
    return rows.length > 0
  }

  test('the next drill empties what a killed drill left behind', async () => {
    const { scratch, start, drill, lastRun } = await makeDrill('postgres', openWithUrl)
    await scratch.db.destroy()
    await resetDatabase(scratch.url)
    const place = scratch.openAgain()
    const { child, ended } = start(scratch.url)
    await expect.poll(() => hasTables(place), { interval: 5, timeout: 60_000 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    expect(await findMarker(place)).toBe(true)
    // A drill ends what else uses its database.
    await place.destroy()

    const next = await drill(scratch.url)
    expect(next).toMatchObject({ code: 0, err: '' })
    expect(await lastRun()).toMatchObject({ summary: 'findings=0', failure: null })
    const after = scratch.openAgain()
    expect([await hasTables(after), await findMarker(after)]).toEqual([false, false])
  })

  test('the next drill passes after one that was stopped, also while the dump is loaded', async () => {
    const { scratch, start, drill } = await makeDrill('postgres', openWithUrl)
    await scratch.db.destroy()
    await resetDatabase(scratch.url)
    const { child, ended } = start(scratch.url)
    const before = scratch.openAgain()
    await expect.poll(() => findMarker(before), { interval: 5, timeout: 60_000 }).toBe(true)
    await before.destroy()
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGINT' })
    expect(await drill(scratch.url)).toMatchObject({ code: 0, err: '' })
    const after = scratch.openAgain()
    expect([await hasTables(after), await findMarker(after)]).toEqual([false, false])
  })

  test('the next drill deletes what an abandoned one still wrote', async () => {
    const { db: shop } = await openWithUrl()
    const scratch = await openWithUrl()
    await scratch.db.destroy()
    await resetDatabase(scratch.url)
    let stop = (_error: Error): void => {}
    const stopped = new Promise<never>((_resolve, reject) => (stop = reject))
    const abandoned = withDrillDatabase(scratch.url, { shop, stopped }, () => {
      stop(new Error('The drill was stopped.'))
      return never
    })
    await expect(abandoned).rejects.toThrow('The drill was stopped.')
    const late = scratch.openAgain()
    expect(await hasTables(late)).toBe(false)
    await sql`create table restored_late ()`.execute(late)
    await late.destroy()

    await withDrillDatabase(scratch.url, { shop, stopped: never }, async () => {})
    const after = scratch.openAgain()
    expect([await hasTables(after), await findMarker(after)]).toEqual([false, false])
  })

  test('a drill refuses a database that a killed drill left and that was restored or reset since', async () => {
    const { scratch, backups, folder, drill } = await makeDrill('postgres', openWithUrl)
    await sql`create schema ${sql.id(drillMarker)}`.execute(scratch.db)
    await scratch.db.destroy()
    const restored = await startCommand('restore', {
      args: ['--from', join(backups, 'newer'), '--force'],
      env: {
        DATABASE_URL: scratch.url,
        STORAGE: `local:${join(folder, 'restored-files')}`,
        ENCRYPTION_KEYS: key,
        SESSION_SECRET: sessionSecret,
      },
    }).ended
    expect(restored).toMatchObject({ code: 0, err: '' })
    expect(await drill(scratch.url)).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })

    const place = scratch.openAgain()
    await sql`create schema ${sql.id(drillMarker)}`.execute(place)
    await resetDatabase(scratch.url)
    expect(await findMarker(place)).toBe(false)
  })

  test('a drill refuses the shop’s database, and one that another drill uses', async () => {
    const { db, url, scratch, drill } = await makeDrill('postgres', openWithUrl)
    await sql`create schema ${sql.id(drillMarker)}`.execute(db)
    const refused = await drill(url)
    expect(refused).toMatchObject({
      code: 1,
      err: 'The drill’s database is the shop’s. Name another one with --into.\n',
    })
    expect(await hasTables(db)).toBe(true)

    await scratch.db.destroy()
    await resetDatabase(scratch.url)
    const second = withDrillDatabase(scratch.url, { shop: db, stopped: never }, () => drill(scratch.url))
    expect(await second).toMatchObject({
      code: 1,
      err: 'Another drill uses this database. Wait until it ends.\n',
    })
  })
})

// On Postgres, the keys of dev and demo are in ./data for every database.
test('a drill of a SQLite shop without ENCRYPTION_KEYS uses the keys beside its database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-drill-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: `sqlite:${join(folder, 'shop.sqlite')}`,
    STORAGE: `local:${join(folder, 'files')}`,
  }
  const run = (name: CommandName, ...args: string[]) => startCommand(name, { args, cwd: folder, env }).ended
  expect(await run('db', 'migrate')).toMatchObject({ code: 0 })
  // The first command that needs the keys creates them.
  expect(await run('stock-verify')).toMatchObject({ code: 0 })
  expect(await run('backup', '--to', join(folder, 'backups', 'first'))).toMatchObject({ code: 0 })
  expect(await run('backup-drill', '--backups', join(folder, 'backups'))).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/findings=0\n$/),
  })
})
