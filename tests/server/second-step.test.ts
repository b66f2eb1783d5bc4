import type { Db } from '#db/engine/client.ts'
import { renewRecoveryCodes } from '#server/accounts/update-second-factor.ts'
import { completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { rememberDevice } from '#server/accounts/known-device.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { setPassword } from '#server/accounts/set-password.ts'
import { verifySecondFactor, consumeCode } from '#server/accounts/verify-second-factor.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay, secondsLater } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import {
  appCode,
  noProof,
  password,
  proof,
  rules,
  support,
  turnOnSecondFactor,
} from '#tests/support/second-factor.ts'
import { expect, test } from 'vitest'

eachEngine((_engine, openDb) => {
  /** The token after the first step of a sign-in. */
  const firstStep = (db: Db, userId: string, now: Date) =>
    createOneTimeToken(testContext(db, { now }), { purpose: 'second-factor', userId })
  const secondStep = async (
    db: Db,
    userId: string,
    code: string,
    now: Date,
    overrides: Partial<Context> = {},
  ) =>
    verifySecondFactor(testContext(db, { now, ...overrides }), {
      token: await firstStep(db, userId, now),
      code,
    })
  const stateOf = async (db: Db, userId: string) =>
    (await getSecuritySettings(testContext(db, { user: signedIn(userId) }), rules)).secondFactor

  test('a code works once, however it is spaced, and the setup code does not sign in', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const refused = { code: 'INVALID', fields: { code: expect.any(String) } }
    await expect(secondStep(db, userId, appCode(secret, testDay), testDay)).rejects.toMatchObject(refused)
    const code = appCode(secret, secondsLater(30))
    const grouped = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await secondStep(db, userId, grouped, secondsLater(30))).toMatchObject({ userId })
    await expect(secondStep(db, userId, code, secondsLater(31))).rejects.toMatchObject(refused)
    // A code older than the last accepted one no longer works, although its time is still valid.
    expect(await secondStep(db, userId, appCode(secret, secondsLater(90)), secondsLater(90))).toMatchObject({
      userId,
    })
    await expect(
      secondStep(db, userId, appCode(secret, secondsLater(60)), secondsLater(90)),
    ).rejects.toMatchObject(refused)
  })

  test('of fifty concurrent uses of one code, one succeeds', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const now = secondsLater(60)
    const token = await firstStep(db, userId, now)
    const ctx = testContext(db, { now })
    const code = appCode(secret, now)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => verifySecondFactor(ctx, { token, code })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // The time step itself, regardless of the token.
    const at = testContext(db, { now: secondsLater(120) })
    const spent = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        inTransaction(at, (ctx) => consumeCode(ctx, userId, appCode(secret, secondsLater(120)))),
      ),
    )
    expect(spent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a password that changes between the code and the session ends the sign-in', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const reset = async () =>
      setPassword(testContext(db), { userId, passwordHash: await hashPassword(password), ...support })
    const signIn = async (seconds: number, between: () => Promise<unknown>) => {
      const verified = await secondStep(
        db,
        userId,
        appCode(secret, secondsLater(seconds)),
        secondsLater(seconds),
      )
      await between()
      return completeSignIn(testContext(db, { now: secondsLater(seconds) }), {
        ...verified,
        hasGivenFactor: true,
        userAgent: null,
        cartToken: null,
      })
    }
    // The first one sets a password on an account without one.
    await expect(signIn(60, reset)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    await expect(signIn(120, reset)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await signIn(180, async () => {})).toMatchObject({ token: expect.any(String) })
  })

  test('a first-step token works once, expires, and survives a wrong code', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const now = secondsLater(60)
    const token = await firstStep(db, userId, now)
    const verify = (code: string, at: Date) =>
      verifySecondFactor(testContext(db, { now: at }), { token, code })
    await expect(verify('000000', now)).rejects.toMatchObject({ code: 'INVALID' })
    await expect(verify(appCode(secret, secondsLater(660)), secondsLater(660))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    expect(await verify(appCode(secret, secondsLater(600)), secondsLater(600))).toMatchObject({ userId })
    await expect(verify(appCode(secret, secondsLater(630)), secondsLater(630))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    await expect(
      verifySecondFactor(testContext(db, { now }), { token: 'unknown', code: '123456' }),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('a recovery code works once, for its owner, until new codes replace it', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: await hashPassword(password) })
    const other = await makeUser(db)
    const { recoveryCodes } = await turnOnSecondFactor(db, userId, testDay, password)
    await turnOnSecondFactor(db, other, testDay)
    const [first = '', second = '', third = '', fourth = ''] = recoveryCodes
    const typed = ` ${first.toUpperCase().replace('-', ' ')} `
    await expect(secondStep(db, other, first, secondsLater(60))).rejects.toMatchObject({ code: 'INVALID' })
    expect(await secondStep(db, userId, typed, secondsLater(60))).toMatchObject({ userId })
    await expect(secondStep(db, userId, first, secondsLater(60))).rejects.toMatchObject({ code: 'INVALID' })
    expect(await stateOf(db, userId)).toEqual({ state: 'on', codesLeft: 9 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        inTransaction(testContext(db), (ctx) => consumeCode(ctx, userId, second)),
      ),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const ctx = testContext(db, { user: signedIn(userId, { hasSecondFactor: true }) })
    await expect(renewRecoveryCodes(ctx, noProof)).rejects.toMatchObject({ code: 'INVALID' })
    await expect(renewRecoveryCodes(ctx, proof)).rejects.toMatchObject({
      fields: { code: expect.any(String) },
    })
    const [fresh = ''] = await renewRecoveryCodes(ctx, { ...proof, code: third })
    await expect(secondStep(db, userId, fourth, secondsLater(60))).rejects.toMatchObject({ code: 'INVALID' })
    expect(await secondStep(db, userId, fresh, secondsLater(60))).toMatchObject({ userId })
    expect(await stateOf(db, userId)).toEqual({ state: 'on', codesLeft: 9 })
  })

  test('a sign-in under way ends with the other sessions when recovery codes are renewed', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: await hashPassword(password) })
    const { secret, recoveryCodes } = await turnOnSecondFactor(db, userId, testDay, password)
    const now = secondsLater(60)
    const strangers = await firstStep(db, userId, now)
    const [code = ''] = recoveryCodes
    const ctx = testContext(db, { now, user: signedIn(userId, { hasSecondFactor: true }) })
    await renewRecoveryCodes(ctx, { ...proof, code })
    await expect(
      verifySecondFactor(testContext(db, { now }), { token: strangers, code: appCode(secret, now) }),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
  })

  test('ten wrong codes lock the account’s second factor for 15 minutes', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret, recoveryCodes } = await turnOnSecondFactor(db, userId, testDay)
    const rateLimits = limitedTo('second-factor', { limit: 10, windowSeconds: 900 })
    // Correct codes do not count, so normal use locks no one out.
    for (let i = 1; i <= 12; i++) {
      const now = secondsLater(i * 30)
      expect(await secondStep(db, userId, appCode(secret, now), now, { rateLimits })).toMatchObject({
        userId,
      })
    }
    const now = secondsLater(450)
    const ctx = testContext(db, { now, rateLimits })
    const token = await firstStep(db, userId, now)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => verifySecondFactor(ctx, { token, code: '000000' })),
    )
    const codes = outcomes.map((overrides) =>
      overrides.status === 'rejected' ? overrides.reason.code : 'in',
    )
    const count = (expected: string): number => codes.filter((code) => code === expected).length
    expect([count('INVALID'), count('TOO_MANY')]).toEqual([10, 10])
    const [recovery = ''] = recoveryCodes
    for (const code of [appCode(secret, now), recovery]) {
      await expect(secondStep(db, userId, code, now, { rateLimits })).rejects.toMatchObject({
        code: 'TOO_MANY',
      })
    }
    const over = secondsLater(450 + 901)
    expect(await secondStep(db, userId, appCode(secret, over), over, { rateLimits })).toMatchObject({
      userId,
    })
  })

  test('a stranger with the password cannot lock a device that has given a code', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const now = secondsLater(60)
    const ctx = testContext(db, {
      now,
      rateLimits: limitedTo('second-factor', { limit: 2, windowSeconds: 900 }),
    })
    const browser = { userId, userAgent: null, cartToken: null }
    const { devices } = await completeSignIn(ctx, { ...browser, hasGivenFactor: true })
    const ownToken = await firstStep(db, userId, now)
    const strangers = await firstStep(db, userId, now)
    const failed = (token: string, tokens: readonly string[] = []) =>
      verifySecondFactor(ctx, { token, code: '000000' }, tokens).catch(
        (error: unknown) => (error as { code: string }).code,
      )
    // A reset by mail makes known devices, one each time, so they share the account's count.
    const reset = await inTransaction(ctx, (ctx) =>
      rememberDevice(ctx, { userId, tokens: [], hasGivenFactor: false }),
    )
    expect(await failed(strangers)).toBe('INVALID')
    expect(await failed(strangers, reset)).toBe('INVALID')
    expect(await failed(strangers, reset)).toBe('TOO_MANY')
    // Signed-in proofs count for their session.
    const signedInCtx = { ...ctx, user: signedIn(userId, { hasSecondFactor: true }) }
    await expect(renewRecoveryCodes(signedInCtx, { ...noProof, code: '000000' })).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect(await failed(ownToken, devices)).toBe('INVALID')
    expect(
      await verifySecondFactor(ctx, { token: ownToken, code: appCode(secret, now) }, devices),
    ).toMatchObject({ userId })
  })
})
