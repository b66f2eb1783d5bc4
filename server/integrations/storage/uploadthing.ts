import { AppError } from '#domain/errors.ts'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UTApi, UTFile } from 'uploadthing/server'
import { checkKey, type Storage } from './storage.ts'

const timeoutMs = 60_000
/** An address to read by is used at once. */
const addressSeconds = 60

/** What went wrong outside, without a word of the request: its addresses carry signatures. */
const unavailable = (what: string): AppError =>
  new AppError('UNAVAILABLE', undefined, { retryAfter: 30, cause: new Error(`UploadThing: ${what}`) })

/** The HTTP status that an error of the SDK's carries, if any. */
function statusOf(error: unknown): number | null {
  const response: unknown = error instanceof Error && 'response' in error ? error.response : null
  const status: unknown =
    typeof response === 'object' && response !== null && 'status' in response ? response.status : null
  return typeof status === 'number' ? status : null
}

/**
 * Sealed files at UploadThing, by its server SDK, each under our id as its `customId`. The SDK sends a file of known size, so
 * the bytes wait in a temporary file until all are there: memory stays flat, and what breaks off never leaves. After each
 * upload it reads two old fields of its own answer and warns of that on stderr, by `console.warn`, which nothing turns off.
 * @param token UPLOADTHING_TOKEN
 */
export function openUploadThing(token: string): Storage {
  const api = new UTApi({
    token,
    defaultKeyType: 'customId',
    // It would write whole requests.
    logLevel: 'None',
    fetch: (input, init) => {
      const { signal, ...rest }: RequestInit = { ...init }
      const timeout = AbortSignal.timeout(timeoutMs)
      return fetch(input, { ...rest, signal: signal ? AbortSignal.any([signal, timeout]) : timeout })
    },
  })

  async function put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    checkKey(key)
    const folder = await mkdtemp(join(tmpdir(), 'meridian-upload-'))
    try {
      const path = join(folder, key)
      await pipeline(Readable.from(bytes, { objectMode: true }), createWriteStream(path, { mode: 0o600 }))
      const file = new UTFile([await openAsBlob(path)], key, {
        customId: key,
        type: 'application/octet-stream',
      })
      const { error } = await api.uploadFiles(file, { contentDisposition: 'attachment' })
      if (error) throw unavailable(`not taken, ${error.code}`)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  async function get(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    checkKey(key)
    const address = await addressOf(key)
    if (address === null) return null
    const response = await reached(() => fetch(address, { signal: AbortSignal.timeout(timeoutMs) }))
    if (response.status === 404) return null
    if (!response.ok || !response.body) throw unavailable(`not given, ${response.status}`)
    return response.body
  }

  async function addressOf(key: string): Promise<string | null> {
    try {
      return (await api.getSignedURL(key, { expiresIn: addressSeconds })).ufsUrl
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw unavailable(`no address, ${statusOf(error) ?? 'not reached'}`)
    }
  }

  async function remove(key: string): Promise<void> {
    checkKey(key)
    const { success } = await reached(() => api.deleteFiles(key))
    if (!success) throw unavailable('not deleted')
  }

  return { put, get, delete: remove, deleteLeftovers: async () => {} }
}

async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw unavailable(`refused, ${statusOf(error) ?? 'not reached'}`)
  }
}
