import { maxFileBytes, tooLargeSentence, typeOfHead, wrongTypeSentence } from '#domain/files/files.ts'

/** What the server said to one request; `status` is 0 when it was not reached. */
export type Answer = { status: number; body: string; retryAfter: number | null }

/** How bytes leave; the browser's own is `browserTransport`. */
export type Transport = {
  askForAddress: (signal: AbortSignal) => Promise<Answer>
  put: (url: string, file: Blob, signal: AbortSignal, onProgress: (sent: number) => void) => Promise<Answer>
  isOnline: () => boolean
  untilOnline: (signal: AbortSignal) => Promise<void>
  pause: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Why nothing moves at the moment. */
export type Waiting = 'offline' | 'retry' | null

export type Watcher = { onProgress: (sent: number) => void; onWaiting: (waiting: Waiting) => void }

export type Sent = { reference: string } | { problem: string }

/** Specification, section 9: the pauses before the first retry to the fourth, which is the last. */
export const retryDelaysMs: readonly number[] = [0, 1000, 3000, 5000]
/** Whoever is told to come back later than this is told so instead of waiting. */
const patienceSeconds = 60

const unreached = 'We were not reached. Please check your connection and try again.'

/** A problem of the file that needs no server to be found; null when there is none. */
export async function problemOf(file: Blob): Promise<string | null> {
  if (file.size > maxFileBytes) return tooLargeSentence
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer())
  return typeOfHead(head) ? null : wrongTypeSentence
}

/**
 * Whether what was answered may be tried again (specification, section 8): an expired address, too many requests, a conflict,
 * anything of ours that failed and what never arrived; no other refusal.
 */
const mayRetry = ({ status, body }: Answer): boolean =>
  status === 429 ||
  status === 409 ||
  status === 0 ||
  status >= 500 ||
  (status === 403 && /expired/i.test(body))

function textOf(body: string, key: 'uploadURL' | 'url'): string | null {
  try {
    const value: unknown = JSON.parse(body)
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : null
    return typeof text === 'string' && text !== '' ? text : null
  } catch {
    // A proxy's page in place of our answer.
    return null
  }
}

/**
 * Uploads a file: an address is asked for, then the file is put there. An address serves once, so each try asks for its own.
 * Offline it waits until the browser is online again, which is no try. Rejects when `signal` says so, and for nothing else.
 */
export async function sendFile(
  transport: Transport,
  file: Blob,
  signal: AbortSignal,
  { onProgress, onWaiting }: Watcher,
): Promise<Sent> {
  for (let retries = 0; ;) {
    const { answer, reference } = await tryOnce(transport, file, signal, onProgress)
    if (reference !== null) return { reference }
    if (answer.status >= 200 && answer.status < 300) {
      return { problem: 'File uploaded but URL not available. Please try again.' }
    }
    const isTooLong = (answer.retryAfter ?? 0) > patienceSeconds
    if (!mayRetry(answer) || isTooLong) return { problem: answer.body || unreached }
    onProgress(0)
    if (answer.status === 0 && !transport.isOnline()) {
      onWaiting('offline')
      await transport.untilOnline(signal)
    } else {
      const delay = retryDelaysMs[retries++]
      if (delay === undefined) return { problem: answer.body || unreached }
      const pause = Math.max(delay, (answer.retryAfter ?? 0) * 1000)
      if (pause > 0) onWaiting('retry')
      await transport.pause(pause, signal)
    }
    onWaiting(null)
  }
}

async function tryOnce(
  transport: Transport,
  file: Blob,
  signal: AbortSignal,
  onProgress: (sent: number) => void,
): Promise<{ answer: Answer; reference: string | null }> {
  const asked = await transport.askForAddress(signal)
  const url = textOf(asked.body, 'uploadURL')
  if (asked.status !== 200 || url === null) return { answer: asked, reference: null }
  const answer = await transport.put(url, file, signal, onProgress)
  return { answer, reference: answer.status === 200 ? textOf(answer.body, 'url') : null }
}
