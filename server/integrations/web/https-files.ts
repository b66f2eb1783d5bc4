import { lookup } from 'node:dns/promises'
import { request, type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from './public-address.ts'
import type { FetchedFile, PublicFiles } from './public-files.ts'

const maxRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** How names are resolved and connections opened. Tests give their own. */
export type Network = {
  /** All addresses of a host. */
  resolve: (host: string) => Promise<string[]>
  /** A TLS connection to this very address, verified for this host. */
  connect: (address: string, host: string) => Duplex
}

const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  connect: (address, host) =>
    connectTls({
      host: address,
      port: 443,
      ALPNProtocols: ['http/1.1'],
      // An IP address is no name for SNI (RFC 6066, section 3).
      ...(isIP(host) === 0 && { servername: host }),
    }),
}

class Refused extends Error {}
class Unreachable extends Error {}

/**
 * Fetches files of the public internet, safe from being used to reach our own network: https on its
 * port only; every address of a host must be public; the host is resolved once and the connection
 * goes to that address; each redirect is checked the same way. No cookie, no referrer.
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
  if (signal.aborted) return 'It took too long.'
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
    const response = await get(network, parseUrl(url), signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return await readBody(response, maxBytes, signal)
    response.destroy()
    if (!redirects.has(statusCode)) throw new Unreachable(`The site answered with status ${statusCode}.`)
    const { location } = headers
    if (location === undefined || !URL.canParse(location, url)) {
      throw new Unreachable('The site redirects without an address.')
    }
    url = new URL(location, url).href
  }
  throw new Refused('The address redirects too often.')
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:') throw new Refused('The address must start with https://.')
  if (url.port !== '' || url.username !== '' || url.password !== '') {
    throw new Refused('The address can’t have a port, a user or a password.')
  }
  return url
}

async function get(network: Network, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await withSignal(network.resolve(host), signal) : [host]
  const [address] = addresses
  if (address === undefined) throw new Unreachable('The site has no address.')
  // One private address among public ones is a rebinding attempt or a mistake.
  if (!addresses.every(isPublicAddress)) throw new Refused('The address must be on the public internet.')
  return new Promise((resolve, reject) => {
    const sent = request({
      createConnection: () => network.connect(address, host),
      host: url.hostname,
      path: `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        Accept: 'image/jpeg, image/png',
        'Accept-Encoding': 'identity',
        'User-Agent': 'Meridian',
        Connection: 'close',
      },
      maxHeaderSize: 16_384,
      signal,
    })
    sent.once('response', resolve)
    // Later errors reach the reader of the body.
    sent.on('error', reject)
    sent.end()
  })
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const stop = (): unknown => response.destroy(new Unreachable('It took too long.'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    const encoding = response.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new Refused('The site sends the file compressed.')
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw new Refused(`It is larger than ${maxBytes / 1024 / 1024} MB.`)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    signal.removeEventListener('abort', stop)
    response.destroy()
  }
}

/** A resolver takes no signal. */
async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Unreachable('It took too long.'))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
