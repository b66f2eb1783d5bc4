import { sessionCookieHeader } from '#app/http/cookies.server.ts'
import type { Db } from '#db/engine/client.ts'
import { createUser, type NewUser } from '#server/accounts/create-user.ts'
import { startSession } from '#server/accounts/start-session.ts'
import { readEnv } from '#server/env.ts'
import { testContext } from './context.ts'
import type { Visitor } from './shop.ts'

let made = 0

/** An account on this database; without a password unless one is said, for hashing takes its time. Returns its id. */
export async function makeUser(db: Db, said: Partial<NewUser> = {}): Promise<string> {
  const id = await createUser(testContext(db, { now: new Date() }), {
    email: `customer-${++made}@customer.example`,
    firstName: 'Zoë',
    lastName: 'O’Hara',
    passwordHash: null,
    emailConfirmed: true,
    ...said,
  })
  if (id === null) throw new Error(`${said.email} has an account already.`)
  return id
}

/** Signs a visitor of the shop in as this user, past the form. `now` is the shop's clock, where it has one of its own. */
export async function signInAs(visitor: Visitor, db: Db, userId: string, now = new Date()): Promise<void> {
  const token = await startSession(testContext(db, { now }), { userId, userAgent: 'a test' })
  const cookie = await sessionCookieHeader(token, readEnv('demo', {}))
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
  visitor.cookies.set(name, value)
}
