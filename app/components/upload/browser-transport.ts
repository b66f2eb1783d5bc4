import { paths } from '#domain/paths.ts'
import type { UploadReply, Transport } from './send-file.ts'

const secondsOf = (header: string | null): number | null =>
  header && /^\d+$/.test(header) ? Number(header) : null

/** A proxy's HTML error page is not shown to the user. */
const plainText = (type: string | null, text: string): string => (type?.startsWith('text/html') ? '' : text)

const noReply: UploadReply = { status: 0, body: '', retryAfter: null }

const aborted = (): Error => new DOMException('The upload was canceled.', 'AbortError')

async function requestUploadUrl(signal: AbortSignal): Promise<UploadReply> {
  try {
    const response = await fetch(paths.api.upload, { method: 'POST', signal })
    return {
      status: response.status,
      body: plainText(response.headers.get('content-type'), await response.text()),
      retryAfter: secondsOf(response.headers.get('retry-after')),
    }
  } catch (error) {
    if (signal.aborted) throw error
    return noReply
  }
}

/** Uses XMLHttpRequest, because fetch does not report upload progress. */
const put: Transport['put'] = (url, file, signal, onProgress) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('abort', () => reject(aborted()))
    request.addEventListener('error', () => resolve(noReply))
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        body: plainText(request.getResponseHeader('content-type'), request.responseText),
        retryAfter: secondsOf(request.getResponseHeader('retry-after')),
      }),
    )
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream')
    request.send(file)
  })

const waitFor = (signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const abort = (): void => {
      end()
      reject(aborted())
    }
    const end = start(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    signal.addEventListener('abort', abort, { once: true })
  })

export const browserTransport: Transport = {
  requestUploadUrl,
  put,
  isOnline: () => navigator.onLine,
  untilOnline: (signal) =>
    waitFor(signal, (done) => {
      window.addEventListener('online', done, { once: true })
      return () => window.removeEventListener('online', done)
    }),
  pause: (ms, signal) =>
    waitFor(signal, (done) => {
      const timer = setTimeout(done, ms)
      return () => clearTimeout(timer)
    }),
}
