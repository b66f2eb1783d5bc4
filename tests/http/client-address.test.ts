import { resolveClientAddress } from '#app/http/middleware/client-address.ts'
import { expect, test } from 'vitest'

test.each([
  // Without a proxy, the client chooses the header, so it does not count.
  [null, '198.51.100.7', 0, '198.51.100.7'],
  ['203.0.113.9', '198.51.100.7', 0, '198.51.100.7'],
  // One proxy: it wrote the last entry. The client chose the entries to its left.
  ['203.0.113.9', '10.0.0.1', 1, '203.0.113.9'],
  ['1.1.1.1, 2.2.2.2, 203.0.113.9', '10.0.0.1', 1, '203.0.113.9'],
  ['1.1.1.1, 203.0.113.9, 10.0.0.2', '10.0.0.1', 2, '203.0.113.9'],
  // Fewer entries than proxies, no entries, or no address.
  ['203.0.113.9', '10.0.0.1', 3, '203.0.113.9'],
  [null, '10.0.0.1', 1, '10.0.0.1'],
  ['unknown', '10.0.0.1', 1, '10.0.0.1'],
  ['<script>', '10.0.0.1', 1, '10.0.0.1'],
  ['', '10.0.0.1', 1, '10.0.0.1'],
  [null, null, 0, 'unknown'],
  // The ways to write an address.
  ['203.0.113.9:4711', '10.0.0.1', 1, '203.0.113.9'],
  [null, '::ffff:198.51.100.7', 0, '198.51.100.7'],
  [null, '::FFFF:C633:6407', 0, '198.51.100.7'],
  [null, '2001:db8:1:2:3:4:5:6', 0, '2001:db8:1:2::/64'],
  [null, '2001:DB8:1:2::9', 0, '2001:db8:1:2::/64'],
  [null, '2001:db8::1', 0, '2001:db8:0:0::/64'],
  [null, '::1', 0, '0:0:0:0::/64'],
  [null, 'fe80::1%eth0', 0, 'fe80:0:0:0::/64'],
  ['[2001:db8:1:2::9]:4711', '10.0.0.1', 1, '2001:db8:1:2::/64'],
] as const)('X-Forwarded-For %j over %j with %i proxies is %s', (forwarded, socket, hops, address) => {
  expect(resolveClientAddress(forwarded, socket, hops)).toBe(address)
})
