/**
 * An IP address without its last part, for its owner to recognize: "203.0.113.x", and
 * "2001:db8:12:x" for the /64 of an IPv6 address. Any other text is an unknown network.
 */
export function maskNetwork(address: string): string {
  const v4 = /^(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(address)
  if (v4) return `${v4[1]}.x`
  const v6 = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):[\da-f]{1,4}::\/64$/.exec(address)
  return v6 ? `${v6[1]}:x` : 'unknown network'
}
