import type { Db } from '#db/engine/client.ts'
import type { Context } from '#server/context.ts'
import { openPicture } from '#server/files/open-picture.ts'
import { receivePicture } from '#server/files/receive-picture.ts'
import { sweepFiles, sweepLeftovers } from '#server/files/sweep-files.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { inChunks, pngChunk, samplePng } from '#tests/support/sample-files.ts'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const code = (code: string) => expect.objectContaining({ code })
const nameOf = (image: string): string => image.slice('/img/p/'.length)
const never = new AbortController().signal

/** A unique PNG of 100 kB. */
const png = (text: string): Buffer => samplePng(pngChunk('iCCP', Buffer.alloc(100_000, text)))

async function* body(bytes: Uint8Array, failure?: Error): AsyncGenerator<Uint8Array> {
  yield* inChunks(bytes, 16_384)
  if (failure) throw failure
}

async function adminOf(db: Db, overrides: Partial<Context> = {}) {
  const storage = memoryStorage()
  const userId = await makeUser(db, { isAdmin: true })
  const ctx = testContext(db, { user: signedIn(userId, { isAdmin: true }), storage, ...overrides })
  const sweepAt = (seconds: number) =>
    sweepFiles({ db, log: ctx.log, storage, now: () => new Date(testDay.getTime() + seconds * 1000) }, never)
  return { ctx, userId, storage, sweepAt }
}

const rows = (db: Db) => db.selectFrom('productPictures').selectAll().execute()

eachEngine((_engine, openDb) => {
  test('a picture is stored unchanged with its uploader and type, and outlives the uploader', async () => {
    const db = await openDb()
    const { ctx, userId, storage, sweepAt } = await adminOf(db)
    const bytes = png('as it came')
    const image = await receivePicture(ctx, body(bytes))
    const [row] = await rows(db)
    expect(row).toEqual({
      id: nameOf(image).slice(0, 36),
      storageKey: row?.id,
      contentType: 'image/png',
      byteSize: bytes.length,
      sha256: expect.stringMatching(/^[\w-]{43}$/),
      actorId: userId,
      createdAt: testDay,
    })
    expect(storage.files.get(row?.storageKey ?? '')?.equals(bytes)).toBe(true)
    await db.deleteFrom('users').where('id', '=', userId).execute()
    await sweepLeftovers({ db, log: ctx.log, storage, now: () => testDay })
    await sweepAt(30 * 24 * 3600)
    const { open } = await openPicture(ctx, nameOf(image))
    expect((await buffer(await open())).equals(bytes)).toBe(true)
  })

  test('of concurrent uploads of one picture one is kept, and the sweep deletes the other files', async () => {
    const db = await openDb()
    const { ctx, storage, sweepAt } = await adminOf(db)
    // Each upload looks for the picture before any is recorded.
    let waiting = 3
    let release = (): void => {}
    const all = new Promise<void>((resolve) => (release = resolve))
    const slow: Context = {
      ...ctx,
      storage: {
        ...storage,
        put: async (key, bytes) => {
          await storage.put(key, bytes)
          if (--waiting === 0) release()
          await all
        },
      },
    }
    const images = await Promise.all([1, 2, 3].map(() => receivePicture(slow, body(png('thrice')))))
    expect(new Set(images).size).toBe(1)
    expect(await rows(db)).toHaveLength(1)
    expect(storage.files.size).toBe(3)
    await sweepAt(600 + 3601)
    expect([...storage.files.keys()]).toEqual([nameOf(images[0] ?? '').slice(0, 36)])
    expect(await receivePicture(ctx, body(png('thrice')))).toBe(images[0])
    expect(storage.files.size).toBe(1)
  })

  test('bytes without a row are swept once no upload can still be running', async () => {
    const db = await openDb()
    const { ctx, storage, sweepAt } = await adminOf(db)
    await receivePicture(ctx, body(png('lost')))
    // As when the process dies between the two writes.
    await db.deleteFrom('productPictures').execute()
    await sweepAt(600 + 3599)
    expect(storage.files.size).toBe(1)
    await sweepAt(600 + 3601)
    expect(storage.files.size).toBe(0)
    await receivePicture(ctx, body(png('lost')))
    expect([storage.files.size, (await rows(db)).length]).toEqual([1, 1])
  })

  test('a failed upload stores nothing; only admins upload, up to a rate limit', async () => {
    const db = await openDb()
    const { ctx, storage } = await adminOf(db, {
      rateLimits: limitedTo('upload', { limit: 2, windowSeconds: 60 }),
    })
    const broken = body(png('broken').subarray(0, 50_000), new Error('aborted'))
    await expect(receivePicture(ctx, broken)).rejects.toThrow(code('BAD_REQUEST'))
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' })
    const noRoom: Context = { ...ctx, storage: { ...storage, put: () => Promise.reject(full) } }
    await expect(receivePicture(noRoom, body(png('full')))).rejects.toThrow('full')
    const customer = signedIn(await makeUser(db))
    await expect(receivePicture({ ...ctx, user: customer }, body(png('x')))).rejects.toThrow(
      code('FORBIDDEN'),
    )
    await expect(receivePicture({ ...ctx, user: null }, body(png('x')))).rejects.toThrow(
      code('UNAUTHENTICATED'),
    )
    expect([storage.files.size, (await rows(db)).length]).toEqual([0, 0])
    const first = await receivePicture(ctx, body(png('first')))
    await expect(receivePicture(ctx, body(png('third')))).rejects.toThrow(code('TOO_MANY'))
    expect(await receivePicture(ctx, body(png('first')))).toBe(first)
  })
})
