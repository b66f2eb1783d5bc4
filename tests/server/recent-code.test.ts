import type { Context } from '#server/context.ts'
import { withRecentCode } from '#server/accounts/recent-code.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { appCode, turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  test('a form that is sent twice at once needs its code only once', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { isAdmin: true })
    const user = { ...signedIn(userId, { isAdmin: true }), hasSecondFactor: true, factorVerifiedAt: null }
    const start = testContext(db, { user })
    const { secret } = await turnOnSecondFactor(db, userId, start.now)
    const { now } = start
    await db
      .insertInto('sessions')
      .values({
        id: user.sessionId,
        userId,
        tokenHash: 'x',
        sealedDevice: '-',
        factorVerifiedAt: null,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: later(now, 60),
      })
      .execute()
    const ctx: Context = { ...start, now: later(now, 1) }
    const code = appCode(secret, ctx.now)
    const twice = await Promise.all([withRecentCode(ctx, code), withRecentCode(ctx, code)])
    expect(twice.map(({ user: verified }) => verified?.factorVerifiedAt)).toEqual([ctx.now, ctx.now])
    expect(
      await db
        .selectFrom('auditLog')
        .select('id')
        .where('action', '=', 'second-factor.code-refused')
        .execute(),
    ).toEqual([])
    // Another session still needs a code of its own.
    const other = { ...ctx, user: { ...user, sessionId: 'another' } }
    await expect(withRecentCode(other, code)).rejects.toEqual(expect.objectContaining({ code: 'INVALID' }))
  })
})

const later = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000)
