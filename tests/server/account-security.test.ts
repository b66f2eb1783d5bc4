import type { Db } from '#db/engine/client.ts'
import { AppError } from '#domain/errors.ts'
import { confirmEmailChange, findEmailChange, requestEmailChange } from '#server/accounts/change-email.ts'
import { changePassword } from '#server/accounts/change-password.ts'
import { createUser } from '#server/accounts/create-user.ts'
import { endAllSessions, endSessionById } from '#server/accounts/end-session.ts'
import { grantAdmin } from '#server/accounts/grant-admin.ts'
import { createOneTimeToken, peekOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { getSecuritySettings } from '#server/accounts/get-security-settings.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { resendConfirmation } from '#server/accounts/resend-confirmation.ts'
import { absoluteSeconds, getSessionRules } from '#server/accounts/session-rules.ts'
import { signIn } from '#server/accounts/sign-in.ts'
import { startSession } from '#server/accounts/start-session.ts'
import type { Context } from '#server/context.ts'
import { startJobs } from '#server/jobs/run-jobs.ts'
import { getRateLimits } from '#server/rate-limits.ts'
import { createLog } from '#server/log.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay, secondsLater } from '#tests/support/catalog.ts'
import { offlineJobParts, limitedTo, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { password, proof, support } from '#tests/support/second-factor.ts'
import { expect, test, vi } from 'vitest'

const origin = 'https://shop.example'
const production = getSessionRules({ mode: 'production', requireAdminMfa: false })
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** A user with a password, signed in by a browser. */
async function signedInUser(db: Db, email = 'zoe@customer.example') {
  const userId = await makeUser(db, { email, passwordHash: await hashPassword(password) })
  return { userId, ...(await startBrowser(db, userId)) }
}

/** Another browser of a user: its context, and whether it is still signed in. */
async function startBrowser(db: Db, userId: string, overrides: Partial<Context> = {}) {
  const ctx = testContext(db, overrides)
  const token = await startSession(ctx, { userId, userAgent: firefox })
  const user = await getSession(ctx, token, production)
  if (!user) throw new Error('The session is missing.')
  return {
    ctx: { ...ctx, user },
    isSignedIn: async () => (await getSession(ctx, token, production)) !== null,
  }
}

const subjects = async (db: Db) =>
  (await listOutbox(testContext(db))).map(({ to, subject }) => [to.address, subject])

/** The token in the newest email's link. */
const newestLink = async (db: Db): Promise<string> =>
  /token=([\w-]+)/.exec((await listOutbox(testContext(db)))[0]?.text ?? '')?.[1] ?? ''

eachEngine((_engine, openDb) => {
  test('a password change ends other sessions, deletes tokens and notifies the user', async () => {
    const db = await openDb()
    const { userId, ctx, isSignedIn } = await signedInUser(db)
    const other = await startBrowser(db, userId)
    const tokens = await Promise.all(
      (['reset-password', 'second-factor', 'change-email'] as const).map(async (purpose) => ({
        purpose,
        token: await createOneTimeToken(ctx, { purpose, userId }),
      })),
    )
    const change = (currentPassword: string, newPassword = 'a wholly new password') =>
      changePassword(ctx, { currentPassword, newPassword }, support)
    await expect(change('wrong')).rejects.toMatchObject({
      code: 'INVALID',
      fields: { currentPassword: 'This isn’t your current password.' },
    })
    expect([await isSignedIn(), await other.isSignedIn()]).toEqual([true, true])
    expect(await subjects(db)).toEqual([])
    await change(password)
    expect([await isSignedIn(), await other.isSignedIn()]).toEqual([true, false])
    for (const { purpose, token } of tokens) expect(await peekOneTimeToken(ctx, purpose, token)).toBeNull()
    expect(await subjects(db)).toEqual([['zoe@customer.example', 'Your password was changed']])
    const visitor = testContext(db)
    const email = 'zoe@customer.example'
    expect(await signIn(visitor, { email, password: 'a wholly new password' })).toMatchObject({ userId })
    await expect(signIn(visitor, { email, password })).rejects.toMatchObject({ code: 'INVALID' })
    expect(await db.selectFrom('auditLog').select(['actorId', 'action']).execute()).toContainEqual({
      actorId: userId,
      action: 'password.changed',
    })
  })

  test('wrong passwords at the sign-in form or in another session leave the owner’s own attempts', async () => {
    const db = await openDb()
    const { userId, ctx } = await signedInUser(db)
    const rateLimits = getRateLimits({ mode: 'production', rateLimits: true })
    const stolen = await startBrowser(db, userId)
    const change = ({ ctx }: { ctx: Context }, currentPassword: string) =>
      changePassword(
        { ...ctx, rateLimits },
        { currentPassword, newPassword: 'a wholly new password' },
        support,
      )
    const stranger = testContext(db, { rateLimits })
    const attempt = { email: 'zoe@customer.example', password: 'wrong' }
    for (let i = 0; i < 10; i++) {
      await expect(signIn(stranger, attempt)).rejects.toMatchObject({ code: 'INVALID' })
      await expect(change(stolen, 'wrong')).rejects.toMatchObject({ code: 'INVALID' })
    }
    await expect(signIn(stranger, attempt)).rejects.toMatchObject({ code: 'TOO_MANY' })
    await expect(change(stolen, password)).rejects.toMatchObject({ code: 'TOO_MANY' })
    await change({ ctx }, password)
  })

  test('an account without a password cannot change its password or email', async () => {
    const db = await openDb()
    const { ctx } = await startBrowser(db, await makeUser(db))
    await expect(
      changePassword(ctx, { currentPassword: 'x', newPassword: password }, support),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(
      requestEmailChange(ctx, { ...proof, email: 'new@customer.example' }, { origin }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('an email change is confirmed once by its link, and the old address is notified', async () => {
    const db = await openDb()
    const { userId, ctx, isSignedIn } = await signedInUser(db)
    const other = await startBrowser(db, userId)
    const email = 'Zoe.New@customer.example'
    await expect(
      requestEmailChange(ctx, { email, currentPassword: 'x', code: '' }, { origin }),
    ).rejects.toMatchObject({ fields: { currentPassword: expect.any(String) } })
    await requestEmailChange(ctx, { ...proof, email }, { origin })
    expect(await subjects(db)).toEqual([[email, 'Confirm your new email address']])
    const token = await newestLink(db)
    expect(await findEmailChange(ctx, token)).toBe(email)
    expect(await findEmailChange(ctx, token)).toBe(email)
    await confirmEmailChange(ctx, token, support)
    expect((await subjects(db))[0]).toEqual(['zoe@customer.example', 'Your email address was changed'])
    expect([await isSignedIn(), await other.isSignedIn()]).toEqual([true, false])
    await expect(confirmEmailChange(ctx, token, support)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const visitor = testContext(db)
    expect(await signIn(visitor, { email: 'zoe.new@customer.example', password })).toMatchObject({ userId })
    await expect(signIn(visitor, { email: 'zoe@customer.example', password })).rejects.toMatchObject({
      code: 'INVALID',
    })
    const [row] = await db.selectFrom('users').selectAll().execute()
    expect(row?.emailConfirmedAt).toEqual(testDay)
    expect(JSON.stringify(await db.selectFrom('oneTimeTokens').selectAll().execute())).not.toMatch(
      /zoe@|zoe\.new/i,
    )
  })

  test('an email change link works only for the user who requested it', async () => {
    const db = await openDb()
    const { ctx } = await signedInUser(db)
    const stranger = await signedInUser(db, 'stranger@customer.example')
    await requestEmailChange(ctx, { ...proof, email: 'typo@customer.example' }, { origin })
    const token = await newestLink(db)
    expect(await findEmailChange(stranger.ctx, token)).toBeNull()
    await expect(confirmEmailChange(stranger.ctx, token, support)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(confirmEmailChange(testContext(db), token, support)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
    // The failed attempts did not consume the link.
    expect(await findEmailChange(ctx, token)).toBe('typo@customer.example')
  })

  test('an address in use gets the same reply and no email, and cannot be confirmed later', async () => {
    const db = await openDb()
    const { ctx } = await signedInUser(db)
    await makeUser(db, { email: 'taken@customer.example' })
    await requestEmailChange(ctx, { ...proof, email: 'TAKEN@customer.example' }, { origin })
    expect(await subjects(db)).toEqual([])
    await expect(
      requestEmailChange(ctx, { ...proof, email: ' ZOE@customer.example' }, { origin }),
    ).rejects.toMatchObject({ fields: { email: 'This is already your email address.' } })
    await requestEmailChange(ctx, { ...proof, email: 'soon@customer.example' }, { origin })
    const token = await newestLink(db)
    await createUser(testContext(db), {
      email: 'soon@customer.example',
      firstName: null,
      lastName: null,
      passwordHash: null,
    })
    await expect(confirmEmailChange(ctx, token, support)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await subjects(db)).toHaveLength(1)
  })

  test('two users confirming the same address at once: only one gets it', async () => {
    const db = await openDb()
    const people = [await signedInUser(db), await signedInUser(db, 'ada@customer.example')]
    const links: { ctx: Context; token: string }[] = []
    for (const { ctx, userId } of people) {
      const token = await createOneTimeToken(ctx, {
        purpose: 'change-email',
        userId,
        detail: 'shared@customer.example',
      })
      links.push({ ctx, token })
    }
    const outcomes = await Promise.allSettled(
      links.map(({ ctx, token }) => confirmEmailChange(ctx, token, support)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'CONFLICT' },
    })
  })

  test('a concurrent password reset and change do not deadlock', async () => {
    const db = await openDb()
    const { ctx, userId } = await signedInUser(db)
    for (let round = 0; round < 4; round++) {
      await db
        .updateTable('users')
        .set({ passwordHash: await hashPassword(password) })
        .execute()
      const token = await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
      const outcomes = await Promise.allSettled([
        changePassword(ctx, { currentPassword: password, newPassword: 'another one of mine' }, support),
        hashPassword(password).then(() =>
          resetPassword(ctx, { token, password: 'one by the link' }, support),
        ),
      ])
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
      for (const answer of outcomes) {
        if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(AppError)
      }
    }
  })

  test('the confirmation link is resent at most five times an hour', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { emailConfirmed: false })
    const rateLimits = limitedTo('reset', { limit: 5, windowSeconds: 3600 })
    const { ctx } = await startBrowser(db, userId, { rateLimits })
    for (let i = 0; i < 5; i++) await resendConfirmation(ctx, { origin })
    await expect(resendConfirmation(ctx, { origin })).rejects.toMatchObject({ code: 'TOO_MANY' })
    const [newest, ...older] = await listOutbox(testContext(db))
    const tokenOf = (text = '') => /token=([\w-]+)/.exec(text)?.[1] ?? ''
    expect(await peekOneTimeToken(ctx, 'confirm-email', tokenOf(newest?.text))).toMatchObject({ userId })
    for (const { text } of older) {
      expect(await peekOneTimeToken(ctx, 'confirm-email', tokenOf(text))).toBeNull()
    }
    const confirmed = await signedInUser(db)
    await expect(resendConfirmation(confirmed.ctx, { origin })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('the session list shows only the user’s active sessions', async () => {
    const db = await openDb()
    const { userId, ctx } = await signedInUser(db)
    await signedInUser(db, 'other@customer.example')
    await startSession(testContext(db, { clientAddress: '203.0.113.9' }), { userId, userAgent: null })
    await startSession(testContext(db, { now: secondsLater(-1801) }), { userId, userAgent: 'idle' })
    await startSession(testContext(db, { now: secondsLater(-absoluteSeconds) }), {
      userId,
      userAgent: 'over',
    })
    const { sessions } = await getSecuritySettings(ctx, production)
    expect(sessions.map(({ device, address, isCurrent }) => [device, address, isCurrent])).toEqual(
      expect.arrayContaining([
        ['Firefox on Windows', '192.0.2.1', true],
        ['Unknown browser', '203.0.113.9', false],
      ]),
    )
    expect(sessions).toHaveLength(2)
  })

  test('users can end only their own sessions', async () => {
    const db = await openDb()
    const { userId, ctx, isSignedIn } = await signedInUser(db)
    const second = await startBrowser(db, userId)
    const third = await startBrowser(db, userId)
    const stranger = await signedInUser(db, 'stranger@customer.example')
    const end = endSessionById(stranger.ctx, second.ctx.user.sessionId)
    await expect(end).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await second.isSignedIn()).toBe(true)
    await endSessionById(ctx, second.ctx.user.sessionId)
    await expect(endSessionById(ctx, second.ctx.user.sessionId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect([await isSignedIn(), await second.isSignedIn(), await third.isSignedIn()]).toEqual([
      true,
      false,
      true,
    ])
    await endAllSessions(ctx)
    expect([await isSignedIn(), await third.isSignedIn(), await stranger.isSignedIn()]).toEqual([
      false,
      false,
      true,
    ])
  })

  test('signing out everywhere ends sign-ins that wait for a code', async () => {
    const db = await openDb()
    const { userId, ctx } = await signedInUser(db)
    const stranger = await signedInUser(db, 'stranger@customer.example')
    const start = (of: { userId: string; ctx: Context }) =>
      createOneTimeToken(of.ctx, { purpose: 'second-factor', userId: of.userId })
    const [own, other] = [await start({ userId, ctx }), await start(stranger)]
    await endAllSessions(ctx)
    expect(await peekOneTimeToken(ctx, 'second-factor', own)).toBeNull()
    expect(await peekOneTimeToken(ctx, 'second-factor', other)).toMatchObject({ userId: stranger.userId })
  })

  test('grantAdmin grants the role once and audits it', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email: 'first@shop.example' })
    const ctx = testContext(db)
    expect(await grantAdmin(ctx, ' First@shop.example')).toBe(true)
    expect(await grantAdmin(ctx, 'first@shop.example')).toBe(false)
    await expect(grantAdmin(ctx, 'nobody@shop.example')).rejects.toThrow(
      'nobody@shop.example doesn’t have an account.',
    )
    expect(await db.selectFrom('users').select(['id', 'roles']).execute()).toEqual([
      { id: userId, roles: 'admin' },
    ])
    const log = db
      .selectFrom('auditLog')
      .select(['actorId', 'subjectId'])
      .where('action', '=', 'role.changed')
    expect(await log.execute()).toEqual([{ actorId: null, subjectId: userId }])
  })

  test('expired sessions and tokens are deleted; the others stay', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    await startSession(testContext(db, { now: secondsLater(-absoluteSeconds) }), {
      userId,
      userAgent: 'over',
    })
    await startSession(testContext(db), { userId, userAgent: 'here' })
    const past = testContext(db, { now: secondsLater(-3601) })
    await createOneTimeToken(past, { purpose: 'reset-password', userId })
    await createOneTimeToken(past, { purpose: 'confirm-email', userId })
    const ctx = { db, keys: testKeys, now: () => testDay, log: createLog('silent') }
    const stop = startJobs(ctx, offlineJobParts(db))
    await vi.waitFor(
      async () => {
        expect(await db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
        expect(await db.selectFrom('oneTimeTokens').select('purpose').execute()).toEqual([
          { purpose: 'confirm-email' },
        ])
      },
      { timeout: 60_000 },
    )
    await stop()
  })
})
