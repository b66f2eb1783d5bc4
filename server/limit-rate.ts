import { countHit, findHits, takeHitBack } from '#db/limits/rate-limits.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from './context.ts'
import { keyedHash } from './crypto/tokens.ts'
import type { LimitedAct } from './rate-limits.ts'

type Limited = Pick<Context, 'db' | 'now' | 'keys' | 'rateLimits'>

const hashOf = (ctx: Limited, act: LimitedAct, key: string): string => keyedHash(ctx.keys, ['rate', act, key])

/**
 * Counts one act of a key, exactly, whatever other processes count at the same moment; inside a transaction that fails it is
 * not counted. Throws TOO_MANY with the seconds until the next is allowed.
 */
export async function limitRate(ctx: Limited, act: LimitedAct, key: string): Promise<void> {
  const allowed = ctx.rateLimits?.[act]
  if (!allowed) return
  const { limit, windowSeconds } = allowed
  const { hits, endsAt } = await countHit(ctx.db, {
    keyHash: hashOf(ctx, act, key),
    now: ctx.now,
    endsAt: new Date(ctx.now.getTime() + windowSeconds * 1000),
  })
  if (hits > limit) refuse(ctx, endsAt)
}

/** Whether a key is beyond its limit already; counts nothing. Throws TOO_MANY. */
export async function checkRate(ctx: Limited, act: LimitedAct, key: string): Promise<void> {
  const allowed = ctx.rateLimits?.[act]
  if (!allowed) return
  const row = await findHits(ctx.db, { keyHash: hashOf(ctx, act, key), now: ctx.now })
  if (row && row.hits >= allowed.limit) refuse(ctx, row.endsAt)
}

/** Takes one back that `limitRate` has counted: where failures alone count, each try counts until it has not failed. */
export async function uncountRate(ctx: Limited, act: LimitedAct, key: string): Promise<void> {
  if (ctx.rateLimits?.[act]) await takeHitBack(ctx.db, { keyHash: hashOf(ctx, act, key), now: ctx.now })
}

function refuse(ctx: Limited, endsAt: Date): never {
  const retryAfter = Math.max(1, Math.ceil((endsAt.getTime() - ctx.now.getTime()) / 1000))
  throw new AppError('TOO_MANY', `Too many requests. Please try again in ${inWords(retryAfter)}.`, {
    retryAfter,
  })
}

function inWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
