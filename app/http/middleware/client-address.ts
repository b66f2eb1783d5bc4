import { isIP } from 'node:net'

/**
 * The client as a key for rate limits: an IPv4 address, or the /64 of an IPv6 address, which is
 * what one household or server gets. Each trusted proxy appends the address of its own client to
 * `X-Forwarded-For`, so with n proxies the n-th from the right is the first that a client cannot
 * forge.
 * @param hops the number of trusted proxies; with 0 the header is ignored
 * @param socket the peer's address; null when there is no socket
 */
export function resolveClientAddress(forwarded: string | null, socket: string | null, hops: number): string {
  const direct = normalizeAddress(socket ?? '') ?? 'unknown'
  if (hops === 0) return direct
  const addresses = (forwarded ?? '').split(',')
  // Fewer entries than proxies: the client bypassed the outer ones. A proxy still wrote the
  // leftmost.
  return normalizeAddress(addresses[Math.max(0, addresses.length - hops)] ?? '') ?? direct
}

/**
 * "::ffff:192.0.2.7" and "192.0.2.7:443" → "192.0.2.7"; "[2001:DB8::1]:443" → "2001:db8:0:0::/64".
 * Null when the text is not an address.
 */
function normalizeAddress(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return null
  // The URL parser writes an address in its canonical form, without a dotted suffix.
  const groups = parseGroups(new URL(`http://[${bare}]`).hostname.slice(1, -1))
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

function parseGroups(address: string): number[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
