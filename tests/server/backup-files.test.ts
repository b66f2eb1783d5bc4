import { newId } from '#domain/ids.ts'
import { backUpFiles } from '#server/backup/back-up-files.ts'
import { backUp } from '#server/backup/back-up.ts'
import { readManifest, toFilePath, type Manifest } from '#server/backup/manifest.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { parseKeyRing } from '#server/crypto/key-ring.ts'
import { seal } from '#server/crypto/sealing.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { openBucketShop } from '#tests/support/bucket-shop.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { runCommand } from '#tests/support/commands.ts'
import { addItem } from '#tests/support/dispensing.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { addPrescription } from '#tests/support/prescriptions.ts'
import { storeFile } from '#tests/support/stored-files.ts'
import { makeTestFolder } from '#tests/support/test-folder.ts'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'

const key = randomBytes(32).toString('base64')
const at = (day: number): Date => new Date(`2026-11-${day}T02:00:00Z`)
const inode = (backup: string, key: string): number => statSync(join(backup, toFilePath(key))).ino

eachEngine((_engine, _openDb, openWithUrl) => {
  test('the next backup of a bucket downloads new files only and links to the others', async () => {
    const { db, folder, bucket, keys, live } = await openBucketShop(openWithUrl)
    const [monday, tuesday, friday] = ['monday', 'tuesday', 'friday'].map((day) =>
      join(folder, 'backups', day),
    ) as [string, string, string]
    const { manifest } = await backUp(live, { to: monday, now: at(20) })
    expect(manifest.storage).toBe('s3')
    expect(bucket.takeSeen().toSorted()).toEqual(keys.map((key) => `GET ${key}`).toSorted())
    for (const key of keys) {
      const path = join(monday, toFilePath(key))
      expect(readFileSync(path, 'base64')).toBe(await bucket.read(key))
      expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700])
    }

    const [removed = '', ...others] = keys
    await db.deleteFrom('productPictures').where('storageKey', '=', removed).execute()
    const added = await storeFile({ db, storage: bucket.storage })
    bucket.takeSeen()
    const second = await backUp(live, { to: tuesday, now: at(21) })
    expect(bucket.takeSeen()).toEqual([`GET ${added}`])
    const ofMonday = new Map(manifest.entries.map((entry) => [entry.path, entry]))
    for (const key of others) {
      expect(inode(tuesday, key)).toBe(inode(monday, key))
      expect(second.manifest.entries).toContainEqual(ofMonday.get(toFilePath(key)))
    }
    expect(second.manifest.entries.map(({ path }) => path).slice(1)).toEqual(
      [...others, added].map(toFilePath).toSorted(),
    )
    expect(existsSync(join(tuesday, toFilePath(removed)))).toBe(false)

    // An old backup can be deleted. What the newest has lost is downloaded again.
    rmSync(monday, { recursive: true })
    rmSync(join(tuesday, toFilePath(added)))
    await backUp(live, { to: friday, now: at(24) })
    expect(bucket.takeSeen()).toEqual([`GET ${added}`])
    expect(readdirSync(join(folder, 'backups')).toSorted()).toEqual(['friday', 'tuesday'])
  })

  test('a file that is deleted during the backup is skipped, and a lost one is reported', async () => {
    const { db, folder, bucket, keys, live } = await openBucketShop(openWithUrl)
    const [deleted = '', lost = '', present = ''] = keys
    await bucket.storage.delete(lost)
    bucket.setOnRequest(async ({ method, key }) => {
      if (method !== 'GET' || key !== deleted) return null
      await db.deleteFrom('productPictures').where('storageKey', '=', key).execute()
      return { status: 404, code: 'NoSuchKey' }
    })
    const backup = await backUp(live, { to: join(folder, 'backup'), now: at(20) })
    expect(backup.lost).toEqual([lost])
    expect(backup.manifest.deleted).toEqual([deleted])
    expect(backup.manifest.entries.slice(1).map(({ path }) => path)).toEqual([toFilePath(present)])
  })

  test('a bucket that refuses a download fails the backup, which leaves nothing and is recorded', async () => {
    const { db, folder, bucket, keys, env } = await openBucketShop(openWithUrl)
    const backup = (name: string) =>
      runCommand('backup', { args: ['--to', join(folder, 'backups', name)], env })
    const lastRun = () => db.selectFrom('runs').selectAll().where('kind', '=', 'backup').executeTakeFirst()
    const passed = await backup('monday')
    expect(passed).toMatchObject({ code: 0, err: '', out: expect.stringContaining('files=3 missing=0 ') })
    expect(await lastRun()).toMatchObject({ name: 'backup', succeededAt: expect.any(Date), failedAt: null })

    const added = await storeFile({ db, storage: bucket.storage })
    bucket.setOnRequest(() => ({ status: 403, code: 'AccessDenied' }))
    const failed = await backup('tuesday')
    expect(failed).toMatchObject({ code: 1, out: '', err: 'S3: download failed, 403 AccessDenied\n' })
    expect(await lastRun()).toMatchObject({ succeededAt: expect.any(Date), failure: 'UNAVAILABLE' })
    expect(readdirSync(join(folder, 'backups'))).toEqual(['monday'])

    bucket.setOnRequest(() => null)
    await bucket.storage.delete(added)
    const incomplete = await backup('friday')
    expect(incomplete).toMatchObject({ code: 0, err: `The file ${added} is not in the storage.\n` })
    expect(incomplete.out).toContain(`files=${keys.length} missing=1 `)
  })

  test('a backup with keys that do not open the database fails, though every file is linked', async () => {
    const { db, folder, env } = await openBucketShop(openWithUrl)
    const backup = (name: string, ENCRYPTION_KEYS: string) =>
      runCommand('backup', {
        args: ['--to', join(folder, 'backups', name)],
        env: { ...env, ENCRYPTION_KEYS },
      })
    expect(await backup('monday', env.ENCRYPTION_KEYS)).toMatchObject({ code: 0, err: '' })
    const [id = ''] = env.ENCRYPTION_KEYS.split(':')
    const other = randomBytes(32).toString('base64')
    expect(await backup('tuesday', `other:${other}`)).toMatchObject({
      code: 1,
      out: '',
      err: `ENCRYPTION_KEYS: the database names the key "${id}", and there is no such key.\n`,
    })
    expect(await backup('wednesday', `${id}:${other}`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^ENCRYPTION_KEYS: the key "\w+" does not open this database\. .*\n$/),
    })
    expect(readdirSync(join(folder, 'backups'))).toEqual(['monday'])
    const runs = db.selectFrom('runs').select('failedAt').where('kind', '=', 'backup')
    expect(await runs.execute()).toEqual([{ failedAt: expect.any(Date) }])
  })

  test('a backup during a rotation fails without the older key, which still seals users’ keys', async () => {
    const { db, folder, env } = await openBucketShop(openWithUrl)
    const backup = (name: string, ENCRYPTION_KEYS: string) =>
      runCommand('backup', {
        args: ['--to', join(folder, 'backups', name)],
        env: { ...env, ENCRYPTION_KEYS },
      })
    const [id = ''] = env.ENCRYPTION_KEYS.split(':')
    const ring = parseKeyRing(`older:${key}`)
    for (let users = 0; users < 10; users++) {
      const userId = await makeUser(db)
      const wrappedKey = seal(ring, bindings.userKey(userId), key)
      await db.updateTable('userKeys').set({ wrappedKey }).where('userId', '=', userId).execute()
    }
    expect(await backup('monday', env.ENCRYPTION_KEYS)).toMatchObject({
      code: 1,
      out: '',
      err: `ENCRYPTION_KEYS: the backup needs the keys older, ${id}, and older is missing.\n`,
    })
    expect(await backup('tuesday', `${env.ENCRYPTION_KEYS},older:${key}`)).toMatchObject({ code: 0, err: '' })
    expect(readdirSync(join(folder, 'backups'))).toEqual(['tuesday'])
  })

  test('a backup with damaged rows is complete, names them, and its run counts as failing', async () => {
    const { db, folder, bucket, env } = await openBucketShop(openWithUrl)
    const users = [await makeUser(db), await makeUser(db), await makeUser(db)].toSorted()
    const [first = '', second = '', whole] = users
    const damage = (userId: string, wrappedKey: string) =>
      db.updateTable('userKeys').set({ wrappedKey }).where('userId', '=', userId).execute()
    const productId = await addProduct(db, { category: 'Rx' })
    const variantId = await addVariant(db, { productId, stockQuantity: 0 })
    const { id: prescriptionId } = await addPrescription(db, first)
    await addItem(db, { userId: first, prescriptionId, variantId })
    const { storageKey } = await db.selectFrom('files').select('storageKey').executeTakeFirstOrThrow()
    await bucket.storage.put(storageKey, Readable.from([Buffer.from('the bytes')]))
    await damage(first, 'v1.made-up.AAAA.BBBB.CCCC')
    await damage(second, 'no sealed value')
    const to = join(folder, 'backups', 'monday')
    const { code, out, err } = await runCommand('backup', { args: ['--to', to], env })
    expect(err).toBe(
      `A row is damaged: user_keys ${first} needs the key "made-up", which is not in ENCRYPTION_KEYS.\n` +
        `A row is damaged: user_keys ${second} needs a key that is not in ENCRYPTION_KEYS.\n`,
    )
    expect(err).not.toContain(whole)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining(' missing=0 damaged=2 ') })
    const [id = ''] = env.ENCRYPTION_KEYS.split(':')
    expect((await readManifest(to)).keyIds).toEqual([id])
    const run = db.selectFrom('runs').selectAll().where('kind', '=', 'backup')
    const { succeededAt, failedAt, failure } = await run.executeTakeFirstOrThrow()
    expect(failure).toBe('DAMAGED_ROWS')
    // A moment later, so that BackupFailed is on and BackupOld is not.
    expect(Number(failedAt) - Number(succeededAt)).toBe(1)

    // The backup restores: no key has the made-up id. The check names the customer with items.
    const { url, openAgain: openRestored } = await openWithUrl()
    const target = { ...env, DATABASE_URL: url, STORAGE: `local:${join(folder, 'restored')}` }
    const restored = await runCommand('restore', { args: ['--from', to, '--force'], env: target })
    expect(restored).toMatchObject({
      code: 1,
      out: expect.stringMatching(/ missing=0 audit=0 stock=0 fills=1\n$/),
      err: `The key of customer ${first} could not be opened.\n`,
    })
    const check = openRestored().selectFrom('runs').select('failure').where('name', '=', 'restore')
    expect(await check.execute()).toEqual([{ failure: 'FINDINGS' }])
  })

  test('a backup of a database that the shop has never started with says so', async () => {
    const { db, folder, env } = await openBucketShop(openWithUrl)
    await db.deleteFrom('shopKeys').execute()
    expect(
      await runCommand('backup', { args: ['--to', join(folder, 'backups', 'monday')], env }),
    ).toMatchObject({
      code: 1,
      out: '',
      err: 'The shop has never started with this database, so it has no keys yet. Start it first.\n',
    })
  })
})

/** A backup with one file in a folder, and a storage that has the same file. */
async function backUpOne(folder: string) {
  const storage = memoryStorage()
  const key = newId()
  storage.files.set(key, Buffer.from('the bytes'))
  const { entries } = await backUpFiles([key], { storage, to: folder, previous: null })
  const manifest: Manifest = {
    format: 1,
    createdAt: at(20).toISOString(),
    engine: 'sqlite',
    migrations: [],
    auditHead: null,
    keyIds: [],
    storage: 's3',
    deleted: [],
    entries,
  }
  return { storage, key, entries, previous: { from: folder, manifest } }
}

test('on another file system, a file of the previous backup is copied, unless it is damaged', async () => {
  const [first, second] = [makeTestFolder('backup'), mkdtempSync(join(tmpdir(), 'meridian-backup-'))]
  onTestFinished(() => {
    for (const folder of [first, second]) rmSync(folder, { recursive: true })
  })
  const probe = join(first, 'probe')
  writeFileSync(probe, '')
  expect(() => linkSync(probe, join(second, 'probe'))).toThrow('EXDEV')

  const { storage, key, entries, previous } = await backUpOne(first)
  storage.files.clear()
  const copied = join(second, 'copied')
  expect(await backUpFiles([key], { storage, to: copied, previous })).toEqual({ entries, missing: [] })
  expect(readFileSync(join(copied, toFilePath(key)), 'utf8')).toBe('the bytes')

  storage.files.set(key, Buffer.from('the bytes'))
  writeFileSync(join(first, toFilePath(key)), 'THE BYTES')
  const fetched = join(second, 'fetched')
  expect(await backUpFiles([key], { storage, to: fetched, previous })).toEqual({ entries, missing: [] })
  expect(readFileSync(join(fetched, toFilePath(key)), 'utf8')).toBe('the bytes')
})

test('a file that is shorter than its manifest says is not linked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const first = join(folder, 'first')
  mkdirSync(first)
  const { storage, key, entries, previous } = await backUpOne(first)
  truncateSync(join(first, toFilePath(key)), 3)
  const to = join(folder, 'second')
  expect(await backUpFiles([key], { storage, to, previous })).toEqual({ entries, missing: [] })
  expect(inode(to, key)).not.toBe(inode(first, key))
  expect(readFileSync(join(to, toFilePath(key)), 'utf8')).toBe('the bytes')
})
