import { request, type IncomingMessage } from 'node:http'
import { isIP, type TcpNetConnectOpts } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isPublicAddress, withoutBrackets } from './public-address.ts'
import { resolveHost } from './resolve-host.ts'
import { sendRequest } from './send-request.ts'

/** How names are resolved and connections opened. Tests give their own. */
export type Network = {
  /** All addresses of a host. Rejects when the signal is aborted. */
  resolve: (host: string, signal: AbortSignal) => Promise<string[]>
  /** A TLS connection to one of these addresses only, verified for this host. */
  connect: (addresses: readonly string[], host: string) => Duplex
}

/** Linux repeats a lost SYN after a second. */
const connectAttemptMs = 1500

/**
 * A TLS connection to the first address that accepts one, alternating between IPv4 and IPv6: this
 * machine may have no route to one of them.
 */
export function connectToAny(addresses: readonly string[], host: string, port = 443): TLSSocket {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  const options: TcpNetConnectOpts = {
    host,
    port,
    // Asynchronous: if every attempt failed at once, `tls.connect` would throw, not emit an error.
    lookup: (_host, _options, callback) => process.nextTick(callback, null, found),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectAttemptMs,
  }
  return connectTls({
    ...options,
    ALPNProtocols: ['http/1.1'],
    // SNI does not allow IP addresses (RFC 6066, section 3).
    ...(isIP(host) === 0 && { servername: host }),
  })
}

export const internet: Network = { resolve: resolveHost, connect: connectToAny }

/** The address may not be reached, or what is there is not accepted. */
export class Refused extends Error {}
/** It may work later. */
export class Unreachable extends Error {}

type Request = { method?: string; headers: Record<string, string>; body?: string; signal: AbortSignal }

/**
 * Sends one request to the public internet, safe from being used to reach our own network: the host
 * is resolved once, every address must be public, and the connection goes to one of them. Throws
 * Refused and Unreachable.
 */
export async function openRequest(
  network: Network,
  url: URL,
  { method = 'GET', headers, body, signal }: Request,
): Promise<IncomingMessage> {
  const host = withoutBrackets(url.hostname)
  const addresses = isIP(host) === 0 ? await network.resolve(host, signal) : [host]
  if (addresses.length === 0) throw new Unreachable('The site has no address.')
  // One private address among public ones is a rebinding attempt or a mistake.
  if (!addresses.every(isPublicAddress)) throw new Refused('The address must be on the public internet.')
  const sent = request({
    createConnection: () => network.connect(addresses, host),
    host: url.hostname,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { Host: url.host, ...headers, 'User-Agent': 'Meridian', Connection: 'close' },
    maxHeaderSize: 16_384,
    signal,
  })
  // Later errors reach the reader of the body.
  return sendRequest(sent, body)
}
