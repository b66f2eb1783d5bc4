import type { Answer, Transport } from './send-file.ts'

const secondsOf = (header: string | null): number | null =>
  header && /^\d+$/.test(header) ? Number(header) : null

/** A proxy answers with a page; what is shown to a person is a sentence of ours. */
const sentenceOf = (type: string | null, text: string): string => (type?.startsWith('text/html') ? '' : text)

const unreached: Answer = { status: 0, body: '', retryAfter: null }

const aborted = (): Error => new DOMException('The upload was cancelled.', 'AbortError')

async function askForAddress(signal: AbortSignal): Promise<Answer> {
  try {
    const response = await fetch('/api/objects/upload', { method: 'POST', signal })
    return {
      status: response.status,
      body: sentenceOf(response.headers.get('content-type'), await response.text()),
      retryAfter: secondsOf(response.headers.get('retry-after')),
    }
  } catch (error) {
    if (signal.aborted) throw error
    return unreached
  }
}

/** By XMLHttpRequest, the only one that tells how much has left. */
const put: Transport['put'] = (url, file, signal, onProgress) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const request = new XMLHttpRequest()
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(Math.min(loaded, file.size)))
    request.addEventListener('abort', () => reject(aborted()))
    request.addEventListener('error', () => resolve(unreached))
    request.addEventListener('load', () =>
      resolve({
        status: request.status,
        body: sentenceOf(request.getResponseHeader('content-type'), request.responseText),
        retryAfter: secondsOf(request.getResponseHeader('retry-after')),
      }),
    )
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream')
    request.send(file)
  })

const until = (signal: AbortSignal, begin: (done: () => void) => () => void): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const abort = (): void => {
      end()
      reject(aborted())
    }
    const end = begin(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
    signal.addEventListener('abort', abort, { once: true })
  })

export const browserTransport: Transport = {
  askForAddress,
  put,
  isOnline: () => navigator.onLine,
  untilOnline: (signal) =>
    until(signal, (done) => {
      window.addEventListener('online', done, { once: true })
      return () => window.removeEventListener('online', done)
    }),
  pause: (ms, signal) =>
    until(signal, (done) => {
      const timer = setTimeout(done, ms)
      return () => clearTimeout(timer)
    }),
}
