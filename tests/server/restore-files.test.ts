import { resetDatabase } from '#db/engine/reset.ts'
import { newId } from '#domain/ids.ts'
import { backUp } from '#server/backup/back-up.ts'
import { compareRestored } from '#server/backup/compare-restored.ts'
import { readManifest, toFilePath } from '#server/backup/manifest.ts'
import { restore } from '#server/backup/restore.ts'
import { openStorage } from '#server/integrations/storage/open-storage.ts'
import { mockUploadThing, uploadThingToken } from '#tests/mocks/uploadthing.ts'
import { openBucketShop, type Bucket } from '#tests/support/bucket-shop.ts'
import { runCommand } from '#tests/support/commands.ts'
import { eachEngine, onEngine, type OpenWithUrl } from '#tests/support/engines.ts'
import { storeFile } from '#tests/support/stored-files.ts'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

const now = new Date('2026-11-20T12:00:00Z')

/** A shop in a bucket with its backup, and an empty database. */
async function openBackedUp(openWithUrl: OpenWithUrl) {
  const shop = await openBucketShop(openWithUrl)
  const from = join(shop.folder, 'backups', 'monday')
  await backUp(shop.live, { to: from, now })
  const place = await openWithUrl()
  await place.db.destroy()
  await resetDatabase(place.url)
  const inBackup = (key: string): string => readFileSync(join(from, toFilePath(key)), 'base64')
  const target = { ...shop.live, databaseUrl: place.url }
  return { ...shop, from, place, target, inBackup }
}

const puts = (bucket: Bucket): string[] =>
  bucket
    .takeSeen()
    .filter((sent) => sent.startsWith('PUT'))
    .toSorted()
const putsOf = (keys: string[]): string[] => keys.map((key) => `PUT ${key}`).toSorted()

/** The manifest of an earlier version, which left the files in the bucket. */
async function removeFiles(backup: string): Promise<void> {
  const { entries, deleted: _, ...manifest } = await readManifest(backup)
  const others = entries.filter(({ path }) => !path.startsWith('files/'))
  writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, entries: others }))
  rmSync(join(backup, 'files'), { recursive: true })
}

eachEngine((engine, _openDb, openWithUrl) => {
  test('a restore into an empty bucket uploads every file', async () => {
    const { keys, from, place, env, openBucket, inBackup } = await openBackedUp(openWithUrl)
    const empty = await openBucket()
    const restored = await runCommand('restore', {
      args: ['--from', from],
      env: { ...env, ...empty.env, DATABASE_URL: place.url },
    })
    expect(restored).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('files=3 missing=0 audit=0 stock=0 fills=0'),
    })
    for (const key of keys) expect(await empty.read(key)).toBe(inBackup(key))
  })

  test('a restore into a bucket uploads what it does not have, and changes nothing else', async () => {
    const { db, keys, from, target, openBucket, inBackup } = await openBackedUp(openWithUrl)
    const other = await openBucket()
    const [first = '', ...missing] = keys
    async function* original(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('already there')
    }
    await other.storage.put(first, original())
    const later = await storeFile({ db, storage: other.storage })
    other.takeSeen()
    await restore({ ...target, storage: other.address }, { from, now, isForced: false })
    const seen = other.takeSeen()
    expect(seen.filter((sent) => !sent.startsWith('GET')).toSorted()).toEqual(putsOf(missing))
    expect(await other.read(first)).toBe(Buffer.from('already there').toString('base64'))
    for (const key of missing) expect(await other.read(key)).toBe(inBackup(key))
    expect(await other.read(later)).not.toBeNull()
  })

  test('a failed restore deletes what it uploaded and nothing else, or says what stays', async () => {
    const { keys, from, target, openBucket } = await openBackedUp(openWithUrl)
    const bucket = await openBucket()
    const other = newId()
    await bucket.storage.put(other, openOne())
    const before = await bucket.list()
    const [, , refused = ''] = keys
    const storage = bucket.address
    const failed = async (refusedDelete: boolean): Promise<string> => {
      bucket.setOnRequest(({ method, key }) =>
        (method === 'PUT' && key === refused) || (refusedDelete && method === 'DELETE')
          ? { status: 403, code: 'AccessDenied' }
          : null,
      )
      const error: unknown = await restore({ ...target, storage }, { from, now, isForced: false }).catch(
        (error: unknown) => error,
      )
      return error instanceof Error ? error.message : ''
    }
    expect(await failed(false)).toBe('S3: upload failed, 403 AccessDenied. Everything was rolled back.')
    expect(await bucket.list()).toEqual(before)
    expect(await failed(true)).toMatch(
      /^S3: upload failed, 403 AccessDenied\. Some steps could not be undone: up to 3 files that this restore uploaded are still in the storage\.$/,
    )
    expect(await bucket.list()).toHaveLength(3)

    // The next one goes on with what is there. What fails after the uploads undoes its own only.
    bucket.setOnRequest(() => null)
    bucket.takeSeen()
    const unusable =
      engine === 'sqlite' ? 'sqlite:/proc/shop.sqlite' : target.databaseUrl.replace(/\/[^/]*$/, '/none')
    const elsewhere = { ...target, storage, databaseUrl: unusable }
    await expect(restore(elsewhere, { from, now, isForced: true })).rejects.toThrow(
      'Everything was rolled back.',
    )
    expect(puts(bucket)).toEqual(putsOf([refused]))
    expect(await bucket.list()).toHaveLength(3)
  })

  test('a backup of a bucket is restored into a folder, and of a folder into a bucket', async () => {
    const { keys, folder, from, place, target, openBucket, inBackup } = await openBackedUp(openWithUrl)
    const storage = { kind: 'local', path: join(folder, 'files') } as const
    mkdirSync(storage.path)
    writeFileSync(join(storage.path, 'other'), 'x')
    const options = { from, now, isForced: false }
    const restored = restore({ ...target, storage }, options)
    await expect(restored).rejects.toThrow(`${storage.path} is not empty. Stop the shop and add --force`)
    rmSync(join(storage.path, 'other'))
    const { manifest } = await restore({ ...target, storage }, options)
    const findings: string[] = []
    const compare = () =>
      compareRestored(
        { databaseUrl: place.url, filesPath: storage.path },
        { from, manifest, onFinding: (finding) => findings.push(finding) },
      )
    expect(await compare()).toBeGreaterThanOrEqual(4)
    expect(findings).toEqual([])
    const [damaged = ''] = keys
    const path = join(storage.path, toFilePath(damaged).slice('files/'.length))
    const bytes = readFileSync(path)
    appendFileSync(path, 'x')
    await compare()
    expect(findings).toEqual([`${toFilePath(damaged)} differs from the backup.`])
    writeFileSync(path, bytes)

    const again = join(folder, 'local')
    await backUp({ ...target, storage }, { to: again, now })
    const bucket = await openBucket()
    await resetDatabase(place.url)
    await restore({ ...target, storage: bucket.address }, { ...options, from: again })
    for (const key of keys) expect(await bucket.read(key)).toBe(inBackup(key))
  })

  test('a drill proves every file of a bucket’s backup, and finds what the bucket has lost', async () => {
    const { db, bucket, keys, folder, from, live, env, place } = await openBackedUp(openWithUrl)
    const drill = () =>
      runCommand('backup-drill', {
        args: ['--backups', join(folder, 'backups')],
        env: { ...env, ...(engine === 'postgres' && { DRILL_DATABASE_URL: place.url }) },
      })
    bucket.takeSeen()
    expect(await drill()).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/compared=\d+ files=3 findings=0\n$/),
    })
    expect(bucket.takeSeen().toSorted()).toEqual(keys.map((key) => `GET ${key}`).toSorted())

    const [linked = '', lost = ''] = keys
    // No earlier backup has it.
    rmSync(join(from, toFilePath(lost)))
    await bucket.storage.delete(lost)
    await backUp(live, { to: join(folder, 'backups', 'tuesday'), now: new Date(now.getTime() + 1000) })
    expect(await drill()).toMatchObject({
      code: 1,
      err: `The file ${lost} is not in the storage.\n`,
      out: expect.stringMatching(/files=3 findings=1\n$/),
    })

    // The first one is deleted from the shop, too, and is no finding any more. The links of later
    // backups keep what the bucket loses after its first backup.
    await db.deleteFrom('productPictures').where('storageKey', '=', lost).execute()
    await bucket.storage.delete(linked)
    await backUp(live, { to: join(folder, 'backups', 'friday'), now: new Date(now.getTime() + 2000) })
    expect(await drill()).toMatchObject({
      code: 1,
      err: `The storage has lost the file ${linked}. The backup has it as ${toFilePath(linked)}.\n`,
    })
  })

  test('a backup of an earlier version leaves the files in their bucket', async () => {
    const { bucket, folder, from, env, place } = await openBackedUp(openWithUrl)
    await removeFiles(from)
    bucket.takeSeen()
    const restored = await runCommand('restore', {
      args: ['--from', from],
      env: { ...env, DATABASE_URL: place.url },
    })
    expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('files=3 missing=0') })
    expect(puts(bucket)).toEqual([])
    await resetDatabase(place.url)
    const drilled = await runCommand('backup-drill', {
      args: ['--backups', join(folder, 'backups')],
      env: { ...env, ...(engine === 'postgres' && { DRILL_DATABASE_URL: place.url }) },
    })
    expect(drilled).toMatchObject({ code: 0, err: '', out: expect.stringContaining('files=3 findings=0') })
  })
})

onEngine('sqlite', (_openDb, openWithUrl) => {
  test('files at UploadThing are backed up and restored by the same calls', async () => {
    const { db, folder, live } = await openBucketShop(openWithUrl, { files: 0 })
    const { server, stored } = mockUploadThing()
    server.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => server.close())
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const shop = { ...live, storage: { kind: 'uploadthing', token: uploadThingToken } as const }
    const storage = await openStorage(shop.storage)
    const key = await storeFile({ db, storage })
    const from = join(folder, 'backup')
    const { manifest } = await backUp(shop, { to: from, now })
    expect(manifest).toMatchObject({ storage: 'uploadthing', entries: [{}, { path: toFilePath(key) }] })
    stored.clear()
    const target = { ...shop, databaseUrl: `sqlite:${join(folder, 'restored.sqlite')}` }
    await restore(target, { from, now, isForced: false })
    expect([...stored.keys()]).toEqual([key])
  })
})

async function* openOne(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a file of later')
}
