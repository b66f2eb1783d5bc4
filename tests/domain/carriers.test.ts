import { carriers, trackingUrl } from '#domain/orders/carriers.ts'
import { expect, test } from 'vitest'

test.each([
  ['UPS', '1Z999AA10123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  ['ups ground', '1z999aa10123456784', 'https://www.ups.com/track?tracknum=1Z999AA10123456784'],
  ['USPS', '9400 1000 0000 0000 0000 42', '?tLabels=9400100000000000000042'],
  [' FedEx ', '123456789012', '?trknbr=123456789012'],
  ['DHL Express', 'JD014600006281230704', '?tracking-id=JD014600006281230704'],
  ['Canada Post', '7023210039414604', '?searchFor=7023210039414604'],
  ['Royal Mail', 'JD123456789GB', '#/tracking-results/JD123456789GB'],
])('%s %s has a tracking page', (carrier, trackingNumber, end) => {
  const url = trackingUrl({ carrier, trackingNumber })
  expect(url?.endsWith(end)).toBe(true)
  expect(URL.canParse(url ?? '')).toBe(true)
})

test.each([
  ['Upstate Couriers', '1Z999AA10123456784'],
  ['Local courier', '123456'],
  ['', '123456'],
  [null, '123456'],
  ['UPS', null],
  ['UPS', ''],
  ['UPS', 'at the desk'],
  ['UPS', '1Z"><script>'],
  ['UPS', '123456&a=b'],
  ['Royal Mail', '../../123456'],
])('%s %s has none', (carrier, trackingNumber) => {
  expect(trackingUrl({ carrier, trackingNumber })).toBeNull()
})

test('every suggested carrier has one', () => {
  for (const carrier of carriers)
    expect(trackingUrl({ carrier, trackingNumber: '123456789012' }), carrier).toMatch(
      /^https:\/\/.*123456789012$/,
    )
})
