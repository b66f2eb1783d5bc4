import { requestPasswordReset } from '#server/accounts/request-password-reset.ts'
import { completeSignIn } from '#server/accounts/complete-sign-in.ts'
import { confirmEmail } from '#server/accounts/confirm-email.ts'
import { findKnownDevice } from '#server/accounts/known-device.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { signIn } from '#server/accounts/sign-in.ts'
import { startSession } from '#server/accounts/start-session.ts'
import type { Context } from '#server/context.ts'
import { unsealMail } from '#server/mail/sealed-mail.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay } from '#tests/support/catalog.ts'
import { limitedTo, signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { expect, test } from 'vitest'

const email = 'Zoe@customer.example'
const origin = 'https://shop.example'
const supportEmail = 'support@shop.example'
const passwordHash = await hashPassword('correct horse battery')
const password = 'quite another one'

const mailsOf = async (ctx: Context) =>
  (await ctx.db.selectFrom('outbox').select(['id', 'sealedMail']).orderBy('id').execute()).map((row) =>
    unsealMail(ctx.keys, row.id, row.sealedMail ?? ''),
  )

const laterBy = (ctx: Context, seconds: number): Context => ({
  ...ctx,
  now: new Date(ctx.now.getTime() + seconds * 1000),
})

/** The token of the newest mailed link. */
async function mailedToken(ctx: Context): Promise<string> {
  const mail = (await mailsOf(ctx)).at(-1)
  return /token=([\w-]+)/.exec(JSON.stringify(mail))?.[1] ?? ''
}

eachEngine((_engine, openDb) => {
  test('the emailed link sets a password once and ends every session', async () => {
    const db = await openDb()
    const ctx = testContext(db)
    const userId = await makeUser(db, { email, passwordHash, emailConfirmed: false })
    await startSession(ctx, { userId, userAgent: null })
    await createOneTimeToken(ctx, { purpose: 'second-factor', userId })
    await requestPasswordReset(ctx, { email: 'ZOE@CUSTOMER.example' }, { origin })
    expect(await mailsOf(ctx)).toEqual([
      {
        to: { address: email },
        template: 'reset-password',
        props: {
          link: expect.stringMatching(/^https:\/\/shop\.example\/reset-password\?token=[\w-]{43}$/),
          minutes: 60,
        },
      },
    ])
    const token = await mailedToken(ctx)
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => resetPassword(ctx, { token, password }, { supportEmail })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(resetPassword(ctx, { token, password }, { supportEmail })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'This link has expired or was already used.',
    })
    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
    expect(await db.selectFrom('oneTimeTokens').select('purpose').execute()).toEqual([])
    expect((await signIn(ctx, { email, password })).userId).toBe(userId)
    await expect(signIn(ctx, { email, password: 'correct horse battery' })).rejects.toMatchObject({
      code: 'INVALID',
    })
    expect((await mailsOf(ctx)).at(-1)).toEqual({
      to: { address: email },
      template: 'password-changed',
      props: { supportEmail },
    })
    const user = await db.selectFrom('users').select('emailConfirmedAt').executeTakeFirstOrThrow()
    expect(user.emailConfirmedAt).not.toBeNull()
  })

  test('an unknown address gets no email, after the same work', async () => {
    const plain = await openDb()
    await makeUser(plain, { email, passwordHash })
    const { db, statements } = recordStatements(plain)
    const ctx = testContext(db, { rateLimits: limitedTo('reset', { limit: 9, windowSeconds: 60 }) })
    const run = async (who: string): Promise<string[]> => {
      statements.length = 0
      await requestPasswordReset(ctx, { email: who }, { origin })
      return [...statements]
    }
    const known = await run(email)
    const unknown = await run('unknown@customer.example')
    const writes = (all: string[]) => all.filter((kind) => kind !== 'SelectQueryNode').length
    expect(known.length).toBeGreaterThan(5)
    expect(unknown).toHaveLength(known.length)
    expect(writes(unknown)).toBe(writes(known))
    expect(await mailsOf(ctx)).toHaveLength(1)
  })

  test('only the newest link works, for an hour', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const ctx = testContext(db, { rateLimits: limitedTo('reset', { limit: 5, windowSeconds: 3600 }) })
    await requestPasswordReset(ctx, { email }, { origin })
    const first = await mailedToken(ctx)
    await requestPasswordReset(laterBy(ctx, 60), { email }, { origin })
    const second = await mailedToken(ctx)
    expect(second).not.toBe(first)
    const reset = (token: string, seconds: number) =>
      resetPassword(laterBy(ctx, seconds), { token, password }, { supportEmail })
    await expect(reset(first, 65)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(reset(second, 3661)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await reset(second, 3650)
  })

  test('past five links an hour, no email is sent and the newest link still works', async () => {
    const plain = await openDb()
    const userId = await makeUser(plain, { email, passwordHash })
    const { db, statements } = recordStatements(plain)
    const ctx = testContext(db, { rateLimits: limitedTo('reset', { limit: 5, windowSeconds: 3600 }) })
    const stranger = { ...ctx, clientAddress: '198.51.100.7' }
    const { devices } = await completeSignIn(ctx, {
      userId,
      hasGivenFactor: false,
      userAgent: null,
      cartToken: null,
    })
    const work: number[] = []
    for (let minute = 0; minute < 6; minute++) {
      statements.length = 0
      const request = { email: 'zoe@CUSTOMER.example' }
      await requestPasswordReset(laterBy(stranger, minute * 60), request, { origin })
      work.push(statements.length, statements.filter((kind) => kind !== 'SelectQueryNode').length)
    }
    expect(new Set(work).size).toBe(2)
    expect(await mailsOf(ctx)).toHaveLength(5)
    // The owner's known device has requests of its own.
    await requestPasswordReset(laterBy(ctx, 360), { email }, { origin, devices })
    expect(await mailsOf(ctx)).toHaveLength(6)
    const token = await mailedToken(ctx)
    await requestPasswordReset(laterBy(stranger, 420), { email }, { origin })
    await resetPassword(ctx, { token, password }, { supportEmail })
    // A used link starts the count over.
    await requestPasswordReset(stranger, { email }, { origin })
    expect((await mailsOf(ctx)).at(-1)).toMatchObject({ template: 'reset-password' })

    // An address that asks for many accounts gets the same silence.
    const one = testContext(db, { rateLimits: limitedTo('reset-address', { limit: 1, windowSeconds: 3600 }) })
    await requestPasswordReset(one, { email: 'unknown@customer.example' }, { origin })
    const sent = (await mailsOf(ctx)).length
    await requestPasswordReset(one, { email }, { origin })
    expect(await mailsOf(ctx)).toHaveLength(sent)
  })

  test('a reset signs in although strangers have locked the account', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, passwordHash })
    const ctx = testContext(db, {
      rateLimits: limitedTo('sign-in-account', { limit: 1, windowSeconds: 900 }),
    })
    await signIn(ctx, { email, password: 'wrong' }).catch(() => undefined)
    const intruder = await completeSignIn(ctx, {
      userId,
      hasGivenFactor: true,
      userAgent: null,
      cartToken: null,
    })
    const token = await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
    const reset = await resetPassword(ctx, { token, password }, { supportEmail })
    expect(reset.isClaimed).toBe(false)
    await expect(signIn(ctx, { email, password })).rejects.toMatchObject({ code: 'TOO_MANY' })
    await expect(signIn(ctx, { email, password }, intruder.devices)).rejects.toMatchObject({
      code: 'TOO_MANY',
    })
    expect(await signIn(ctx, { email, password }, reset.devices)).toMatchObject({ userId })
  })

  test('a reset of an account with an unconfirmed address drops all that its creator had', async () => {
    const db = await openDb()
    const creator = testContext(db)
    const userId = await makeUser(db, { email, passwordHash })
    await turnOnSecondFactor(db, userId, testDay, 'correct horse battery')
    // As it could be before a factor needed a confirmed address.
    await db.updateTable('users').set({ emailConfirmedAt: null, oidcSubjectHash: 'creator' }).execute()
    const { devices } = await completeSignIn(creator, {
      userId,
      hasGivenFactor: true,
      userAgent: null,
      cartToken: null,
    })
    for (const purpose of ['second-factor', 'change-email', 'confirm-email'] as const) {
      await createOneTimeToken(creator, { purpose, userId })
    }
    const owner = testContext(db, { clientAddress: '198.51.100.7' })
    await requestPasswordReset(owner, { email }, { origin })
    const token = await mailedToken(owner)
    const weak = resetPassword(owner, { token, password: `${email}!!` }, { supportEmail })
    await expect(weak).rejects.toMatchObject({ code: 'INVALID', fields: { password: expect.any(String) } })
    expect(await resetPassword(owner, { token, password }, { supportEmail })).toMatchObject({
      isClaimed: true,
    })
    expect(await signIn(owner, { email, password })).toMatchObject({ userId, hasSecondFactor: false })
    expect(await db.selectFrom('users').selectAll().execute()).toMatchObject([
      {
        oidcSubjectHash: null,
        sealedTotpSecret: null,
        totpStartedAt: null,
        totpConfirmedAt: null,
        totpLastStep: null,
        emailConfirmedAt: testDay,
      },
    ])
    for (const table of ['sessions', 'oneTimeTokens', 'recoveryCodes'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
    expect(await findKnownDevice(owner, userId, devices)).toBeNull()

    // On a confirmed address the factor stays: a mailbox alone must not bypass it.
    await turnOnSecondFactor(db, userId, testDay, password)
    await requestPasswordReset(owner, { email }, { origin })
    await resetPassword(owner, { token: await mailedToken(owner), password }, { supportEmail })
    expect(await signIn(owner, { email, password })).toMatchObject({ hasSecondFactor: true })
  })

  test('a confirmation link works once, for its account; a link with another purpose does not', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, emailConfirmed: false })
    const ctx = testContext(db, { user: signedIn(userId) })
    const other = await createOneTimeToken(ctx, { purpose: 'reset-password', userId })
    const token = await createOneTimeToken(ctx, { purpose: 'confirm-email', userId })
    // A stranger may have registered the address: its owner has the link, but not the account.
    await expect(confirmEmail(testContext(db), { token })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    const owner = testContext(db, { user: signedIn(await makeUser(db)) })
    await expect(confirmEmail(owner, { token })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(confirmEmail(ctx, { token: other })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await confirmEmail(ctx, { token })
    await expect(confirmEmail(ctx, { token })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const user = await db
      .selectFrom('users')
      .select('emailConfirmedAt')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(user.emailConfirmedAt).toEqual(ctx.now)
  })

  test('a second request within a minute sends nothing, and the first link works', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const ctx = testContext(db)
    await requestPasswordReset(ctx, { email }, { origin })
    const token = await mailedToken(ctx)
    await requestPasswordReset(laterBy(ctx, 59), { email }, { origin })
    expect(await mailsOf(ctx)).toHaveLength(1)
    await resetPassword(laterBy(ctx, 59), { token, password }, { supportEmail })
    // A used link is no reason to wait.
    await requestPasswordReset(laterBy(ctx, 59), { email }, { origin })
    expect((await mailsOf(ctx)).at(-1)).toMatchObject({ template: 'reset-password' })
  })

  test('concurrent requests send one email with a working link', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    await Promise.all(
      Array.from({ length: 8 }, () => requestPasswordReset(testContext(db), { email }, { origin })),
    )
    expect(await mailsOf(testContext(db))).toHaveLength(1)
    expect(await db.selectFrom('oneTimeTokens').select('tokenHash').execute()).toHaveLength(1)
  })
})
