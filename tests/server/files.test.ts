import type { Db } from '#db/engine/client.ts'
import { maxFileBytes, maxFilesPerUser } from '#domain/files/files.ts'
import { newId } from '#domain/ids.ts'
import type { Context } from '#server/context.ts'
import { bindings } from '#server/crypto/bindings.ts'
import { sealStream } from '#server/crypto/seal-stream.ts'
import { unseal } from '#server/crypto/sealing.ts'
import { openUserKey } from '#server/crypto/user-key.ts'
import { openFile, openOriginalFile } from '#server/files/open-file.ts'
import { receiveAtUploadUrl, receiveFormUpload } from '#server/files/receive-upload.ts'
import { discardFile, discardUserFiles, registerFile } from '#server/files/register-file.ts'
import { sweepFiles, sweepLeftovers } from '#server/files/sweep-files.ts'
import { issueTicket } from '#server/files/upload-ticket.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { inChunks, jpegSegment, sampleJpeg, samplePdf, samplePng } from '#tests/support/sample-files.ts'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const secondsLater = (seconds: number): Date => new Date(testDay.getTime() + seconds * 1000)

async function* body(bytes: Uint8Array, failure?: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes, 16_384)
  if (failure) throw failure
}

/** A customer with a storage of its own, whose content can be inspected. */
async function signedInCustomer(db: Db, overrides: Partial<Context> = {}) {
  const storage = memoryStorage()
  const userId = await makeUser(db)
  const ctx = testContext(db, { user: signedIn(userId), storage, ...overrides })
  const at = (seconds: number): Context => ({ ...ctx, now: secondsLater(seconds) })
  return { userId, ctx, at, storage }
}

const upload = (ctx: Context, bytes: Uint8Array): Promise<string> => receiveFormUpload(ctx, body(bytes))

const storedRows = (db: Db) => db.selectFrom('files').select(['id', 'contentType', 'byteSize']).execute()

const byText = (a = '', b = ''): number => (a < b ? -1 : 1)
const code = (code: string) => expect.objectContaining({ code })

eachEngine((_engine, openDb) => {
  test('a file is stored sealed, registered once and read unchanged', async () => {
    const db = await openDb()
    const { ctx, userId, storage } = await signedInCustomer(db)
    const samples = [samplePdf('Amoxicillin', 200_000), samplePng(), sampleJpeg()]
    for (const bytes of samples) {
      const reference = await upload(ctx, bytes)
      await expect(openFile(ctx, reference.split('/')[2] ?? '', userId)).rejects.toThrow(code('NOT_FOUND'))
      const { fileId } = await registerFile(ctx, reference, 'fileUrl')
      await expect(registerFile(ctx, reference, 'fileUrl')).rejects.toThrow(code('CONFLICT'))
      const file = await openFile(ctx, fileId, userId)
      expect(file.byteSize).toBe(bytes.length)
      expect((await buffer(file.stream)).equals(bytes)).toBe(true)
    }
    expect((await storedRows(db)).map(({ contentType }) => contentType).toSorted(byText)).toEqual([
      'application/pdf',
      'image/jpeg',
      'image/png',
    ])
    for (const bytes of storage.files.values()) expect(bytes.includes('Amoxicillin')).toBe(false)
  })

  test('a file opens only with its user’s key, until that key is destroyed', async () => {
    const db = await openDb()
    const { ctx, userId, storage } = await signedInCustomer(db)
    const other = await signedInCustomer(db, { storage })
    const { fileId } = await registerFile(ctx, await upload(ctx, samplePdf()), 'fileUrl')
    await expect(openFile(ctx, fileId, other.userId)).rejects.toThrow(code('NOT_FOUND'))
    const [bytes] = storage.files.values()
    storage.files.set(fileId, Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.alloc(1)]))
    await expect(openFile(ctx, fileId, userId)).rejects.toThrow(`${fileId} is damaged`)
    await db.deleteFrom('userKeys').where('userId', '=', userId).execute()
    await expect(openFile(ctx, fileId, userId)).rejects.toThrow(code('NOT_FOUND'))
  })

  test('only references issued to this user can be registered', async () => {
    const db = await openDb()
    const { ctx, storage } = await signedInCustomer(db)
    const other = await signedInCustomer(db, { storage })
    const foreign = await upload(other.ctx, samplePdf())
    for (const reference of [
      foreign,
      `${foreign}/../x`,
      ` ${foreign}`,
      foreign.toUpperCase(),
      `https://shop.example${foreign}`,
      'file:///etc/passwd',
      'http://169.254.169.254/latest/meta-data',
      '/objects/019a7c1e-0000-7000-8000-0000000000f1',
      '/objects/',
      '',
    ]) {
      await expect(registerFile(ctx, reference, 'idDocumentURL'), reference).rejects.toThrow(
        expect.objectContaining({
          code: 'INVALID',
          fields: { idDocumentURL: expect.stringContaining('idDocumentURL') },
        }),
      )
    }
    await registerFile(other.ctx, foreign, 'fileUrl')
    await expect(registerFile(ctx, foreign, 'fileUrl')).rejects.toThrow(code('INVALID'))
  })

  test('an upload URL works once, for one session, for ten minutes', async () => {
    const db = await openDb()
    const { ctx, at, userId } = await signedInCustomer(db)
    const put = async (ctx: Context, ticket: Awaited<ReturnType<typeof issueTicket>>) =>
      receiveAtUploadUrl(ctx, ticket, { body: body(samplePdf()), declaredBytes: null })
    const ticket = await issueTicket(ctx)
    const other = await signedInCustomer(db)
    const anotherSession = {
      ...ctx,
      user: signedIn(userId, { sessionId: '019a7c1e-0000-7000-8000-0000000000bb' }),
    }
    await expect(put({ ...ctx, user: null }, ticket)).rejects.toThrow(code('UNAUTHENTICATED'))
    await expect(put(other.ctx, ticket)).rejects.toThrow(code('NOT_FOUND'))
    await expect(put(anotherSession, ticket)).rejects.toThrow(code('NOT_FOUND'))
    await expect(put(ctx, { ...ticket, expires: ticket.expires + 1 })).rejects.toThrow(code('NOT_FOUND'))
    await expect(put(ctx, { ...ticket, signature: '' })).rejects.toThrow(code('NOT_FOUND'))
    await expect(put(at(600), ticket)).rejects.toThrow(code('FORBIDDEN'))
    const results = await Promise.allSettled([
      put(at(599), ticket),
      put(at(599), ticket),
      put(at(599), ticket),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(put(ctx, ticket)).rejects.toThrow(code('GONE'))
    expect(await storedRows(db)).toHaveLength(1)
    const refused = await issueTicket(ctx)
    await expect(
      receiveAtUploadUrl(ctx, refused, { body: body(Buffer.from('no file')), declaredBytes: null }),
    ).rejects.toThrow(code('UNSUPPORTED_TYPE'))
    await expect(put(ctx, refused)).rejects.toThrow(code('GONE'))
  })

  test('a rejected or interrupted upload leaves neither a row nor bytes', async () => {
    const db = await openDb()
    const { ctx, storage } = await signedInCustomer(db)
    const tooLarge = samplePdf('x', maxFileBytes + 1)
    const broken = new Error('aborted')
    for (const [sent, expected] of [
      [body(tooLarge), 'TOO_LARGE'],
      [body(Buffer.from('MZ\x90\0.................')), 'UNSUPPORTED_TYPE'],
      [body(Buffer.alloc(0)), 'UNSUPPORTED_TYPE'],
      [body(samplePdf().subarray(0, -9)), 'UNSUPPORTED_TYPE'],
      [body(samplePdf('x', 300_000).subarray(0, 100_000), broken), 'BAD_REQUEST'],
    ] as const) {
      await expect(receiveFormUpload(ctx, sent), expected).rejects.toThrow(code(expected))
    }
    const declared = { body: body(samplePdf()), declaredBytes: maxFileBytes + 1 }
    await expect(receiveAtUploadUrl(ctx, await issueTicket(ctx), declared)).rejects.toThrow(code('TOO_LARGE'))
    const full = {
      ...ctx,
      storage: {
        ...storage,
        put: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
      },
    }
    await expect(upload(full, samplePdf())).rejects.toThrow('full')
    expect(await storedRows(db)).toEqual([])
    expect(storage.files.size).toBe(0)
  })

  test('exactly 10 MB are accepted, and reading stops at the first byte over', async () => {
    const db = await openDb()
    const { ctx } = await signedInCustomer(db)
    const largest = samplePdf('x', maxFileBytes)
    expect(largest).toHaveLength(10_485_760)
    await upload(ctx, largest)
    expect(await storedRows(db)).toMatchObject([{ byteSize: 10_485_760 }])
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield* inChunks(samplePdf('x', 1_000_000).subarray(0, -100), 16_384)
      for (;;) {
        sent += 16_384
        yield Buffer.alloc(16_384, 32)
      }
    }
    await expect(receiveFormUpload(ctx, endless())).rejects.toThrow(code('TOO_LARGE'))
    expect(sent).toBeLessThan(maxFileBytes)
  })

  test('uploads are limited by account', async () => {
    const db = await openDb()
    const { ctx } = await signedInCustomer(db, {
      rateLimits: limitedTo('upload', { limit: 2, windowSeconds: 60 }),
    })
    await issueTicket(ctx)
    await issueTicket(ctx)
    await expect(issueTicket(ctx)).rejects.toThrow(code('TOO_MANY'))
  })

  test('metadata is gone from what is stored, and the size is that of the rest', async () => {
    const db = await openDb()
    const { ctx, userId, storage } = await signedInCustomer(db)
    const photo = sampleJpeg(jpegSegment(0xe1, Buffer.from('Exif\0\0GPS 40.7128 N')))
    const { fileId } = await registerFile(ctx, await upload(ctx, photo), 'fileUrl')
    const { stream, byteSize } = await openFile(ctx, fileId, userId)
    expect(await buffer(stream)).toEqual(sampleJpeg())
    expect(byteSize).toBe(sampleJpeg().length)
    // As an upload of an earlier version: its metadata is in the storage, but not shown.
    const { wrappedKey } = await db.selectFrom('files').select('wrappedKey').executeTakeFirstOrThrow()
    const userKey = (await openUserKey(ctx, userId)) ?? expect.unreachable()
    const key = Buffer.from(unseal(userKey, bindings.fileKey(fileId), wrappedKey), 'base64url')
    await storage.put(fileId, sealStream(key, fileId, body(photo)))
    await db.updateTable('files').set({ inspectedAt: null, byteSize: photo.length }).execute()
    const earlier = await openFile(ctx, fileId, userId)
    expect(await buffer(earlier.stream)).toEqual(sampleJpeg())
    expect(earlier.byteSize).toBe(sampleJpeg().length)
    const original = await openOriginalFile(ctx, fileId, userId)
    expect(await buffer(original.stream)).toEqual(photo)
  })

  test('an account has a limit of files, also for concurrent uploads, and deleting makes room', async () => {
    const db = await openDb()
    const { ctx, userId, storage } = await signedInCustomer(db)
    const file = { userId, wrappedKey: '', contentType: 'image/png' as const, registeredAt: testDay }
    const rows = Array.from({ length: maxFilesPerUser - 1 }, (_, i) => ({
      ...file,
      id: newId(),
      storageKey: newId(),
      byteSize: 1000,
      inspectedAt: null,
      scannedAt: null,
      discardedAt: i === 0 ? testDay : null,
      createdAt: testDay,
    }))
    await db.insertInto('files').values(rows).execute()
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => upload(ctx, samplePdf())))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toHaveLength(2)
    for (const reason of refused) {
      expect(reason).toMatchObject({
        code: 'TOO_LARGE',
        message: expect.stringContaining('limit of 200 files'),
      })
    }
    expect(storage.files.size).toBe(2)
    // Refused before anything is read.
    const unread = { [Symbol.asyncIterator]: () => expect.unreachable() }
    await expect(receiveFormUpload(ctx, unread)).rejects.toThrow(code('TOO_LARGE'))
    await discardFile(ctx, rows[1]?.id ?? '')
    await upload(ctx, samplePdf())
    await db
      .updateTable('files')
      .set({ byteSize: 524_288_000 })
      .where('id', '=', rows[2]?.id ?? '')
      .execute()
    await discardFile(ctx, rows[3]?.id ?? '')
    await expect(upload(ctx, samplePdf())).rejects.toThrow(code('TOO_LARGE'))
  })

  test('the sweep deletes unreferenced files, bytes first, and keeps the rest', async () => {
    const db = await openDb()
    const { ctx, at, userId, storage } = await signedInCustomer(db)
    const other = await signedInCustomer(db, { storage })
    const add = async (ctx: Context) =>
      (await registerFile(ctx, await upload(ctx, samplePdf()), 'fileUrl')).fileId
    const [registeredId, discarded, others] = [await add(ctx), await add(ctx), await add(other.ctx)]
    const late = await upload(at(3600), samplePdf())
    await upload(ctx, samplePdf())
    await discardFile(ctx, discarded)
    await discardUserFiles(ctx, other.userId)
    await expect(openFile(ctx, discarded, userId)).rejects.toThrow(code('NOT_FOUND'))
    const job = (seconds: number) => ({ db, log: ctx.log, storage, now: () => secondsLater(seconds) })
    const stopped = {
      ...job(90_000),
      storage: { ...storage, delete: () => Promise.reject(new Error('away')) },
    }
    await sweepFiles(stopped, new AbortController().signal)
    expect(storage.files.size).toBe(5)
    const never = new AbortController().signal
    await Promise.all([sweepFiles(job(24 * 3600 + 1), never), sweepFiles(job(24 * 3600 + 1), never)])
    const left = [registeredId, late.split('/')[2]].toSorted(byText)
    expect([...storage.files.keys()].toSorted(byText)).toEqual(left)
    expect((await storedRows(db)).map(({ id }) => id).toSorted(byText)).toEqual(left)
    expect(storage.files.has(others)).toBe(false)
    expect(await db.selectFrom('uploadTickets').select('id').execute()).toEqual([])
    await expect(registerFile(ctx, await upload(ctx, samplePdf()), 'fileUrl')).resolves.toBeDefined()
  })

  test('tickets whose bytes cannot be deleted do not hide later ones', async () => {
    const db = await openDb()
    const { ctx, storage } = await signedInCustomer(db)
    const tickets = Array.from({ length: 101 }, (_, i) => ({
      id: `ticket ${String(i).padStart(3, '0')}`,
      userId: ctx.user?.id ?? '',
      sessionId: 'session',
      createdAt: testDay,
      expiresAt: testDay,
      usedAt: testDay,
    }))
    await db.insertInto('uploadTickets').values(tickets).execute()
    const sweep = (deleteBytes: (key: string) => Promise<void>) =>
      sweepFiles(
        {
          db,
          log: ctx.log,
          storage: { ...storage, delete: deleteBytes },
          now: () => secondsLater(7200),
        },
        new AbortController().signal,
      )
    const refused = new Set(tickets.slice(0, 100).map(({ id }) => id))
    await sweep(async (key) => {
      if (refused.has(key)) throw new Error('Access denied')
    })
    expect(await db.selectFrom('uploadTickets').select('id').execute()).toHaveLength(100)
    await sweep(async () => {})
    expect(await db.selectFrom('uploadTickets').select('id').execute()).toEqual([])
  })

  test('the sweep deletes bytes without a row and files without a user', async () => {
    const db = await openDb()
    const { ctx, storage, userId } = await signedInCustomer(db)
    const ticket = await issueTicket(ctx)
    await receiveAtUploadUrl(ctx, ticket, { body: body(samplePdf()), declaredBytes: null })
    // As when the process dies between storing the bytes and writing the row.
    await db.deleteFrom('files').execute()
    const job = (seconds: number) => ({ db, log: ctx.log, storage, now: () => secondsLater(seconds) })
    const never = new AbortController().signal
    await sweepFiles(job(600 + 3599), never)
    expect(storage.files.size).toBe(1)
    await sweepFiles(job(600 + 3601), never)
    expect(storage.files.size).toBe(0)
    await registerFile(ctx, await upload(ctx, samplePdf()), 'fileUrl')
    await sweepLeftovers(job(1))
    await sweepFiles(job(1), never)
    expect(storage.files.size).toBe(1)
    await db.deleteFrom('users').where('id', '=', userId).execute()
    await sweepLeftovers(job(1))
    await sweepFiles(job(1), never)
    expect(storage.files.size).toBe(0)
    expect(await storedRows(db)).toEqual([])
  })
})
