import { BlockList, isIP } from 'node:net'

/**
 * Addresses that are not on the public internet (IANA IPv4 and IPv6 Special-Purpose Address
 * Registries): this machine, private networks, clouds' metadata services, documentation, multicast.
 */
const notPublic = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 addresses contain an IPv4 address, which may be private.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(net, prefix, 'ipv6')

/** All public IPv6 addresses. Those that contain an IPv4 address are outside (RFC 4291). */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notPublic.check(address, 'ipv4')
  if (isIP(address) !== 6) return false
  return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** A URL's host without the brackets of an IPv6 address. */
export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** Whether a URL's host is an IP address that is not public. False for a name. */
export function isPrivateAddress(hostname: string): boolean {
  const host = withoutBrackets(hostname)
  return isIP(host) !== 0 && !isPublicAddress(host)
}
