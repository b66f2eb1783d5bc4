import { hashPassword } from '#server/accounts/passwords.ts'
import { makeUser } from './accounts.ts'
import type { Shop, Visitor } from './shop.ts'

export const email = 'zoe@customer.example'
export const password = 'correct horse battery'
const passwordHash = await hashPassword(password)

/** An account with this address and password. */
export const makeZoe = (shop: Pick<Shop, 'db'>, overrides = {}): Promise<string> =>
  makeUser(shop.db, { email, passwordHash, ...overrides })

/** Posts the sign-in form; Zoe's, unless `fields` say otherwise. */
export const signIn = (visitor: Visitor, fields = {}): Promise<Response> =>
  visitor.post('/login', { email, password, ...fields })

export const isSignedIn = async (visitor: Visitor): Promise<boolean> =>
  (await visitor.get('/api/auth/user')).status === 200

export const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** The page without its scripts, as a browser without JavaScript shows it. */
export const htmlWithoutScripts = async (response: Response): Promise<string> =>
  (await response.text()).replace(/<script\b[\s\S]*?<\/script>/g, '')

export const headingOf = (html: string): string => /<h1\b[^>]*>([\s\S]*?)<\/h1>/.exec(html)?.[1] ?? ''

/** The input with this id. */
export const inputOf = (html: string, id: string): string =>
  new RegExp(`<input [^>]*id="${id}"[^>]*>`).exec(html)?.[0] ?? ''

/** The links to a page in the emails of the demo's outbox. */
export async function mailedLinks(visitor: Visitor, page: string): Promise<string[]> {
  const html = await (await visitor.get('/demo/outbox')).text()
  return [...new Set(html.match(new RegExp(`/${page}\\?token=[\\w-]{43}`, 'g')))]
}
