import { replaceRecoveryCodes, takeRecoveryCode } from '#db/accounts/second-factors.ts'
import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'

const count = 10
const half = 5
/** No letter or digit that is read for another. Ten of them are 49 bits, tried ten times in a quarter of an hour. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const newHalf = (): string =>
  Array.from({ length: half }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** Equal codes of two users have two hashes. */
const hashOf = (ctx: Pick<Context, 'keys'>, userId: string, code: string): string =>
  blindIndex(ctx.keys, 'recovery-code', `${userId} ${code.toLowerCase().replace(/[^a-z\d]/g, '')}`)

/** Gives a user ten new codes that work once each; those before them work no longer. Nobody can read them afterwards. */
export async function makeRecoveryCodes(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(`${newHalf()}-${newHalf()}`)
  await replaceRecoveryCodes(
    ctx.db,
    userId,
    [...codes].map((code) => hashOf(ctx, userId, code)),
  )
  return [...codes]
}

/** Uses a recovery code up, however it was typed; false when it is none of the user's. */
export const spendRecoveryCode = (
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
  code: string,
): Promise<boolean> => takeRecoveryCode(ctx.db, { userId, codeHash: hashOf(ctx, userId, code) })
