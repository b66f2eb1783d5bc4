import { describeDelivery } from '#domain/checkout/delivery.ts'
import { checkDestination } from '#domain/dispensing/destination.ts'
import { expect, test } from 'vitest'

const pharmacies = [
  { id: 'us', name: 'Cascade', country: 'United States', shipsTo: ['United States', 'Canada'] },
  { id: 'ca', name: 'Maple', country: 'Canada', shipsTo: ['Canada'] },
]

const deliveryOf = (country: string, sources: readonly (string | null)[]) =>
  describeDelivery({
    country,
    homes: pharmacies.filter(({ id }) => sources.includes(id)).map((each) => each.country),
    ...checkDestination(country, sources, pharmacies),
  })

test.each([
  ['', ['us'], 'Standard delivery within the United States takes 3-5 business days once shipped.'],
  ['', ['us', 'ca'], 'Standard delivery within the pharmacy’s country takes 3-5 business days once shipped.'],
  ['USA', ['us'], 'Standard delivery to the USA takes 3-5 business days once shipped.'],
  ['Canada', ['ca'], 'Standard delivery to Canada takes 3-5 business days once shipped.'],
  ['Canada', ['ca', 'us'], 'Standard delivery to Canada takes 7-14 business days once shipped.'],
  [
    'France',
    ['us', 'ca'],
    'Cascade and Maple do not list France as a destination. Contact us before you order.',
  ],
  ['Canada', ['closed'], 'No active pharmacy can ship this now. Contact us before you order.'],
  ['France', ['us'], 'Cascade does not list France as a destination. Contact us before you order.'],
] as const)('to “%s” from %j: %s', (country, sources, expected) => {
  expect(deliveryOf(country, sources).delivery).toBe(expected)
})

test.each([
  ['', ['us'], true],
  ['Canada', ['us', 'ca'], true],
  ['United States', ['us', 'ca'], false],
  ['Narnia', ['us'], false],
] as const)('“%s” is served from %j: %s', (country, sources, isServed) => {
  expect(deliveryOf(country, sources).isDestinationServed).toBe(isServed)
})
