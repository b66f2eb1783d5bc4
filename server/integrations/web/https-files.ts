import type { IncomingMessage } from 'node:http'
import { internet, openRequest, Refused, Unreachable, type Network } from './public-network.ts'
import type { FetchedFile, PublicFiles } from './public-files.ts'

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])
const accepted = { Accept: 'image/jpeg, image/png', 'Accept-Encoding': 'identity' }

/**
 * Fetches files of the public internet, safe from being used to reach our own network: https on its
 * port only; every address of a host must be public; the host is resolved once and the connection
 * goes to one of these addresses; each redirect is checked the same way. No cookie, no referrer.
 */
export const httpsFiles = (network: Network = internet): PublicFiles => ({
  async fetch(url, { maxBytes, timeoutMs }): Promise<FetchedFile> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return { outcome: 'fetched', bytes: await follow(network, url, maxBytes, signal) }
    } catch (error) {
      if (error instanceof Refused) return { outcome: 'refused', reason: error.message }
      return { outcome: 'unreachable', reason: reasonOf(error, signal) }
    }
  },
})

/** Only what says why: an error's text could contain an address of our network. */
function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'The site took too long.'
  if (error instanceof Unreachable) return error.message
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
  return `The site can’t be reached (${code}).`
}

async function follow(
  network: Network,
  start: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  let url = start
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await openRequest(network, parseUrl(url), { headers: accepted, signal })
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return await readBody(response, maxBytes, signal)
    response.destroy()
    if (!redirects.has(statusCode)) throw new Unreachable(`The site answered with status ${statusCode}.`)
    const { location } = headers
    if (location === undefined || !URL.canParse(location, url)) {
      throw new Unreachable('The site sent a redirect with no destination.')
    }
    url = new URL(location, url).href
  }
  throw new Refused('Too many redirects.')
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:') throw new Refused('The address must start with https://.')
  if (url.port !== '' || url.username !== '' || url.password !== '') {
    throw new Refused('The address can’t have a port, a user or a password.')
  }
  return url
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const stop = (): unknown => response.destroy(new Unreachable('The site took too long.'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    const encoding = response.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new Refused('The site sends the file compressed.')
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw new Refused(`The file is larger than ${maxBytes / 1024 / 1024} MB.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    signal.removeEventListener('abort', stop)
    response.destroy()
  }
}
