import { AppError } from '#domain/errors.ts'
import { openAsBlob } from 'node:fs'
import { UTApi, UTFile } from 'uploadthing/server'
import { checkKey, type Storage } from './storage.ts'
import { withResponseTimeout } from '../../with-response-timeout.ts'
import { withTemporaryFile } from './with-temporary-file.ts'

/** A signed URL is used immediately. */
const urlLifetimeSeconds = 60

/** The cause of a failure, without the request: its URLs contain signatures. */
const unavailable = (reason: string): AppError =>
  new AppError('UNAVAILABLE', undefined, { retryAfter: 30, cause: new Error(`UploadThing: ${reason}`) })

/** The HTTP status of an SDK error, if any. */
function sdkErrorStatus(error: unknown): number | null {
  const response: unknown = error instanceof Error && 'response' in error ? error.response : null
  const status: unknown =
    typeof response === 'object' && response !== null && 'status' in response ? response.status : null
  return typeof status === 'number' ? status : null
}

/**
 * Sealed files at UploadThing through its server SDK, with our id as `customId`. The SDK needs the
 * size of a file, so the bytes go to a temporary file first: memory stays flat, and an aborted
 * upload is never sent. After each upload the SDK reads two deprecated fields of its own answer and
 * prints a `console.warn` that cannot be turned off.
 * @param token UPLOADTHING_TOKEN
 * @param limits.requestMs how long an answer of the API, or the head of a file, may take
 */
export function openUploadThing(token: string, { requestMs = 60_000 } = {}): Storage {
  const api = new UTApi({
    token,
    defaultKeyType: 'customId',
    // The SDK would log whole requests.
    logLevel: 'None',
    fetch: (input, init) => {
      const { signal, ...rest }: RequestInit = { ...init }
      const readAnswer = async (limit: AbortSignal): Promise<Response> => {
        const response = await fetch(input, { ...rest, signal: limit })
        // Read here, because the SDK reads it without a limit. It is small.
        await response.clone().arrayBuffer()
        return response
      }
      return withResponseTimeout(requestMs, readAnswer, signal ?? undefined)
    },
  })

  async function put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    checkKey(key)
    await withTemporaryFile(key, bytes, async (path) => {
      const file = new UTFile([await openAsBlob(path)], key, {
        customId: key,
        type: 'application/octet-stream',
      })
      const { error } = await api.uploadFiles(file, { contentDisposition: 'attachment' })
      if (error) throw unavailable(`upload failed, ${error.code}`)
    })
  }

  async function get(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    checkKey(key)
    const url = await findSignedUrl(key)
    if (url === null) return null
    const response = await withUnavailable(() =>
      withResponseTimeout(requestMs, (signal) => fetch(url, { signal })),
    )
    if (response.status === 404) return null
    if (!response.ok || !response.body) throw unavailable(`download failed, ${response.status}`)
    return response.body
  }

  async function findSignedUrl(key: string): Promise<string | null> {
    try {
      return (await api.getSignedURL(key, { expiresIn: urlLifetimeSeconds })).ufsUrl
    } catch (error) {
      if (sdkErrorStatus(error) === 404) return null
      throw unavailable(`no signed URL, ${sdkErrorStatus(error) ?? 'no connection'}`)
    }
  }

  async function remove(key: string): Promise<void> {
    checkKey(key)
    const { success } = await withUnavailable(() => api.deleteFiles(key))
    if (!success) throw unavailable('delete failed')
  }

  return { put, get, delete: remove, deleteLeftovers: async () => {} }
}

async function withUnavailable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw unavailable(`request failed, ${sdkErrorStatus(error) ?? 'no connection'}`)
  }
}
