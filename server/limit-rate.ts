import { countHit } from '#db/rate-limits.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from './context.ts'
import { keyedHash } from './crypto.ts'
import type { LimitedAct } from './rate-limits.ts'

/**
 * Counts one act of a key, exactly, whatever other processes count at the same moment; inside a transaction that fails it is
 * not counted. Throws TOO_MANY with the seconds until the next is allowed.
 */
export async function limitRate(
  ctx: Pick<Context, 'db' | 'now' | 'keys' | 'rateLimits'>,
  act: LimitedAct,
  key: string,
): Promise<void> {
  if (!ctx.rateLimits) return
  const { limit, windowSeconds } = ctx.rateLimits[act]
  const { hits, endsAt } = await countHit(ctx.db, {
    keyHash: keyedHash(ctx.keys, ['rate', act, key]),
    now: ctx.now,
    endsAt: new Date(ctx.now.getTime() + windowSeconds * 1000),
  })
  if (hits <= limit) return
  const retryAfter = Math.max(1, Math.ceil((endsAt.getTime() - ctx.now.getTime()) / 1000))
  throw new AppError('TOO_MANY', `Too many requests. Please try again in ${inWords(retryAfter)}.`, {
    retryAfter,
  })
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
