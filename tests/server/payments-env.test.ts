import { readEnv } from '#server/env.ts'
import { productionEnv } from '#tests/support/production-env.ts'
import { expect, test } from 'vitest'

const live = {
  STRIPE_SECRET_KEY: 'sk_live_no_secret',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_no_secret',
}

test('production requires Stripe; the demo has demo payments', () => {
  expect(readEnv('production', productionEnv).payments).toMatchObject({ kind: 'stripe', apiUrl: null })
  expect(readEnv('demo', {})).toMatchObject({
    payments: { kind: 'demo' },
    holdSeconds: 900,
    reconcileSeconds: 30,
  })
})

test.each<[name: string, says: string, given: Record<string, string | undefined>]>([
  ['PAYMENTS', 'must be stripe', { PAYMENTS: 'demo' }],
  ['PAYMENTS', 'must be stripe', { PAYMENTS: undefined }],
  ['STRIPE_SECRET_KEY', 'is required', { STRIPE_SECRET_KEY: undefined }],
  ['STRIPE_WEBHOOK_SECRET', 'is required', { STRIPE_WEBHOOK_SECRET: '' }],
  ['STRIPE_PUBLISHABLE_KEY', 'is required', { STRIPE_PUBLISHABLE_KEY: undefined }],
  ['STRIPE_PUBLISHABLE_KEY', 'is a secret', { STRIPE_PUBLISHABLE_KEY: 'sk_test_no_secret' }],
  ['STRIPE_PUBLISHABLE_KEY', 'must be for the same mode', { STRIPE_PUBLISHABLE_KEY: 'pk_live_no_secret' }],
  ['STRIPE_API_URL', 'can’t be set with a live key', { ...live, STRIPE_API_URL: 'http://127.0.0.1:12111' }],
  ['STRIPE_API_URL', '', { STRIPE_API_URL: 'somewhere' }],
  ['CHECKOUT_HOLD_SECONDS', '', { CHECKOUT_HOLD_SECONDS: '86400' }],
])('%s %s: %j stops production from starting', (name, says, given) => {
  expect(() => readEnv('production', { ...productionEnv, ...given })).toThrow(
    new RegExp(`^${name}: .*${says}`, 'm'),
  )
})

test('outside production, Stripe’s publishable key can be absent', () => {
  const { payments } = readEnv('demo', { ...productionEnv, STRIPE_PUBLISHABLE_KEY: '' })
  expect(payments).toMatchObject({ kind: 'stripe', publishableKey: null })
})
