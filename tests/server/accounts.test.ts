import { lacksRequiredFactor } from '#domain/accounts/permissions.ts'
import { createUser } from '#server/accounts/create-user.ts'
import { endSession } from '#server/accounts/end-session.ts'
import { getSession } from '#server/accounts/get-session.ts'
import { requirePermission, requireUser } from '#server/require-user.ts'
import { absoluteSeconds, getSessionRules } from '#server/accounts/session-rules.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { makeUser } from '#tests/support/accounts.ts'
import { testDay, secondsLater } from '#tests/support/catalog.ts'
import { signedIn, testContext } from '#tests/support/context.ts'
import { eachEngine } from '#tests/support/engines.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const production = getSessionRules({ mode: 'production', requireAdminMfa: true })

test('requireUser and requirePermission check the session user', () => {
  expect(() => requireUser({ user: null })).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }))
  expect(() => requirePermission({ user: null }, 'roles.manage')).toThrow(
    expect.objectContaining({ code: 'UNAUTHENTICATED' }),
  )
  expect(() => requirePermission({ user: signedIn('a') }, 'roles.manage')).toThrow(
    expect.objectContaining({ code: 'FORBIDDEN' }),
  )
  expect(() =>
    requirePermission({ user: signedIn('a', { isAdmin: true, permissions: new Set() }) }, 'roles.manage'),
  ).toThrow(/two-step sign-in/)
  expect(requirePermission({ user: signedIn('a', { isAdmin: true }) }, 'roles.manage').id).toBe('a')
})

eachEngine((_engine, openDb) => {
  test('a session has its user’s name and email, and each has a new token', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { email: 'Zoe@Customer.example' })
    const ctx = testContext(db)
    const tokens = [
      await startSession(ctx, { userId, userAgent: 'Firefox' }),
      await startSession(ctx, { userId, userAgent: null }),
    ]
    expect(new Set(tokens).size).toBe(2)
    expect(await getSession(ctx, tokens[0] ?? '', production)).toMatchObject({
      id: userId,
      email: 'Zoe@Customer.example',
      firstName: 'Zoë',
      lastName: 'O’Hara',
      roles: [],
      permissions: new Set(),
    })
    const rows = JSON.stringify(await db.selectFrom('sessions').selectAll().execute())
    for (const token of tokens) expect(rows).not.toContain(token)
    expect(rows).not.toMatch(/Firefox|192\.0\.2/)
  })

  test('a session ends when idle, at its maximum age, and at sign-out', async () => {
    const db = await openDb()
    const userId = await makeUser(db)
    const token = await startSession(testContext(db), { userId, userAgent: null })
    const read = (seconds: number) =>
      getSession(testContext(db, { now: secondsLater(seconds) }), token, production)
    expect(await read(1700)).not.toBeNull()
    // Counted from the last use, not from the start.
    expect(await read(1700 + 1790)).not.toBeNull()
    expect(await read(1700 + 1790 + 1801)).toBeNull()
    const rules = { ...production, idleSeconds: absoluteSeconds * 2 }
    const readLong = (seconds: number) =>
      getSession(testContext(db, { now: secondsLater(seconds) }), token, rules)
    expect(await readLong(absoluteSeconds - 1)).not.toBeNull()
    expect(await readLong(absoluteSeconds)).toBeNull()
    const user = await read(1700 + 1790 + 60)
    await endSession(testContext(db, { user }))
    await endSession(testContext(db, { user }))
    expect(await read(1700 + 1790 + 60)).toBeNull()
    expect(await getSession(testContext(db), 'unknown', production)).toBeNull()
  })

  test('a call that a page makes by itself does not keep its user signed in', async () => {
    const db = await openDb()
    const token = await startSession(testContext(db), {
      userId: await makeUser(db, { isAdmin: true }),
      userAgent: null,
    })
    const call = (seconds: number, isBackground: boolean) =>
      getSession(testContext(db, { now: secondsLater(seconds) }), token, production, { isBackground })
    expect(await call(600, false)).not.toBeNull()
    for (let seconds = 645; seconds <= 1500; seconds += 45) expect(await call(seconds, true)).not.toBeNull()
    expect(await call(1501, true)).toBeNull()
    expect(await call(1501, false)).toBeNull()
  })

  test('an admin session has half the idle time and needs a second factor for the back office', async () => {
    const db = await openDb()
    const userId = await makeUser(db, { isAdmin: true })
    const token = await startSession(testContext(db), { userId, userAgent: null })
    const read = (seconds: number, rules = production) =>
      getSession(testContext(db, { now: secondsLater(seconds) }), token, rules)
    expect(await read(59)).toMatchObject({ roles: ['admin'], permissions: new Set() })
    expect(lacksRequiredFactor(await read(59, { ...production, requireAdminMfa: false }))).toBe(false)
    await db.updateTable('users').set({ totpConfirmedAt: testDay }).where('id', '=', userId).execute()
    expect(await read(59)).toMatchObject({ permissions: new Set(), hasSecondFactor: true })
    await db.updateTable('sessions').set({ factorVerifiedAt: testDay }).execute()
    const withFactor = await read(59)
    expect(withFactor).toMatchObject({ hasSecondFactor: true })
    expect(lacksRequiredFactor(withFactor)).toBe(false)
    expect(await read(901)).toBeNull()
  })

  test('concurrent registrations of one address in any form create one account', async () => {
    const db = await openDb()
    const results = await Promise.all(
      ['zoe@customer.example', ' Zoe@CUSTOMER.example', 'ZOE@customer.example'].map((email) =>
        createUser(testContext(db), { email, firstName: null, lastName: null, passwordHash: null }),
      ),
    )
    expect(results.filter((id) => id !== null)).toHaveLength(1)
    expect(await db.selectFrom('userKeys').selectAll().execute()).toHaveLength(1)
    expect(await db.selectFrom('auditLog').select('action').execute()).toEqual([
      { action: 'account.created' },
    ])
  })

  test('the audit log is append-only', async () => {
    const db = await openDb()
    await makeUser(db)
    const statements = [
      sql`update audit_log set actor_id = 'x'`,
      sql`delete from audit_log`,
      sql`delete from audit_chain`,
      sql`update audit_chain set hash = 'x'`,
    ]
    await sql`insert into audit_chain (seq, audit_id, hash) values (1, 'a', 'h')`.execute(db)
    for (const statement of statements) await expect(statement.execute(db)).rejects.toThrow(/append-only/)
    expect(await db.selectFrom('auditLog').select('id').execute()).toHaveLength(1)
  })
})
