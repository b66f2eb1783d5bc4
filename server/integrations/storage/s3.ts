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

/** `503 SlowDown`, or `no connection` when no answer came. */
const describeFailure = (error: unknown): string =>
  error instanceof S3ServiceException
    ? `${error.$metadata.httpStatusCode ?? 'no'} ${/^\w{1,40}$/.test(error.name) ? error.name : 'error'}`
    : error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name)
      ? 'no answer in time'
      : 'no connection'

/** Whether the object is missing. A missing bucket has the same status, and is a mistake. */
const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException &&
  error.$metadata.httpStatusCode === 404 &&
  error.name !== 'NoSuchBucket'

/** Whether another attempt can succeed: no answer, too many requests, or a fault of the server. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true
  const { httpStatusCode: status } = error.$metadata
  return status === undefined || status === 408 || status === 429 || status >= 500
}

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
          await client.send(
            new PutObjectCommand({
              ...object,
              Body: body,
              ContentLength: size,
              ContentMD5: md5,
              ContentType: 'application/octet-stream',
            }),
            limit,
          )
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
      const { Body: body } = await withResponseTimeout(requestMs, (abortSignal) =>
        client.send(new GetObjectCommand(object), { abortSignal }),
      )
      if (!(body instanceof Readable)) throw new Error('The answer has no body.')
      return withUnavailable(body)
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
