import { lacksRequiredFactor } from '#domain/accounts/permissions.ts'
import type { Db } from '#db/engine/client.ts'
import {
  startSecondFactor,
  cancelSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '#server/accounts/update-second-factor.ts'
import { confirmEmailChange } from '#server/accounts/change-email.ts'
import { changePassword } from '#server/accounts/change-password.ts'
import { completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { rememberDevice } from '#server/accounts/known-device.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { setPassword } from '#server/accounts/set-password.ts'
import { verifySecondFactor, consumeCode } from '#server/accounts/verify-second-factor.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { createQrCode, findTimeStep, totpUri } from '#server/accounts/totp.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { appCode, turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { expect, test } from 'vitest'

const support = { supportEmail: 'support@shop.example' }
const later = (seconds: number): Date => new Date(testDay.getTime() + seconds * 1000)
const rules = getSessionRules({ mode: 'demo', requireAdminMfa: false })
const password = 'correct horse battery'
const proof = { currentPassword: password, code: '' }
const noProof = { currentPassword: '', code: '' }

/** The last six digits of RFC 6238's table for SHA1 (appendix B). */
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code of RFC 6238 is accepted, but not a minute earlier or later', (seconds, code) => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const at = (shift: number) => findTimeStep(secret, code, new Date((seconds + shift) * 1000))
  const step = Math.floor(seconds / 30)
  expect([at(0), at(-30), at(30)]).toEqual([step, step, step])
  expect([at(-60), at(60)]).toEqual([null, null])
  expect(findTimeStep(secret, '', new Date(seconds * 1000))).toBeNull()
})

test('the otpauth URI names the shop and the account, and its QR code is well formed', () => {
  const uri = totpUri('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'zoe+o’hara@customer.example')
  const url = new URL(uri)
  expect(decodeURIComponent(url.pathname)).toContain('Meridian:zoe+o’hara@customer.example')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    issuer: 'Meridian',
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
  const { size, path } = createQrCode(uri)
  expect((size - 8 - 17) % 4).toBe(0)
  expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/)
  // The first finder pattern, after four light modules.
  expect(path.startsWith('M4 4h7v1h-7z')).toBe(true)
})

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

  test('a second factor is sealed and takes effect only after its first code', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: await hashPassword(password) })
    const ctx = testContext(db, { user: signedIn(userId) })
    await expect(startSecondFactor(ctx, noProof)).rejects.toMatchObject({
      fields: { currentPassword: 'Enter your current password.' },
    })
    await expect(startSecondFactor(ctx, { ...proof, currentPassword: 'x' })).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect(await stateOf(db, userId)).toEqual({ state: 'off' })
    await startSecondFactor(ctx, proof)
    const pending = await stateOf(db, userId)
    if (pending.state !== 'pending') throw new Error(pending.state)
    expect(pending.secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    const [row] = await db.selectFrom('users').selectAll().execute()
    expect(row).toMatchObject({ totpConfirmedAt: null, totpLastStep: null })
    expect(row?.sealedTotpSecret).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toContain(pending.secret.replaceAll(' ', ''))
    await expect(confirmSecondFactor(ctx, { code: '000000' }, support)).rejects.toMatchObject({
      fields: { code: 'This code is incorrect or was already used.' },
    })
    expect(await listOutbox(ctx)).toEqual([])
    const codes = await confirmSecondFactor(ctx, { code: appCode(pending.secret, testDay) }, support)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/)
    expect(await stateOf(db, userId)).toEqual({ state: 'on', codesLeft: 10 })
    const hashes = JSON.stringify(await db.selectFrom('recoveryCodes').selectAll().execute())
    for (const code of codes) expect(hashes).not.toContain(code.slice(0, 5))
    expect((await listOutbox(ctx)).map(({ subject }) => subject)).toEqual(['Two-step sign-in was turned on'])
    expect(await db.selectFrom('auditLog').select('action').orderBy('id').execute()).toContainEqual({
      action: 'second-factor.turned-on',
    })
    await expect(
      confirmSecondFactor(ctx, { code: appCode(pending.secret, testDay) }, support),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    const nowOn = testContext(db, { user: signedIn(userId, { hasSecondFactor: true }) })
    await expect(startSecondFactor(nowOn, proof)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('a pending second factor can be canceled, but not one that is on', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(userId) })
    await startSecondFactor(ctx, noProof)
    await cancelSecondFactor(ctx)
    await cancelSecondFactor(ctx)
    expect(await stateOf(db, userId)).toEqual({ state: 'off' })
    await expect(confirmSecondFactor(ctx, { code: '123456' }, support)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await turnOnSecondFactor(db, userId, testDay)
    await cancelSecondFactor(ctx)
    expect(await stateOf(db, userId)).toEqual({ state: 'on', codesLeft: 10 })
  })

  test('a code works once, however it is spaced, and the setup code does not sign in', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const refused = { code: 'INVALID', fields: { code: expect.any(String) } }
    await expect(secondStep(db, userId, appCode(secret, testDay), testDay)).rejects.toMatchObject(refused)
    const code = appCode(secret, later(30))
    const grouped = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await secondStep(db, userId, grouped, later(30))).toMatchObject({ userId })
    await expect(secondStep(db, userId, code, later(31))).rejects.toMatchObject(refused)
    // A code older than the last accepted one no longer works, although its time is still valid.
    expect(await secondStep(db, userId, appCode(secret, later(90)), later(90))).toMatchObject({ userId })
    await expect(secondStep(db, userId, appCode(secret, later(60)), later(90))).rejects.toMatchObject(refused)
  })

  test('of fifty concurrent uses of one code, one succeeds', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const now = later(60)
    const token = await firstStep(db, userId, now)
    const ctx = testContext(db, { now })
    const code = appCode(secret, now)
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => verifySecondFactor(ctx, { token, code })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // The time step itself, regardless of the token.
    const at = testContext(db, { now: later(120) })
    const spent = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        inTransaction(at, (ctx) => consumeCode(ctx, userId, appCode(secret, later(120)))),
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
      const verified = await secondStep(db, userId, appCode(secret, later(seconds)), later(seconds))
      await between()
      return completeSignIn(testContext(db, { now: later(seconds) }), {
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
    const now = later(60)
    const token = await firstStep(db, userId, now)
    const verify = (code: string, at: Date) =>
      verifySecondFactor(testContext(db, { now: at }), { token, code })
    await expect(verify('000000', now)).rejects.toMatchObject({ code: 'INVALID' })
    await expect(verify(appCode(secret, later(660)), later(660))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    expect(await verify(appCode(secret, later(600)), later(600))).toMatchObject({ userId })
    await expect(verify(appCode(secret, later(630)), later(630))).rejects.toMatchObject({
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
    await expect(secondStep(db, other, first, later(60))).rejects.toMatchObject({ code: 'INVALID' })
    expect(await secondStep(db, userId, typed, later(60))).toMatchObject({ userId })
    await expect(secondStep(db, userId, first, later(60))).rejects.toMatchObject({ code: 'INVALID' })
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
    await expect(secondStep(db, userId, fourth, later(60))).rejects.toMatchObject({ code: 'INVALID' })
    expect(await secondStep(db, userId, fresh, later(60))).toMatchObject({ userId })
    expect(await stateOf(db, userId)).toEqual({ state: 'on', codesLeft: 9 })
  })

  test('ten wrong codes lock the account’s second factor for 15 minutes', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret, recoveryCodes } = await turnOnSecondFactor(db, userId, testDay)
    const rateLimits = limitedTo('second-factor', { limit: 10, windowSeconds: 900 })
    // Correct codes do not count, so normal use locks no one out.
    for (let i = 1; i <= 12; i++) {
      const now = later(i * 30)
      expect(await secondStep(db, userId, appCode(secret, now), now, { rateLimits })).toMatchObject({
        userId,
      })
    }
    const now = later(450)
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
    const over = later(450 + 901)
    expect(await secondStep(db, userId, appCode(secret, over), over, { rateLimits })).toMatchObject({
      userId,
    })
  })

  test('a stranger with the password cannot lock a device that has given a code', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const now = later(60)
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

  test('no second factor before the address is confirmed', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { emailConfirmed: false })
    const ctx = testContext(db, { user: signedIn(userId) })
    const refused = {
      code: 'CONFLICT',
      message: 'Confirm your email address before you set up two-step sign-in.',
    }
    await expect(startSecondFactor(ctx, noProof)).rejects.toMatchObject(refused)
    // A setup that began before this rule.
    await db.updateTable('users').set({ emailConfirmedAt: testDay }).execute()
    await startSecondFactor(ctx, noProof)
    await db.updateTable('users').set({ emailConfirmedAt: null }).execute()
    const pending = await stateOf(db, userId)
    const code = appCode(pending.state === 'pending' ? pending.secret : '', testDay)
    await expect(confirmSecondFactor(ctx, { code }, support)).rejects.toMatchObject(refused)
    await db.updateTable('users').set({ emailConfirmedAt: testDay }).execute()
    expect(await confirmSecondFactor(ctx, { code }, support)).toHaveLength(10)
  })

  test('the password and a code turn it off with an email, except for admins who must have it', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: await hashPassword(password) })
    const { secret } = await turnOnSecondFactor(db, userId, testDay, password)
    const now = later(60)
    const ctx = (overrides = {}) =>
      testContext(db, { now, user: signedIn(userId, { hasSecondFactor: true, ...overrides }) })
    const both = { ...proof, code: appCode(secret, now) }
    const optional = { ...support, requireAdminMfa: false }
    const required = { ...support, requireAdminMfa: true }
    await expect(turnOffSecondFactor(ctx({ isAdmin: true }), proof, required)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    for (const half of [noProof, proof, { ...both, currentPassword: '' }, { ...both, currentPassword: 'x' }])
      await expect(turnOffSecondFactor(ctx(), half, optional)).rejects.toMatchObject({ code: 'INVALID' })
    expect(await stateOf(db, userId)).toEqual({ state: 'on', codesLeft: 10 })
    await turnOffSecondFactor(ctx(), both, required)
    await turnOffSecondFactor(ctx(), both, optional)
    expect(await stateOf(db, userId)).toEqual({ state: 'off' })
    expect(await db.selectFrom('recoveryCodes').selectAll().execute()).toEqual([])
    expect((await listOutbox(ctx())).map(({ subject }) => subject)).toEqual([
      'Two-step sign-in was turned off',
      'Two-step sign-in was turned on',
    ])
  })

  test('without a password, a current code turns it off', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: null })
    const { secret } = await turnOnSecondFactor(db, userId, testDay)
    const now = later(60)
    const ctx = testContext(db, { now, user: signedIn(userId, { hasSecondFactor: true }) })
    const off = (code: string) =>
      turnOffSecondFactor(ctx, { currentPassword: 'anything', code }, { ...support, requireAdminMfa: false })
    await expect(off('')).rejects.toMatchObject({ fields: { code: expect.any(String) } })
    await expect(off('000000')).rejects.toMatchObject({ code: 'INVALID' })
    await off(appCode(secret, now))
    expect(await stateOf(db, userId)).toEqual({ state: 'off' })
  })

  test('setup gives a fresh secret each time, for ten minutes, and none survives a new password or address', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: await hashPassword(password) })
    const at = (seconds: number) => testContext(db, { now: later(seconds), user: signedIn(userId) })
    const secretAt = async (seconds: number): Promise<string> => {
      const { secondFactor } = await getSecuritySettings(at(seconds), rules)
      return secondFactor.state === 'pending' ? secondFactor.secret : secondFactor.state
    }
    await startSecondFactor(at(0), proof)
    const first = await secretAt(0)
    await startSecondFactor(at(1), proof)
    const second = await secretAt(600)
    expect(second).not.toBe(first)
    await expect(
      confirmSecondFactor(at(2), { code: appCode(first, later(2)) }, support),
    ).rejects.toMatchObject({ code: 'INVALID' })
    expect(await secretAt(601)).toBe('off')
    await expect(
      confirmSecondFactor(at(601), { code: appCode(second, later(601)) }, support),
    ).rejects.toMatchObject({ code: 'CONFLICT', message: 'Your setup has expired. Start again.' })

    await startSecondFactor(at(700), proof)
    await changePassword(at(701), { currentPassword: password, newPassword: 'battery staple horse' }, support)
    expect(await secretAt(702)).toBe('off')
    await startSecondFactor(at(710), { ...proof, currentPassword: 'battery staple horse' })
    const token = await inTransaction(at(711), (ctx) =>
      createOneTimeToken(ctx, { purpose: 'change-email', userId, detail: 'new@customer.example' }),
    )
    await confirmEmailChange(at(712), token, support)
    expect(await secretAt(713)).toBe('off')
    const sealed = await db.selectFrom('users').select('sealedTotpSecret').execute()
    expect(sealed).toEqual([{ sealedTotpSecret: null }])
  })

  test('a session opened by password alone ends when another one turns the factor on, changes or ends it', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { passwordHash: null, isAdmin: true })
    const required = getSessionRules({ mode: 'demo', requireAdminMfa: true })
    const open = (hasGivenFactor: boolean, now: Date): Promise<string> =>
      startSession(testContext(db, { now }), { userId, userAgent: null, hasGivenFactor })
    const read = (token: string, now: Date) => getSession(testContext(db, { now }), token, required)
    const [stolen, own] = [await open(false, testDay), await open(false, testDay)]
    const user = await read(own, testDay)
    expect(lacksRequiredFactor(user)).toBe(true)
    const { secret } = await turnOnSecondFactor(db, userId, testDay, '', user)
    expect(await read(stolen, testDay)).toBeNull()
    expect(lacksRequiredFactor(await read(own, testDay))).toBe(false)

    // A sign-in that verified its password before the factor was on.
    await expect(
      completeSignIn(testContext(db), { userId, hasGivenFactor: false, userAgent: null, cartToken: null }),
    ).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(lacksRequiredFactor(await read(await open(false, testDay), testDay))).toBe(true)

    for (const [change, now] of [
      [renewRecoveryCodes, later(60)],
      [
        (ctx: Context, code: typeof proof) =>
          turnOffSecondFactor(ctx, code, { ...support, requireAdminMfa: false }),
        later(120),
      ],
    ] as const) {
      const other = await open(true, now)
      const ctx = testContext(db, { now, user: await read(own, now) })
      await change(ctx, { currentPassword: '', code: appCode(secret, now) })
      expect(await read(other, now)).toBeNull()
      expect(await read(own, now)).not.toBeNull()
    }
  })

  test('second-factor changes require a signed-in user', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const out = { code: 'UNAUTHENTICATED' }
    await expect(startSecondFactor(ctx, proof)).rejects.toMatchObject(out)
    await expect(cancelSecondFactor(ctx)).rejects.toMatchObject(out)
    await expect(confirmSecondFactor(ctx, { code: '1' }, support)).rejects.toMatchObject(out)
    await expect(renewRecoveryCodes(ctx, proof)).rejects.toMatchObject(out)
    await expect(
      turnOffSecondFactor(ctx, proof, { ...support, requireAdminMfa: false }),
    ).rejects.toMatchObject(out)
  })
})
