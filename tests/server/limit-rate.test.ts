import { deleteExpiredLimits } from '#db/limits/rate-limits.ts'
import { consumeRate } from '#server/limit-rate.ts'
import { getRateLimits } from '#server/rate-limits.ts'
import { secondsLater } from '#tests/support/catalog.ts'
import { limitedTo, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { expect, test } from 'vitest'

const rateLimits = limitedTo('contact', { limit: 20, windowSeconds: 600 })

test('limits are strict in production, relaxed in dev and demo, and can be turned off', () => {
  expect(getRateLimits({ mode: 'production', rateLimits: true })).toMatchObject({
    contact: { limit: 5, windowSeconds: 3600 },
  })
  for (const mode of ['dev', 'demo'] as const) {
    const { limit = 0, windowSeconds = 0 } = getRateLimits({ mode, rateLimits: true })?.contact ?? {}
    expect((limit / windowSeconds) * 60).toBeGreaterThanOrEqual(300)
  }
  expect(getRateLimits({ mode: 'production', rateLimits: false })).toBeNull()
})

eachEngine((_engine, openDb) => {
  test('of fifty concurrent actions exactly the limit passes', async () => {
    const ctx = testContext(await openDb(), { rateLimits })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => consumeRate(ctx, 'contact', '192.0.2.7')),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    const row = await ctx.db.selectFrom('rateLimits').selectAll().executeTakeFirstOrThrow()
    expect(row.hits).toBe(50)
  })

  test('an exceeded limit reports the remaining seconds and resets after the window', async () => {
    const db = await openDb()
    const at = (seconds: number) =>
      consumeRate(testContext(db, { rateLimits, now: secondsLater(seconds) }), 'contact', '192.0.2.7')
    for (let i = 0; i < 20; i++) await at(i)
    await expect(at(200)).rejects.toMatchObject({
      code: 'TOO_MANY',
      retryAfter: 400,
      message: 'Too many requests. Try again in 7 minutes.',
    })
    await expect(at(599.5)).rejects.toMatchObject({
      retryAfter: 1,
      message: 'Too many requests. Try again in a minute.',
    })
    for (let i = 0; i < 20; i++) await at(600 + i)
    await expect(at(620)).rejects.toMatchObject({ code: 'TOO_MANY', retryAfter: 580 })
  })

  test('limits are counted per address, and no address is stored', async () => {
    const db = await openDb()
    const ctx = testContext(db, { rateLimits: limitedTo('contact', { limit: 1, windowSeconds: 60 }) })
    await consumeRate(ctx, 'contact', '192.0.2.7')
    await consumeRate(ctx, 'contact', '2001:db8:0:0::/64')
    await expect(consumeRate(ctx, 'contact', '192.0.2.7')).rejects.toMatchObject({ code: 'TOO_MANY' })
    const rows = await db.selectFrom('rateLimits').selectAll().execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|2001:db8|contact/)
  })

  test('nothing is counted when limits are off', async () => {
    const db = await openDb()
    for (let i = 0; i < 30; i++) await consumeRate(testContext(db), 'contact', '192.0.2.7')
    expect(await db.selectFrom('rateLimits').selectAll().execute()).toEqual([])
  })

  test('ended windows are deleted; the others stay', async () => {
    const db = await openDb()
    await consumeRate(testContext(db, { rateLimits }), 'contact', 'first')
    await consumeRate(testContext(db, { rateLimits, now: secondsLater(300) }), 'contact', 'second')
    await deleteExpiredLimits(db, secondsLater(700))
    const [row, ...others] = await db.selectFrom('rateLimits').selectAll().execute()
    expect(others).toEqual([])
    expect(row?.endsAt).toEqual(secondsLater(900))
  })
})
