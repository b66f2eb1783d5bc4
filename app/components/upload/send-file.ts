import {
  fileHeadBytes,
  maxFileBytes,
  fileTooLargeMessage,
  detectFileType,
  wrongFileTypeMessage,
} from '#domain/files/files.ts'

/** The server's reply to one request; `status` is 0 when the connection failed. */
export type UploadReply = { status: number; body: string; retryAfter: number | null }

/** How requests are sent; `browserTransport` is the browser's implementation. */
export type Transport = {
  requestUploadUrl: (signal: AbortSignal) => Promise<UploadReply>
  put: (
    url: string,
    file: Blob,
    signal: AbortSignal,
    onProgress: (sent: number) => void,
  ) => Promise<UploadReply>
  isOnline: () => boolean
  untilOnline: (signal: AbortSignal) => Promise<void>
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Why the upload is paused. */
export type WaitReason = 'offline' | 'retry' | null

export type UploadCallbacks = { onProgress: (sent: number) => void; onWaiting: (waiting: WaitReason) => void }

/** Why a file was not uploaded. */
export type UploadProblem = {
  problem: string
  /** The session has ended: the field offers to sign in again. */
  isSignedOut?: true
}

export type UploadResult = { reference: string } | UploadProblem

/** The delays before the four retries (specification, section 9). */
export const retryDelaysMs: readonly number[] = [0, 1000, 3000, 5000]
/** A longer Retry-After is reported instead of waited for. */
const maxWaitSeconds = 60

/** Specification, section 8. */
export const missingUrlMessage = 'File uploaded but URL not available. Please try again.'
const connectionMessage = 'We couldn’t connect to the server. Check your connection and try again.'

/** Checks a file before any request; null when it is accepted. */
export async function checkFile(file: Blob): Promise<string | null> {
  if (file.size > maxFileBytes) return fileTooLargeMessage
  const head = new Uint8Array(await file.slice(0, fileHeadBytes).arrayBuffer())
  return detectFileType(head) ? null : wrongFileTypeMessage
}

/**
 * Whether a reply may be retried (specification, section 8): an expired URL, too many requests, a
 * conflict, a server error or a failed connection; no other refusal.
 */
const isRetryable = ({ status, body }: UploadReply): boolean =>
  status === 429 ||
  status === 409 ||
  status === 0 ||
  status >= 500 ||
  (status === 403 && /expired/i.test(body))

function getString(body: string, key: 'uploadURL' | 'url'): string | null {
  try {
    const value: unknown = JSON.parse(body)
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : null
    return typeof text === 'string' && text !== '' ? text : null
  } catch {
    // A proxy's error page instead of our reply.
    return null
  }
}

/**
 * Uploads a file: requests an upload URL, then puts the file there. A URL works once, so each
 * attempt requests its own. Offline, it waits for the connection, which does not count as an
 * attempt. Rejects only when `signal` aborts.
 */
export async function sendFile(
  transport: Transport,
  file: Blob,
  signal: AbortSignal,
  { onProgress, onWaiting }: UploadCallbacks,
): Promise<UploadResult> {
  for (let retries = 0; ;) {
    const { reply, reference } = await attemptUpload(transport, file, signal, onProgress)
    if (reference !== null) return { reference }
    if (reply.status >= 200 && reply.status < 300) {
      return { problem: missingUrlMessage }
    }
    const isTooLong = (reply.retryAfter ?? 0) > maxWaitSeconds
    if (!isRetryable(reply) || isTooLong) {
      const problem = reply.body || connectionMessage
      return reply.status === 401 ? { problem, isSignedOut: true } : { problem }
    }
    onProgress(0)
    if (reply.status === 0 && !transport.isOnline()) {
      onWaiting('offline')
      await transport.untilOnline(signal)
    } else {
      const delay = retryDelaysMs[retries++]
      if (delay === undefined) return { problem: reply.body || connectionMessage }
      const pause = Math.max(delay, (reply.retryAfter ?? 0) * 1000)
      if (pause > 0) onWaiting('retry')
      await transport.pause(pause, signal)
    }
    onWaiting(null)
  }
}

async function attemptUpload(
  transport: Transport,
  file: Blob,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<{ reply: UploadReply; reference: string | null }> {
  const urlReply = await transport.requestUploadUrl(signal)
  const url = getString(urlReply.body, 'uploadURL')
  if (urlReply.status !== 200 || url === null) return { reply: urlReply, reference: null }
  const reply = await transport.put(url, file, signal, onProgress)
  return { reply, reference: reply.status === 200 ? getString(reply.body, 'url') : null }
}
