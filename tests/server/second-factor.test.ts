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
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { createQrCode, findTimeStep, totpUri } from '#server/accounts/totp.ts'
import { inTransaction, type Context } from '#server/context.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay, secondsLater } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
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
    const now = secondsLater(60)
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
    const now = secondsLater(60)
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
    const at = (seconds: number) => testContext(db, { now: secondsLater(seconds), user: signedIn(userId) })
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
      confirmSecondFactor(at(2), { code: appCode(first, secondsLater(2)) }, support),
    ).rejects.toMatchObject({ code: 'INVALID' })
    expect(await secretAt(601)).toBe('off')
    await expect(
      confirmSecondFactor(at(601), { code: appCode(second, secondsLater(601)) }, support),
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
      [renewRecoveryCodes, secondsLater(60)],
      [
        (ctx: Context, code: typeof proof) =>
          turnOffSecondFactor(ctx, code, { ...support, requireAdminMfa: false }),
        secondsLater(120),
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
