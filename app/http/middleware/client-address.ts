import { isIP } from 'node:net'

/**
 * Who asks, as a key to count by: an IPv4 address, or the /64 of an IPv6 one, which is what one household or server gets.
 * Each trusted proxy appends to `X-Forwarded-For` the address that spoke to it, so with n of them the n-th from the right is
 * the first that no client could write itself.
 * @param hops how many proxies stand in front; with 0 the header says nothing
 * @param socket the other end of the connection; null where there is none
 */
export function clientAddressOf(forwarded: string | null, socket: string | null, hops: number): string {
  const direct = networkOf(socket ?? '') ?? 'unknown'
  if (hops === 0) return direct
  const said = (forwarded ?? '').split(',')
  // Fewer than there are proxies: somebody came past the outer ones, and the leftmost is still a proxy's word.
  return networkOf(said[Math.max(0, said.length - hops)] ?? '') ?? direct
}

/** "::ffff:192.0.2.7" and "192.0.2.7:443" → "192.0.2.7", "[2001:DB8::1]:443" → "2001:db8:0:0::/64"; null when it is no address. */
function networkOf(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*$/, '')
  if (isIP(bare) === 4) return bare
  if (isIP(bare) !== 6) return null
  // The URL parser writes an address in its one short form, with no dotted end.
  const groups = groupsOf(new URL(`http://[${bare}]`).hostname.slice(1, -1))
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

function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
