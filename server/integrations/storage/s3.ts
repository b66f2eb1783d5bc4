import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { AppError } from '#domain/errors.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { S3Address, S3Credentials } from './s3-address.ts'
import { checkKey, type Storage } from './storage.ts'
import { withResponseTimeout } from '../../with-response-timeout.ts'
import { withTemporaryFile } from './with-temporary-file.ts'

const attempts = 3
const maxConnections = 50
/** All attempts together are answered within `requestMs`: a person waits for them. */
const defaults = { connectMs: 5000, idleMs: 15_000, requestMs: 60_000, retryMs: 200 }

/** The SDK logs whole requests, and on the console when it has no logger. */
const silent = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * The cause of a failure without the SDK's error, which has the bucket, the key and the id of the
 * access key.
 */
const unavailable = (action: string, error: unknown): AppError =>
  new AppError('UNAVAILABLE', undefined, {
    retryAfter: 30,
    cause: new Error(`S3: ${action} failed, ${describeFailure(error)}`),
  })

const answerSchema = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })

/** The status, if an answer came. The SDK's error about a page that is no XML has it, too. */
const findStatus = (error: unknown): number | undefined =>
  answerSchema.safeParse(error).data?.$metadata.httpStatusCode

const isShortWord = (value: unknown): value is string => typeof value === 'string' && /^\w{1,60}$/.test(value)

/** `503 SlowDown`; `502 not from S3` for a proxy's page; `no connection (ECONNREFUSED)`. */
function describeFailure(error: unknown): string {
  const status = findStatus(error)
  if (error instanceof S3ServiceException)
    return `${status ?? 'no'} ${isShortWord(error.name) ? error.name : 'error'}`
  if (status !== undefined) return `${status} not from S3`
  // First, because the SDK names a connection that breaks TimeoutError, too.
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (isShortWord(code) && code !== 'ETIMEDOUT') return `no connection (${code})`
  return error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name)
    ? 'no answer in time'
    : 'no connection'
}

/**
 * Whether the object is missing. A missing bucket and a server that is not S3 answer with the same
 * status, and are mistakes: with them, every file would count as lost.
 */
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.name === 'NoSuchKey'

/**
 * Whether another attempt can succeed: no answer, too many requests, or a fault of the server. Or a
 * clock that is wrong, because the SDK then takes the time from the answer.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof S3ServiceException && error.name === 'RequestTimeTooSkewed') return true
  const status = findStatus(error)
  return status === undefined || status === 408 || status === 429 || status >= 500
}

/**
 * The error for an answer without the object's ETag: a website at a wrong endpoint answers 200, and
 * has stored nothing.
 */
const notFromS3 = ({ $metadata }: { $metadata: object }): Error =>
  Object.assign(new Error('The answer is not from S3.'), { $metadata })

/**
 * Files in a bucket, named by our ids. A put sends the whole file in one request with its MD5, so
 * the server keeps all of it or nothing. Only what every S3-compatible server has is used: the
 * newer checksums in trailers are not.
 * @param limits shorter times, for tests
 */
export function openS3(
  { bucket, endpoint, region, prefix, pathStyle, credentials }: S3Address & { credentials: S3Credentials },
  limits: Partial<typeof defaults> = {},
): Storage {
  const { connectMs, idleMs, requestMs, retryMs } = { ...defaults, ...limits }
  const client = new S3Client({
    region,
    credentials,
    forcePathStyle: pathStyle,
    ...(endpoint !== null && { endpoint }),
    maxAttempts: attempts,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A bucket in another region is a configuration error, so no redirect is followed.
    followRegionRedirects: false,
    logger: silent,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: { maxSockets: maxConnections },
      httpsAgent: { maxSockets: maxConnections },
    },
  })
  const address = (key: string): { Bucket: string; Key: string } => {
    checkKey(key)
    return { Bucket: bucket, Key: prefix + key }
  }
  const withinLimit = () => ({ abortSignal: AbortSignal.timeout(requestMs) })

  async function put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const object = address(key)
    await withTemporaryFile(key, bytes, async (path) => {
      const [{ size }, md5] = await Promise.all([stat(path), hashFile(path)])
      const limit = withinLimit()
      // The SDK does not repeat a request whose body is a stream.
      for (let attempt = 1; ; attempt++) {
        const body = createReadStream(path)
        try {
          const put = new PutObjectCommand({
            ...object,
            Body: body,
            ContentLength: size,
            ContentMD5: md5,
            ContentType: 'application/octet-stream',
          })
          const answer = await client.send(put, limit)
          if (answer.ETag === undefined) throw notFromS3(answer)
          return
        } catch (error) {
          if (attempt === attempts || limit.abortSignal.aborted || !isTransient(error))
            throw unavailable('upload', error)
          await sleep(retryMs * 2 ** attempt * Math.random())
        } finally {
          body.destroy()
        }
      }
    })
  }

  async function get(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    const object = address(key)
    try {
      const answer = await withResponseTimeout(requestMs, (abortSignal) =>
        client.send(new GetObjectCommand(object), { abortSignal }),
      )
      const { Body: body, ETag: etag } = answer
      if (body instanceof Readable && etag !== undefined) return withUnavailable(body)
      if (body instanceof Readable) body.destroy()
      throw notFromS3(answer)
    } catch (error) {
      if (isMissing(error)) return null
      throw unavailable('download', error)
    }
  }

  async function remove(key: string): Promise<void> {
    const object = address(key)
    try {
      await client.send(new DeleteObjectCommand(object), withinLimit())
    } catch (error) {
      if (!isMissing(error)) throw unavailable('delete', error)
    }
  }

  // A put is one request, so a failed one leaves nothing.
  return { put, get, delete: remove, deleteLeftovers: async () => {} }
}

/**
 * The bytes, whose connection may break or fall silent at any of them. Not a generator, which would
 * not destroy a body that is never read.
 */
function withUnavailable(body: Readable): AsyncIterable<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        return await chunks.next()
      } catch (error) {
        throw unavailable('download', error)
      }
    },
    async return() {
      body.destroy()
      return { done: true, value: undefined }
    },
  }
  return iterator
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(path), hash)
  return hash.digest('base64')
}
