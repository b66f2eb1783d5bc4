import { normalizeEmail } from '#domain/accounts/accounts.ts'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'

type Keys = Pick<Context, 'keys'>

/** The blind index of an email address, in whatever form it was typed. */
export const hashEmail = (ctx: Keys, email: string): string =>
  blindIndex(ctx.keys, 'email', normalizeEmail(email))

/** The blind index of a phone number's digits. Null when it has none. */
export function hashPhone(ctx: Keys, phone: string | null): string | null {
  const digits = phone?.replace(/\D/g, '') ?? ''
  return digits === '' ? null : blindIndex(ctx.keys, 'phone', digits)
}
