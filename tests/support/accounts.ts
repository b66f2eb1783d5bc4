import { sessionCookieHeader } from '#app/http/cookies.server.ts'
import type { Db } from '#db/engine/client.ts'
import { createUser, type NewUser } from '#server/accounts/create-user.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { readEnv } from '#server/env.ts'
import { testContext } from './context.ts'
import type { Visitor } from './shop.ts'

let createdUsers = 0

/**
 * Creates an account and returns its id. It has no password by default, because hashing is slow.
 */
export async function makeUser(
  db: Db,
  { isAdmin = false, ...overrides }: Partial<NewUser> & { isAdmin?: boolean } = {},
): Promise<string> {
  const id = await createUser(testContext(db, { now: new Date() }), {
    email: `customer-${++createdUsers}@customer.example`,
    firstName: 'Zoë',
    lastName: 'O’Hara',
    passwordHash: null,
    emailConfirmed: true,
    roles: isAdmin ? ['admin'] : [],
    ...overrides,
  })
  if (id === null) throw new Error(`${overrides.email} has an account already.`)
  return id
}

/**
 * Signs a visitor in as this user, without the sign-in form.
 * @param now the shop's clock, if the test sets one
 */
export async function signInAs(visitor: Visitor, db: Db, userId: string, now = new Date()): Promise<void> {
  const token = await startSession(testContext(db, { now }), { userId, userAgent: 'a test' })
  const cookie = await sessionCookieHeader(token, readEnv('demo', {}))
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  visitor.cookies.set(name, value)
}
