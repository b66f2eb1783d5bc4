import type { Db } from '#db/engine/client.ts'
import { completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { findKnownDevice, rememberDevice } from '#server/accounts/known-device.ts'
import { listActivity } from '#server/accounts/list-activity.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { resetSecondFactor } from '#server/accounts/reset-second-factor.ts'
import { getSessionRules } from '#server/accounts/session-rules.ts'
import { signIn } from '#server/accounts/sign-in.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { startSecondFactor } from '#server/accounts/update-second-factor.ts'
import { verifySecondFactor } from '#server/accounts/verify-second-factor.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { secondsLater, testDay } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { noProof, password, turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { expect, test } from 'vitest'

const reason = 'Dana called from the number in the staff file and came to the office with a passport.'
const requiresFactor = getSessionRules({ mode: 'production', requireAdminMfa: true })
const email = 'dana@shop.example'
const passwordHash = await hashPassword(password)
const unknownId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'

/** An admin who gave a code just now. */
const asAdmin = async (db: Db, factorVerifiedAt = testDay) => {
  const id = await makeUser(db, { isAdmin: true })
  const user = signedIn(id, { isAdmin: true, email: 'ines@shop.example', hasSecondFactor: true })
  return testContext(db, { user: { ...user, factorVerifiedAt } })
}

/** What gets a user in. */
const waysIn = async (db: Db, userId: string) => {
  const count = async (table: 'recoveryCodes' | 'sessions' | 'knownDevices' | 'oneTimeTokens') =>
    (await db.selectFrom(table).select('userId').where('userId', '=', userId).execute()).length
  const { totpConfirmedAt, sealedTotpSecret } = await db
    .selectFrom('users')
    .select(['totpConfirmedAt', 'sealedTotpSecret'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    isOn: totpConfirmedAt !== null,
    hasSecret: sealedTotpSecret !== null,
    recoveryCodes: await count('recoveryCodes'),
    sessions: await count('sessions'),
    devices: await count('knownDevices'),
    tokens: await count('oneTimeTokens'),
  }
}
const noWayIn = { isOn: false, hasSecret: false, recoveryCodes: 0, sessions: 0, devices: 0, tokens: 0 }

const mailsOf = async (db: Db) =>
  (await listOutbox(testContext(db))).map(({ to, subject }) => `${to.address}: ${subject}`).toSorted()

eachEngine((_engine, openDb) => {
  test('a pharmacist without phone and codes gets in with the password, and has to set up a new phone first', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, passwordHash, roles: ['pharmacist'] })
    const bystander = await makeUser(db)
    for (const id of [userId, bystander]) {
      await turnOnSecondFactor(db, id, testDay, id === userId ? password : '')
      await startSession(testContext(db), { userId: id, userAgent: null, hasGivenFactor: true })
      await rememberDevice(testContext(db), { userId: id, tokens: [], hasGivenFactor: true })
    }
    const devices = await rememberDevice(testContext(db), { userId, tokens: [], hasGivenFactor: true })
    const halfway = await createOneTimeToken(testContext(db), { purpose: 'second-factor', userId })
    const link = await createOneTimeToken(testContext(db), { purpose: 'reset-password', userId })
    const before = await waysIn(db, bystander)
    expect(await waysIn(db, userId)).toEqual({
      isOn: true,
      hasSecret: true,
      recoveryCodes: 10,
      sessions: 1,
      devices: 2,
      tokens: 2,
    })
    const admin = await asAdmin(db)
    await resetSecondFactor(admin, { userId, reason })

    expect(await waysIn(db, userId)).toEqual(noWayIn)
    expect(await waysIn(db, bystander)).toEqual(before)
    expect(await findKnownDevice(testContext(db), userId, devices)).toBeNull()
    const withCode = verifySecondFactor(testContext(db), { token: halfway, code: '123456' })
    await expect(withCode).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    const withLink = resetPassword(testContext(db), { token: link, password: 'x' }, { supportEmail: '' })
    await expect(withLink).rejects.toMatchObject({ code: 'NOT_FOUND' })

    const verified = await signIn(testContext(db), { email, password })
    const sent = { hasGivenFactor: false, userAgent: null, cartToken: null }
    const { token } = await completeSignIn(testContext(db), { ...verified, ...sent })
    const user = await getSession(testContext(db), token, requiresFactor)
    expect(user).toMatchObject({ id: userId, roles: ['pharmacist'], permissions: new Set() })
    await turnOnSecondFactor(db, userId, secondsLater(60), password, user)
    const open = await getSession(testContext(db), token, requiresFactor)
    expect(open?.permissions.has('prescriptions.clear')).toBe(true)
  })

  test('a reset is in the audit log with its sealed reason, and the person gets an email without it', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, roles: ['pharmacist'] })
    await turnOnSecondFactor(db, userId, testDay)
    const admin = await asAdmin(db)
    await resetSecondFactor(admin, { userId, reason })

    const log = db.selectFrom('auditLog').select(['actorId', 'subjectId', 'action'])
    expect(await log.where('action', '=', 'second-factor.reset').execute()).toEqual([
      { actorId: admin.user?.id, subjectId: userId, action: 'second-factor.reset' },
    ])
    const details = JSON.stringify(await db.selectFrom('auditDetails').selectAll().execute())
    expect(details).not.toContain('passport')
    const own = testContext(db, { user: signedIn(userId) })
    for (const filter of ['sign-ins', 'others'] as const) {
      const { activities } = await listActivity(own, { before: null, filter })
      expect(activities).toContainEqual(
        expect.objectContaining({
          by: { kind: 'staff', firstName: 'Zoë' },
          description: 'reset two-step sign-in',
          reason,
        }),
      )
    }
    expect(JSON.stringify(await listOutbox(testContext(db)))).not.toContain('passport')
  })

  test('every admin gets an email about the reset of an account of staff', async () => {
    const db = await openDb()
    const admin = await asAdmin(db)
    await makeUser(db, { email: 'otto@shop.example', isAdmin: true })
    await makeUser(db, { email: 'pia@shop.example', roles: ['support'] })
    const userId = await makeUser(db, { email, roles: ['admin', 'pharmacist'] })
    await turnOnSecondFactor(db, userId, testDay)
    await db.updateTable('users').set({ suspendedAt: testDay }).where('id', '=', userId).execute()
    await resetSecondFactor(admin, { userId, reason })
    const subject = 'A staff account’s two-step sign-in was reset'
    const mails = (await listOutbox(testContext(db))).filter((mail) => mail.subject === subject)
    expect(mails).toHaveLength(2)
    expect(mails.map(({ to }) => to.address)).toContain('otto@shop.example')
    for (const { text } of mails) {
      expect(text).toContain(
        'ines@shop.example reset the two-step sign-in of dana@shop.example (Admin and Pharmacist).',
      )
      expect(text).not.toContain('passport')
    }
    expect(await mailsOf(db)).toContain(`${email}: Your two-step sign-in was reset`)
    // It stays suspended.
    const { suspendedAt } = await db
      .selectFrom('users')
      .select('suspendedAt')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(suspendedAt).not.toBeNull()
  })

  test('only an admin with a recent code can reset someone else’s active second factor', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { roles: ['pharmacist'] })
    const admin = await asAdmin(db)
    const adminId = admin.user?.id ?? ''
    const reset = (ctx = admin, id = userId) => resetSecondFactor(ctx, { userId: id, reason })
    const off = { code: 'CONFLICT', message: expect.stringContaining('is off for this account') }
    await expect(reset()).rejects.toMatchObject(off)
    // A setup that was never finished stays: its user may be typing the code.
    await startSecondFactor(testContext(db, { user: signedIn(userId) }), noProof)
    await expect(reset()).rejects.toMatchObject(off)
    expect(await waysIn(db, userId)).toMatchObject({ isOn: false, hasSecret: true })

    for (const id of [userId, adminId]) await turnOnSecondFactor(db, id, testDay)
    const before = [await waysIn(db, userId), await waysIn(db, adminId)]
    await expect(reset(testContext(db))).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    const staff = (['pharmacist', 'fulfillment', 'support', 'catalog-manager'] as const).map((role) =>
      testContext(db, { user: signedIn(adminId, { roles: [role] }) }),
    )
    for (const ctx of staff) await expect(reset(ctx)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(reset(await asAdmin(db, secondsLater(-601)))).rejects.toMatchObject({
      code: 'CODE_REQUIRED',
    })
    await expect(reset(admin, adminId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('your own two-step sign-in'),
    })
    for (const id of [unknownId, 'x']) {
      await expect(reset(admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    // An admin whose role was removed, or who was suspended, after their session was read.
    const former = await asAdmin(db)
    await db
      .updateTable('users')
      .set({ roles: '' })
      .where('id', '=', former.user?.id ?? '')
      .execute()
    await expect(reset(former)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect([await waysIn(db, userId), await waysIn(db, adminId)]).toEqual(before)
    const log = db.selectFrom('auditLog').select('action').where('action', '=', 'second-factor.reset')
    expect(await log.execute()).toEqual([])
  })

  test('of two resets at once one succeeds, and the other reports that it is off', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { roles: ['pharmacist'] })
    await turnOnSecondFactor(db, userId, testDay)
    const admins = [await asAdmin(db), await asAdmin(db)]
    const outcomes = await Promise.allSettled(
      admins.map((admin) => resetSecondFactor(admin, { userId, reason })),
    )
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({
        code: 'CONFLICT',
        message: expect.stringContaining('already reset'),
      }) as unknown,
    })
    const log = db.selectFrom('auditLog').select('action').where('action', '=', 'second-factor.reset')
    expect(await log.execute()).toHaveLength(1)
  })
})
