import { createListLimit } from '#app/http/middleware/limit-lists.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { limitedTo, signedIn } from '#tests/support/context.ts'
import { expect, test } from 'vitest'

/** How many of five requests are answered when three are allowed. */
function answeredOf(url: string, user: SessionUser | null = null, limit = createListLimit()): number {
  const request = { method: 'GET', path: new URL(url, 'http://shop').pathname, url: `http://shop${url}` }
  const reader = {
    user,
    clientAddress: '192.0.2.1',
    now: testDay,
    rateLimits: limitedTo('whole-list', { limit: 3, windowSeconds: 60 }),
  }
  let answered = 0
  for (let i = 0; i < 5; i++) {
    try {
      limit(request, reader)
      answered++
    } catch (error) {
      expect(error).toMatchObject({ code: 'TOO_MANY' })
    }
  }
  return answered
}

test.each([
  ['/api/products', 3],
  ['/api/products?limit=24', 5],
  ['/api/product-variants', 3],
  ['/api/product-variants?limit=24', 5],
  // They have no pages, so a limit changes nothing.
  ['/api/manufacturers', 3],
  ['/api/manufacturers?limit=1', 3],
  ['/sitemaps/products-1.xml?limit=1', 3],
  ['/products', 5],
])('of five requests for %s, %i are answered', (url, answered) => {
  expect(answeredOf(url)).toBe(answered)
})

test('each API key has a limit of its own, apart from its creator’s', () => {
  const limit = createListLimit()
  const creator = signedIn('user')
  expect(answeredOf('/api/products', { ...creator, apiKeyId: 'one' }, limit)).toBe(3)
  expect(answeredOf('/api/products', { ...creator, apiKeyId: 'two' }, limit)).toBe(3)
  expect(answeredOf('/api/products', creator, limit)).toBe(3)
})
