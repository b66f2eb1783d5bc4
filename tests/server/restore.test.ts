import { hasTables } from '#db/engine/snapshot-facts.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { backUp } from '#server/backup/back-up.ts'
import { databaseName, hashFile, listFiles, readManifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { undoOnError } from '#server/backup/undo-on-error.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { openLocalStorage } from '#server/integrations/storage/local.ts'
import { getShopGauges } from '#server/monitoring/get-shop-gauges.ts'
import { recordRun } from '#server/monitoring/record-runs.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { runCommand } from '#tests/support/commands.ts'
import { eachEngine, onEngine, type OpenWithUrl } from '#tests/support/engines.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { storeFile } from '#tests/support/stored-files.ts'
import { tableHashes } from '#tests/support/table-hashes.ts'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const now = new Date('2026-11-20T12:00:00Z')
const time = '20261120T120000000Z'
const encryptionKeys = parseKeyRing(productionEnv.ENCRYPTION_KEYS)

/** What starts with this path. */
const namesFrom = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))

/** What a rename cannot replace. */
function block(path: string): void {
  mkdirSync(join(path, 'full'), { recursive: true })
}

async function truncateDump(backup: string): Promise<void> {
  const dump = join(backup, databaseName.postgres)
  truncateSync(dump, statSync(dump).size - 2000)
  const manifest = await readManifest(backup)
  const facts = await hashFile(dump)
  const entries = manifest.entries.map((entry) =>
    entry.path === databaseName.postgres ? { ...entry, ...facts } : entry,
  )
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, entries }))
}

/** A shop, its backup, and what came after the backup: an account and a file. */
async function makeShop(openWithUrl: OpenWithUrl) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-restore-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { db, url, openAgain } = await openWithUrl()
  const storage = { kind: 'local', path: join(folder, 'files') } as const
  const target = { databaseUrl: url, encryptionKeys, storage }
  await openShopKeys(db, { ...target, sessionSecret: productionEnv.SESSION_SECRET })
  await storeFile({ db, storage: openLocalStorage(storage.path) })
  const backup = join(folder, 'backup')
  await backUp(target, { to: backup, now })
  await storeFile({ db, storage: openLocalStorage(storage.path) })
  await makeUser(db, {})
  await db.destroy()
  return { folder, backup, target, files: storage.path, openAgain }
}
type Shop = Awaited<ReturnType<typeof makeShop>>

const runRestore = (from: string, to: { databaseUrl: string; files: string }) =>
  runCommand('restore', {
    args: ['--from', from, '--force'],
    env: {
      DATABASE_URL: to.databaseUrl,
      STORAGE: `local:${to.files}`,
      ENCRYPTION_KEYS: productionEnv.ENCRYPTION_KEYS,
      SESSION_SECRET: productionEnv.SESSION_SECRET,
    },
  })

/** Backs the shop up as it is now, and restores that. */
async function restoreByCommand({ folder, target, files }: Shop) {
  const backup = join(folder, 'newer-backup')
  await backUp(target, { to: backup, now })
  return runRestore(backup, { databaseUrl: target.databaseUrl, files })
}

const sqlitePath = ({ target }: Shop): string => target.databaseUrl.slice('sqlite:'.length)

const failures = {
  sqlite: [
    {
      name: 'the database cannot be copied',
      fail: async (shop: Shop) => block(`${sqlitePath(shop)}.restoring-${time}`),
    },
    {
      name: 'the database cannot be moved aside',
      fail: async (shop: Shop) => block(`${sqlitePath(shop)}.before-${time}`),
    },
  ],
  postgres: [
    { name: 'the dump cannot be loaded', fail: ({ backup }: Shop) => truncateDump(backup) },
    {
      name: 'the files cannot be moved aside',
      fail: async ({ files }: Shop) => block(`${files}.before-${time}`),
    },
  ],
}

/** Failures after the files were copied, whenever the command runs. */
const commandFailures = {
  // No file can be created there.
  sqlite: async (_shop: Shop) => ({ databaseUrl: 'sqlite:/proc/shop.sqlite', reason: '/proc/shop.sqlite' }),
  postgres: async ({ backup, target }: Shop) => {
    await truncateDump(backup)
    return { databaseUrl: target.databaseUrl, reason: 'pg_restore failed: ' }
  },
}

eachEngine((engine, _openDb, openWithUrl) => {
  for (const { name, fail } of failures[engine]) {
    test(`a failed restore rolls back when ${name}`, async () => {
      const shop = await makeShop(openWithUrl)
      const before = shop.openAgain()
      const [tables, files] = [await tableHashes(before), (await listFiles(shop.files)).toSorted()]
      await before.destroy()
      await fail(shop)

      const options = { from: shop.backup, now, isForced: true }
      await expect(restore(shop.target, options)).rejects.toThrow(/EISDIR|EEXIST|ENOTEMPTY|pg_restore failed/)

      expect((await listFiles(shop.files)).toSorted()).toEqual(files)
      expect(namesFrom(`${shop.files}.restoring`)).toEqual([])
      expect(await tableHashes(shop.openAgain())).toEqual(tables)
    })
  }

  test('a failed restore prints one line: the reason, and that everything was rolled back', async () => {
    const shop = await makeShop(openWithUrl)
    const { databaseUrl, reason } = await commandFailures[engine](shop)
    const files = join(shop.folder, 'new-files')
    const failed = await runRestore(shop.backup, { databaseUrl, files })
    expect(failed).toMatchObject({ code: 1, out: '' })
    expect(failed.err).toMatch(/^.+\. Everything was rolled back\.\n$/)
    expect(failed.err).toContain(reason)
    expect(await listFiles(files)).toEqual([])
  })

  test('a restore that verifies is recorded, so that the failed drill of its backup is over', async () => {
    const shop = await makeShop(openWithUrl)
    const db = shop.openAgain()
    const at = new Date('2020-01-01')
    await recordRun(db, { kind: 'verify', name: 'restore', at, durationMs: 1, error: new Error('Damaged.') })
    await db.destroy()
    const restored = await restoreByCommand(shop)
    expect(restored).toMatchObject({ code: 0, err: '' })
    const { runs } = await getShopGauges(shop.openAgain(), { now, version: 'test' })
    expect(runs).toEqual([expect.objectContaining({ name: 'restore', isFailing: false })])
  })

  test('a restore whose checks cannot run is recorded as failing', async () => {
    const shop = await makeShop(openWithUrl)
    const db = shop.openAgain()
    await db.updateTable('shopKeys').set({ wrappedKey: 'no sealed value' }).execute()
    await db.destroy()
    const failed = await restoreByCommand(shop)
    expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(/^ENCRYPTION_KEYS: the database /) })
    const { runs } = await getShopGauges(shop.openAgain(), { now, version: 'test' })
    expect(runs).toEqual([expect.objectContaining({ name: 'restore', isFailing: true })])
  })

  test('a restore over a shop replaces it whole, and keeps what was there', async () => {
    const shop = await makeShop(openWithUrl)
    const files = (await listFiles(shop.files)).toSorted()
    const { replaced, manifest } = await restore(shop.target, { from: shop.backup, now, isForced: true })
    expect(replaced).toContain(`${shop.files}.before-${time}`)
    expect((await listFiles(`${shop.files}.before-${time}`)).toSorted()).toEqual(files)
    const restored = await listFiles(shop.files)
    expect(restored.map((path) => `files/${path}`)).toEqual(
      manifest.entries.map(({ path }) => path).filter((path) => path.startsWith('files/')),
    )
    expect(await shop.openAgain().selectFrom('users').select('id').execute()).toEqual([])
    expect(namesFrom(`${shop.files}.restoring`)).toEqual([])
  })
})

onEngine('sqlite', (_openDb, openWithUrl) => {
  test('a failed restore leaves no copy beside the database', async () => {
    const shop = await makeShop(openWithUrl)
    const path = sqlitePath(shop)
    block(`${shop.files}.before-${time}`)
    const options = { from: shop.backup, now, isForced: true }
    await expect(restore(shop.target, options)).rejects.toThrow('ENOTEMPTY')
    expect(namesFrom(path)).toEqual([basename(path)])
  })
})

onEngine('postgres', (_openDb, openWithUrl) => {
  test('an empty place is empty again when the restore fails', async () => {
    const shop = await makeShop(openWithUrl)
    await resetDatabase(shop.target.databaseUrl)
    const damaged = join(shop.folder, 'damaged')
    cpSync(shop.backup, damaged, { recursive: true })
    await truncateDump(damaged)
    const storage = { kind: 'local', path: join(shop.folder, 'new-files') } as const
    const elsewhere = restore({ ...shop.target, storage }, { from: damaged, now, isForced: false })
    await expect(elsewhere).rejects.toThrow('pg_restore failed')
    expect(await listFiles(storage.path)).toEqual([])

    // The dump is loaded, and then the files cannot be moved aside.
    block(`${shop.files}.before-${time}`)
    const forced = restore(shop.target, { from: shop.backup, now, isForced: true })
    await expect(forced).rejects.toThrow('ENOTEMPTY')
    expect(await hasTables(shop.openAgain())).toBe(false)
  })
})

test('steps are undone from the last to the first, and the error names what stays', async () => {
  const order: string[] = []
  const step = (name: string, undo: () => void) => ({
    undo: async () => undo(),
    otherwise: () => `${name} is now ${name}.before`,
  })
  const fails = (): void => {
    throw new Error('No.')
  }
  const failing = undoOnError(async (onDone) => {
    onDone(step('a', () => order.push('a')))
    onDone(step('b', fails))
    onDone(step('c', () => order.push('c')))
    throw new Error('The disk is full.')
  })
  await expect(failing).rejects.toThrow(
    'The disk is full. Some steps could not be undone: b is now b.before.',
  )
  expect(order).toEqual(['c', 'a'])
})
