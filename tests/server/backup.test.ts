import { backUp } from '#server/backup/back-up.ts'
import { databaseName, type Manifest } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { verifyRestored } from '#server/backup/verify-restored.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { openShopKeys } from '#server/crypto/shop-keys.ts'
import { receivePicture } from '#server/files/receive-picture.ts'
import { openLocalStorage } from '#server/integrations/storage/local.ts'
import { newId } from '#domain/ids.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { startCommand } from '#tests/support/commands.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { storeFile } from '#tests/support/stored-files.ts'
import { samplePng } from '#tests/support/sample-files.ts'
import { rowTexts, tableHashes } from '#tests/support/table-hashes.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { digestPostgres } from '#db/engine/dump-postgres.ts'
import { resetDatabase } from '#db/engine/reset.ts'
import { sql } from 'kysely'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

const now = new Date('2026-11-20T12:00:00Z')
const key = randomBytes(32).toString('base64')
const { ENCRYPTION_KEYS: testKey, SESSION_SECRET: sessionSecret } = productionEnv
const encryptionKeys = parseKeyRing(`drill:${key},${testKey}`)
const findings: string[] = []
const onFinding = (finding: string): void => void findings.push(finding)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

const contents = (folder: string) =>
  filesBelow(folder)
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'base64')])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))

const localStorage = (path: string) => ({ kind: 'local', path }) as const

async function* onePicture(): AsyncGenerator<Uint8Array> {
  yield samplePng()
}

eachEngine((engine, _openDb, openWithUrl) => {
  test('a backup taken under load restores byte for byte', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-backup-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const source = await openWithUrl('demo')
    const destination = await openWithUrl()
    const { db } = source

    // A shop with a picture, a sealed row and an audit chain.
    const live = { databaseUrl: source.url, encryptionKeys, storage: localStorage(join(folder, 'live')) }
    const storage = openLocalStorage(live.storage.path)
    const keys = await openShopKeys(db, { databaseUrl: source.url, encryptionKeys, sessionSecret })
    const adminId = await makeUser(db, { isAdmin: true })
    const ctx = testContext(db, { user: signedIn(adminId, { isAdmin: true }), storage, keys })
    await receivePicture(ctx, onePicture())
    await recordAudit(ctx, { action: 'profile.read', subjectId: adminId })
    await chainAudit({ db, log: ctx.log, keys }, new AbortController().signal)
    writeFileSync(join(folder, 'live', 'unfinished.tmp'), 'half')

    // Another process writes all the while.
    const load = startCommand('keep-writing', { env: { DATABASE_URL: source.url } })
    let acknowledged = ''
    load.child.stdout.on('data', (text) => (acknowledged += String(text)))
    await expect.poll(() => acknowledged.split('\n').length, { timeout: 60_000 }).toBeGreaterThan(20)
    const before = acknowledged.split('\n').slice(0, -1)
    const to = join(folder, 'backups', 'monday')
    const { manifest, lost } = await backUp(live, { to, now })
    expect(lost).toEqual([])
    const during = acknowledged.split('\n').length
    load.child.kill('SIGKILL')
    await load.ended
    expect(during).toBeGreaterThan(before.length)

    expect(manifest).toMatchObject({
      engine,
      keyIds: ['drill', 'test'],
      storage: 'local',
      createdAt: now.toISOString(),
    })
    expect(readdirSync(join(folder, 'backups'))).toEqual(['monday'])
    for (const { parentPath, name } of filesBelow(to)) {
      expect(statSync(join(parentPath, name)).mode & 0o777, name).toBe(0o600)
      expect(statSync(parentPath).mode & 0o777, parentPath).toBe(0o700)
      const bytes = readFileSync(join(parentPath, name))
      for (const secret of [key, Buffer.from(key, 'base64'), sessionSecret]) {
        expect(bytes.includes(secret), name).toBe(false)
      }
    }

    const restored = {
      databaseUrl: destination.url,
      encryptionKeys,
      storage: localStorage(join(folder, 'restored')),
    }
    const options = { from: to, now, isForced: false }
    await expect(restore(restored, options)).rejects.toThrow('is not empty. Stop the shop and add --force')
    await resetDatabase(destination.url)
    await restore(restored, options)

    const copy = destination.openAgain()
    const [ours, theirs] = [await tableHashes(db), await tableHashes(copy)]
    expect({ ...theirs, carts: '' }).toEqual({ ...ours, carts: '' })
    expect(Object.keys(theirs).length).toBeGreaterThan(80)
    const written = new Set(await rowTexts(db, 'carts'))
    const carts = await rowTexts(copy, 'carts')
    expect(carts.filter((row) => !written.has(row))).toEqual([])
    const ids = new Set(carts.map((row) => String(JSON.parse(row).id)))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    rmSync(join(folder, 'live', 'unfinished.tmp'))
    expect(contents(join(folder, 'restored'))).toEqual(contents(join(folder, 'live')))
    const summary = await verifyRestored(
      { db: copy, keys, storage: openLocalStorage(restored.storage.path) },
      { auditHead: manifest.auditHead, onFinding },
    )
    expect({ ...summary, findings }).toEqual({
      files: 1,
      missing: 0,
      audit: 0,
      stock: 0,
      fills: 0,
      findings: [],
    })

    // What is missing is a finding, unless the shop has deleted it since.
    const without = async (wasDeleted: boolean) =>
      (
        await verifyRestored(
          { db: copy, keys, storage: memoryStorage() },
          { auditHead: manifest.auditHead, onFinding: () => {}, wasDeleted: async () => wasDeleted },
        )
      ).missing
    expect([await without(false), await without(true)]).toEqual([1, 0])

    // A restore over it moves the files, and a SQLite file or Postgres' schema, aside.
    await copy.destroy()
    const { replaced } = await restore(restored, { ...options, isForced: true })
    expect(replaced.length).toBe(2)
    for (const path of replaced) onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    const again = destination.openAgain()
    expect(await tableHashes(again)).toEqual(theirs)

    if (engine === 'postgres') {
      const aside = 'before_20261120t120000000z'
      expect(replaced).toContain(`the schema ${aside} of the database`)
      const { rows } = await sql.raw(`select id from ${aside}.users`).execute(again)
      expect(rows).toContainEqual({ id: adminId })
      const backedUp = [...(await digestPostgres(destination.url)).keys()]
      expect(backedUp.length).toBeGreaterThan(80)
      expect(backedUp.filter((name) => name.startsWith('before_'))).toEqual([])

      // A dump that cannot be loaded leaves the database as it was.
      const damaged = join(folder, 'damaged')
      cpSync(to, damaged, { recursive: true })
      const dump = join(damaged, databaseName.postgres)
      truncateSync(dump, statSync(dump).size - 2000)
      const { entries, ...rest } = JSON.parse(
        readFileSync(join(damaged, 'manifest.json'), 'utf8'),
      ) as Manifest
      const bytes = readFileSync(dump)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const changed = entries.map((entry) =>
        entry.path === databaseName.postgres ? { ...entry, size: bytes.length, sha256 } : entry,
      )
      writeFileSync(join(damaged, 'manifest.json'), JSON.stringify({ ...rest, entries: changed }))
      await again.destroy()
      const later = new Date(now.getTime() + 1000)
      await expect(restore(restored, { from: damaged, now: later, isForced: true })).rejects.toThrow(
        'pg_restore failed',
      )
      expect(await tableHashes(destination.openAgain())).toEqual(theirs)
    }

    await expect(backUp(live, { to, now })).rejects.toThrow('is not empty. Name a new folder.')
  })

  test('a damaged, partial or foreign backup changes nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-backup-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const source = await openWithUrl()
    const live = { databaseUrl: source.url, encryptionKeys, storage: localStorage(join(folder, 'live')) }
    await openShopKeys(source.db, { databaseUrl: source.url, encryptionKeys, sessionSecret })
    await storeFile({ db: source.db, storage: openLocalStorage(live.storage.path) })
    const good = join(folder, 'good')
    await backUp(live, { to: good, now })

    const places = {
      sqlite: `sqlite:${join(folder, 'new', 'shop.sqlite')}`,
      // Nothing listens there: what is refused never reaches the database.
      postgres: 'postgres://127.0.0.1:1/x',
    }
    const target = {
      databaseUrl: places[engine],
      encryptionKeys,
      storage: localStorage(join(folder, 'new', 'files')),
    }
    const refused = async (message: string | RegExp, change: (backup: string) => void, env = target) => {
      const from = join(folder, newId())
      cpSync(good, from, { recursive: true })
      change(from)
      await expect(restore(env, { from, now, isForced: true })).rejects.toThrow(message)
      expect(existsSync(join(folder, 'new'))).toBe(false)
    }
    const edit = (backup: string, from: RegExp, to: string): void => {
      const path = join(backup, 'manifest.json')
      writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
    }
    const aFile = (backup: string): string => {
      const [entry] = filesBelow(join(backup, 'files'))
      return entry ? join(entry.parentPath, entry.name) : ''
    }
    await refused('not a complete backup', (backup) => rmSync(join(backup, 'manifest.json')))
    await refused('manifest.json can’t be read: EISDIR', (backup) => {
      rmSync(join(backup, 'manifest.json'))
      mkdirSync(join(backup, 'manifest.json'))
    })
    await refused('can’t be read', (backup) => edit(backup, /"files\//, '"../'))
    await refused(/files\/.* is missing/, (backup) => rmSync(aFile(backup)))
    await refused(/files\/.* is not what was backed up/, (backup) => appendFileSync(aFile(backup), 'x'))
    await refused(`${databaseName[engine]} is not what`, (backup) => {
      const path = join(backup, databaseName[engine])
      const bytes = readFileSync(path)
      bytes[5000] = (bytes[5000] ?? 0) ^ 1
      writeFileSync(path, bytes)
    })
    await refused('does not name: added', (backup) => writeFileSync(join(backup, 'added'), 'x'))
    await refused('by a newer version', (backup) => edit(backup, /"0001-[^"]*"/, '"9999-later"'))
    const nothing = (): void => {}
    const otherEngine = engine === 'sqlite' ? 'postgres' : 'sqlite'
    await refused(`DATABASE_URL is a ${otherEngine} database`, nothing, {
      ...target,
      databaseUrl: places[otherEngine],
    })
    const other = parseKeyRing(`other:${key}`)
    await refused('needs the keys drill, and drill is missing', nothing, { ...target, encryptionKeys: other })

    if (engine === 'postgres') {
      const pooled = `${places.postgres}?pooler=transaction`
      await refused('points to a pooler', nothing, { ...target, databaseUrl: pooled })
      vi.stubEnv('PATH', '/nowhere')
      await refused('pg_restore could not be started', nothing)
      vi.unstubAllEnvs()
    }

    // A backup that fails leaves nothing that could be taken for one.
    const [brokenUrl, message] =
      engine === 'sqlite'
        ? [`sqlite:${join(folder, 'missing.sqlite')}`, 'unable to open database file']
        : [`${source.url}?pooler=transaction`, 'DATABASE_URL points to a pooler.']
    const broken = { ...live, databaseUrl: brokenUrl }
    await expect(backUp(broken, { to: join(folder, 'failed'), now })).rejects.toThrow(message)
    expect(readdirSync(folder).filter((name) => name.startsWith('failed'))).toEqual([])
  })
})
