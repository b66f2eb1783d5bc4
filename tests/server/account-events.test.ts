import type { Db } from '#db/engine/client.ts'
import type { AccessChange } from '#domain/accounts/account-access.ts'
import { changeAccess } from '#server/accounts/change-access.ts'
import { completeSignIn, startSecondStep } from '#server/accounts/complete-sign-in.ts'
import { endAllSessions, endSession, endSessionById } from '#server/accounts/end-session.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { grantAdmin } from '#server/accounts/grant-admin.ts'
import { replaceRoles } from '#server/accounts/set-roles.ts'
import { updateUser } from '#server/accounts/update-user.ts'
import { listActivity } from '#server/accounts/list-activity.ts'
import { listSignIns } from '#server/accounts/list-sign-ins.ts'
import { createOneTimeToken } from '#server/accounts/one-time-token.ts'
import { hashPassword } from '#server/accounts/passwords.ts'
import { recordAccessRefusals } from '#server/accounts/record-refusal.ts'
import { requestPasswordReset } from '#server/accounts/request-password-reset.ts'
import { resetPassword } from '#server/accounts/reset-password.ts'
import { signInWithIdentity } from '#server/accounts/sign-in-with-identity.ts'
import { signIn } from '#server/accounts/sign-in.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { verifyAudit } from '#server/audit/verify-audit.ts'
import { finalizeCheckout } from '#server/checkout/finalize-checkout.ts'
import type { Context } from '#server/context.ts'
import { chainAudit } from '#server/jobs/chain-audit.ts'
import { createLog } from '#server/log.ts'
import { listOutbox } from '#server/mail/list-outbox.ts'
import { findOrder } from '#server/orders/find-order.ts'
import { requirePermission } from '#server/require-user.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { allColumns } from '#tests/support/all-columns.ts'
import { addProduct, addVariant } from '#tests/support/catalog.ts'
import { asCustomer, openCheckout, pay } from '#tests/support/checkouts.ts'
import { limitedTo, signedIn, testContext, testKeys } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const password = 'correct horse battery'
const passwordHash = await hashPassword(password)
const email = 'zoe@customer.example'
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36'
const device = { userAgent: chrome, clientAddress: '203.0.113.77' }
const rules = { idleSeconds: 1800, staffIdleSeconds: 900, requireAdminMfa: false }

const eventsOf = (db: Db) =>
  db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectId', 'action', 'objectId'])
    .where('action', '!=', 'account.created')
    .orderBy('id')
    .execute()

/** Signs in with the password, as the form does. Returns a context with the session. */
async function openBrowser(db: Db, overrides: Partial<Context> = {}): Promise<Context> {
  const ctx = testContext(db, { ...device, ...overrides })
  const verified = await signIn(ctx, { email, password })
  const sent = { hasGivenFactor: false, userAgent: chrome, cartToken: null }
  const { token } = await completeSignIn(ctx, { ...verified, ...sent })
  return { ...ctx, user: await getSession(ctx, token, rules) }
}

eachEngine((_engine, openDb) => {
  test('sign-ins, refusals and sign-outs are in the activity, with the device and a masked network', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, passwordHash })
    await expect(signIn(testContext(db, device), { email, password: 'wrong' })).rejects.toMatchObject({
      code: expect.stringMatching(/^(INVALID|TOO_MANY|NOT_FOUND)$/),
    })
    const elsewhere = await openBrowser(db, { clientAddress: '2001:db8:12:34::/64', userAgent: null })
    const ctx = await openBrowser(db)
    await endSessionById(ctx, elsewhere.user?.sessionId ?? '')
    const { activities } = await listActivity(ctx, { before: null, filter: 'sign-ins' })
    expect(activities.map(({ by, description, device }) => [by.kind, description, device])).toEqual([
      ['self', 'signed out another browser', 'Chrome on Windows, 203.0.113.x'],
      ['self', 'signed in', 'this browser'],
      ['self', 'signed in', 'Unknown browser, 2001:db8:12:x'],
      ['unknown', 'tried to sign in with a wrong password', 'Chrome on Windows, 203.0.113.x'],
      ['shop', 'created the account', null],
    ])
    await endSession(ctx)
    await endSession(ctx)
    await endAllSessions(await openBrowser(db))
    const actions = (await eventsOf(db)).map(({ action }) => action)
    expect(actions.slice(-3)).toEqual(['session.ended', 'sign-in.completed', 'sessions.ended'])
    expect(new Set((await eventsOf(db)).map(({ subjectId }) => subjectId))).toEqual(new Set([userId]))
    await chainAudit({ db, log: createLog('silent'), keys: testKeys }, new AbortController().signal)
    expect(await verifyAudit(db, { keys: testKeys, onFinding: () => {} })).toMatchObject({
      findings: 0,
      pending: 0,
    })
  })

  test('no address, device or network of an account is in the database in the clear', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const ctx = await openBrowser(db)
    for (const tried of [email, 'unknown@customer.example']) {
      await expect(
        signIn(testContext(db, device), { email: tried, password: 'wrong' }),
      ).rejects.toMatchObject({ code: expect.stringMatching(/^(INVALID|TOO_MANY|NOT_FOUND)$/) })
    }
    for (const { table, column } of await allColumns(db)) {
      const text = sql<string>`cast(${sql.ref(column)} as text)`
      const { rows } = await sql<{
        value: string | null
      }>`select ${text} as value from ${sql.table(table)}`.execute(db)
      for (const { value } of rows)
        expect(value ?? '', `${table}.${column}`).not.toMatch(/@customer|203\.0\.113\.77|Windows/)
    }
    const { subjectId, actorId } = (await eventsOf(db)).at(-1) ?? {}
    expect({ actorId, subjectId }).toEqual({
      actorId: null,
      subjectId: expect.stringMatching(/^address:[\w-]{43}$/),
    })
    const details = await db.selectFrom('auditDetails').selectAll().orderBy('auditId', 'desc').execute()
    // As many rows as for the account: an attacker could time the difference.
    expect(details).toHaveLength(3)
    expect(details[0]).toMatchObject({ userId: null, sealedDetail: null, network: '203.0.113.x' })
    await expect(sql`update audit_details set network = 'x'`.execute(db)).rejects.toThrow('append-only')
    await db
      .deleteFrom('users')
      .where('id', '=', ctx.user?.id ?? '')
      .execute()
    expect(await db.selectFrom('auditDetails').select('userId').execute()).toEqual([{ userId: null }])
  })

  test('refusals are recorded up to a bound, then only at powers of ten', async () => {
    const db = await openDb()
    await makeUser(db, { email, passwordHash })
    const rateLimits = limitedTo('sign-in-account', { limit: 3, windowSeconds: 900 })
    const attempt = (n: number, tried = email) =>
      signIn(testContext(db, { rateLimits, clientAddress: `192.0.2.${n}` }), {
        email: tried,
        password: 'wrong',
      })
    for (let n = 0; n < 103; n++)
      await expect(attempt(n)).rejects.toMatchObject({
        code: expect.stringMatching(/^(INVALID|TOO_MANY|NOT_FOUND)$/),
      })
    const numbersOf = async (action: string) =>
      (await eventsOf(db)).filter((row) => row.action === action).map(({ objectId }) => objectId)
    expect(await numbersOf('sign-in.password-refused')).toEqual(['1', '2', '3'])
    expect(await numbersOf('sign-in.locked')).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `${i + 1}`),
      '100',
    ])
    // One network that names a new address each time stays within a bound.
    const before = (await eventsOf(db)).length
    const limited = limitedTo('sign-in-address', { limit: 0, windowSeconds: 900 })
    for (let n = 0; n < 150; n++) {
      const ctx = testContext(db, { rateLimits: limited, clientAddress: '198.51.100.1' })
      await expect(signIn(ctx, { email: `a${n}@nowhere.example`, password: 'wrong' })).rejects.toMatchObject({
        code: expect.stringMatching(/^(INVALID|TOO_MANY|NOT_FOUND)$/),
      })
    }
    expect((await eventsOf(db)).length - before).toBe(100)
  })

  test('a signed-in user’s refused requests are recorded once each, with what was asked for', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const ctx = testContext(db, { ...device, user: signedIn(userId), refusals: new Set() })
    const orderId = '0190a6f2-1b2c-7d3e-8f4a-5b6c7d8e9f0a'
    for (const id of [orderId, orderId, 'not-an-id'])
      await expect(findOrder(ctx, id)).rejects.toMatchObject({
        code: expect.stringMatching(/^(INVALID|TOO_MANY|NOT_FOUND)$/),
      })
    expect(() => requirePermission(ctx, 'customers.manage')).toThrow('permission')
    await recordAccessRefusals(ctx)
    const refused = { actorId: userId, subjectId: userId, action: 'access.refused' }
    expect(await eventsOf(db)).toEqual([
      { ...refused, objectId: orderId },
      { ...refused, objectId: '2' },
    ])
  })

  test('an identity that gets into an account is in its activity, and so is what it ended', async () => {
    const db = await openDb()
    const person = { issuer: 'https://id.example', isEmailVerified: true, firstName: null, lastName: null }
    const owner = await makeUser(db, { email, passwordHash })
    await signInWithIdentity(testContext(db, device), { ...person, subject: 'zoe', email })
    await signInWithIdentity(testContext(db, device), { ...person, subject: 'zoe', email })
    // Another person may have opened it.
    const unconfirmed = await makeUser(db, { email: 'eve@customer.example', emailConfirmed: false })
    await signInWithIdentity(testContext(db, device), {
      ...person,
      subject: 'eve',
      email: 'eve@customer.example',
    })
    const by = (id: string, action: string) => ({ actorId: id, subjectId: id, action, objectId: null })
    expect(await eventsOf(db)).toEqual([
      by(owner, 'sign-in.identity-linked'),
      by(unconfirmed, 'sign-in.identity-linked'),
      by(unconfirmed, 'sessions.ended'),
    ])
  })

  test('a suspended account cannot sign in by any route, and its session ends at once', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email, passwordHash })
    const adminId = await makeUser(db, { isAdmin: true })
    const identity = { issuer: 'https://id.example', subject: 'zoe', email, isEmailVerified: true }
    const person = { ...identity, firstName: null, lastName: null }
    expect(await signInWithIdentity(testContext(db), person)).toMatchObject({ userId })
    const browser = await openBrowser(db)
    const token = await createOneTimeToken(browser, { purpose: 'reset-password', userId })
    const verified = await signIn(testContext(db), { email, password })
    const admin = testContext(db, { user: signedIn(adminId, { isAdmin: true }) })
    const change = (change: AccessChange) => changeAccess(admin, { userId, change, reason: 'Card testing' })
    expect([await change('suspend'), await change('suspend')]).toEqual([true, false])
    expect(await db.selectFrom('sessions').select('id').where('userId', '=', userId).execute()).toEqual([])
    // A session that was written by hand.
    const late = await startSession(testContext(db), { userId, userAgent: null })
    expect(await getSession(testContext(db), late, rules)).toBeNull()
    const refused = { code: 'FORBIDDEN', message: expect.stringContaining('suspended') }
    // Only the right password learns it.
    await expect(signIn(testContext(db), { email, password: 'wrong' })).rejects.toMatchObject({
      code: 'INVALID',
    })
    await expect(openBrowser(db)).rejects.toMatchObject(refused)
    const sent = { hasGivenFactor: true, userAgent: null, cartToken: null }
    const factor = completeSignIn(testContext(db), { ...sent, userId })
    await expect(factor).rejects.toMatchObject(refused)
    await expect(startSecondStep(testContext(db), verified)).rejects.toMatchObject(refused)
    const known = await signInWithIdentity(testContext(db), person)
    await expect(startSecondStep(testContext(db), known)).rejects.toMatchObject(refused)
    const reset = resetPassword(
      testContext(db),
      { token, password: 'a wholly new one' },
      { supportEmail: '' },
    )
    await expect(reset).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await requestPasswordReset(testContext(db), { email }, { origin: 'https://shop.example' })
    expect(await change('end-sessions')).toBe(true)
    expect([await change('restore'), await change('restore')]).toEqual([true, false])
    const mails = (await listOutbox(testContext(db))).map(({ to, subject }) => [to.address, subject])
    expect(mails.toReversed()).toEqual([
      [email, 'Your account was suspended'],
      [email, 'Your account was restored'],
    ])
    const again = await openBrowser(db)
    const { activities } = await listActivity(again, { before: null, filter: 'others' })
    const staff = activities.filter(({ by }) => by.kind === 'staff')
    expect(staff.map(({ description, reason }) => [description, reason])).toEqual([
      ['restored the account', 'Card testing'],
      ['signed the account out of every browser', 'Card testing'],
      ['suspended the account', 'Card testing'],
    ])
    expect((await listSignIns(admin, userId, { before: null })).activities).toContainEqual(
      expect.objectContaining({ action: 'sign-in.suspended', by: { kind: 'unknown' } }),
    )
  })

  test('a change of roles says which roles the account had before and has after', async () => {
    const db = await openDb()
    const email = 'pia@shop.example'
    const userId = await makeUser(db, { email })
    const admin = testContext(db, {
      user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }),
    })
    await replaceRoles(admin, { userId, before: [], roles: ['support', 'pharmacist'] })
    await updateUser(admin, userId, { isAdmin: true })
    await replaceRoles(admin, { userId, before: ['admin', 'pharmacist', 'support'], roles: [] })
    await grantAdmin(testContext(db), email)
    const own = testContext(db, { user: signedIn(userId) })
    const { activities } = await listActivity(own, { before: null, filter: 'others' })
    const changes = activities.filter(({ action }) => action === 'role.changed')
    expect(changes.map(({ description }) => description)).toEqual([
      'changed the account’s roles from User to Admin',
      'changed the account’s roles from Admin, Pharmacist, and Support to User',
      'changed the account’s roles from Pharmacist and Support to Admin, Pharmacist, and Support',
      'changed the account’s roles from User to Pharmacist and Support',
    ])
  })

  test('a suspended customer’s paid checkout becomes an order', async () => {
    const db = await openDb()
    const variantId = await addVariant(db, { productId: await addProduct(db), stockQuantity: 5 })
    const customer = await asCustomer(db)
    const admin = testContext(db, {
      user: signedIn(await makeUser(db, { isAdmin: true }), { isAdmin: true }),
    })
    const { payment } = await openCheckout(customer, variantId)
    await pay(db, payment)
    const userId = customer.user?.id ?? ''
    await changeAccess(admin, { userId, change: 'suspend', reason: 'Chargeback' })
    expect(await finalizeCheckout(testContext(db), payment.id)).toMatchObject({ isNew: true })
    const mails = (await listOutbox(testContext(db))).map(({ subject }) => subject)
    expect(mails).toEqual(expect.arrayContaining(['Your account was suspended', 'We received your order']))
  })

  test('admins suspending each other at once leave one who can sign in; none suspends themselves', async () => {
    const db = await openDb()
    const suspend = (actor: string, userId: string) =>
      changeAccess(testContext(db, { user: signedIn(actor, { isAdmin: true }) }), {
        userId,
        change: 'suspend',
        reason: 'x',
      })
    for (let round = 0; round < 5; round++) {
      const a = await makeUser(db, { isAdmin: true })
      const b = await makeUser(db, { isAdmin: true })
      const c = await makeUser(db, { isAdmin: true })
      await Promise.allSettled([suspend(a, b), suspend(b, c), suspend(c, a)])
      const left = db.selectFrom('users').select('id').where('roles', '=', 'admin')
      const active = await left.where('suspendedAt', 'is', null).execute()
      expect(active.length).toBeGreaterThan(0)
      const [one] = active
      await expect(suspend(one?.id ?? '', one?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
      await db.updateTable('users').set({ roles: '' }).execute()
    }
    const customer = await makeUser(db)
    const ctx = testContext(db, { user: signedIn(customer) })
    await expect(
      changeAccess(ctx, { userId: await makeUser(db), change: 'suspend', reason: 'x' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})
