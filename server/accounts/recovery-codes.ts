import { replaceRecoveryCodes, consumeRecoveryCode as consumeRow } from '#db/accounts/second-factors.ts'
import { randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import { blindIndex } from '../crypto/tokens.ts'

const count = 10
const halfLength = 5
/**
 * No letters or digits that look alike. Ten of them have 49 bits, and only ten attempts are allowed
 * every 15 minutes.
 */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const newHalf = (): string =>
  Array.from({ length: halfLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')

/** The user id is part of the hash, so equal codes of two users have different hashes. */
const hashCode = (ctx: Pick<Context, 'keys'>, userId: string, code: string): string =>
  blindIndex(ctx.keys, 'recovery-code', `${userId} ${code.toLowerCase().replace(/[^a-z\d]/g, '')}`)

/**
 * Replaces a user's recovery codes with ten new ones, each of which works once. They are returned
 * only here and cannot be read again.
 */
export async function createRecoveryCodes(
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
): Promise<string[]> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(`${newHalf()}-${newHalf()}`)
  await replaceRecoveryCodes(
    ctx.db,
    userId,
    [...codes].map((code) => hashCode(ctx, userId, code)),
  )
  return [...codes]
}

/**
 * Consumes a recovery code; case, spaces and dashes do not matter. False when it is not a valid
 * code of this user.
 */
export const consumeRecoveryCode = (
  ctx: Pick<Context, 'db' | 'keys'>,
  userId: string,
  code: string,
): Promise<boolean> => consumeRow(ctx.db, { userId, codeHash: hashCode(ctx, userId, code) })
