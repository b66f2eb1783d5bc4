import { countHit, deleteHits, findHits, uncountHit } from '#db/limits/rate-limits.ts'
import { AppError, httpStatus } from '#domain/errors.ts'
import type { Context } from './context.ts'
import { keyedHash } from './crypto/tokens.ts'
import { toAppError } from './errors.ts'
import type { LimitedAction } from './rate-limits.ts'

type Limited = Pick<Context, 'db' | 'now' | 'keys' | 'rateLimits'>

const hashAction = (ctx: Limited, action: LimitedAction, key: string): string =>
  keyedHash(ctx.keys, ['rate', action, key])

/**
 * Counts one action of a key, exactly, even with concurrent processes. Inside a transaction that
 * rolls back it is not counted. Throws TOO_MANY with the seconds until the next one is allowed.
 */
export async function consumeRate(ctx: Limited, action: LimitedAction, key: string): Promise<void> {
  const allowed = ctx.rateLimits?.[action]
  if (!allowed) return
  const { limit, windowSeconds } = allowed
  const { hits, endsAt } = await countHit(ctx.db, {
    keyHash: hashAction(ctx, action, key),
    now: ctx.now,
    endsAt: new Date(ctx.now.getTime() + windowSeconds * 1000),
  })
  if (hits > limit) throw tooManyError(ctx.now, endsAt)
}

/** Counts one action of a key, and returns whether the limit allows it. */
export async function tryConsumeRate(ctx: Limited, action: LimitedAction, key: string): Promise<boolean> {
  try {
    await consumeRate(ctx, action, key)
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY') return false
    throw error
  }
}

/** Checks whether a key has reached its limit, without counting. Throws TOO_MANY. */
export async function requireRateLeft(ctx: Limited, action: LimitedAction, key: string): Promise<void> {
  const allowed = ctx.rateLimits?.[action]
  if (!allowed) return
  const row = await findHits(ctx.db, { keyHash: hashAction(ctx, action, key), now: ctx.now })
  if (row && row.hits >= allowed.limit) throw tooManyError(ctx.now, row.endsAt)
}

/**
 * Reverts one count of `consumeRate`: where only failures count, each attempt counts until it
 * succeeds.
 */
export async function refundRate(ctx: Limited, action: LimitedAction, key: string): Promise<void> {
  if (ctx.rateLimits?.[action])
    await uncountHit(ctx.db, { keyHash: hashAction(ctx, action, key), now: ctx.now })
}

/**
 * Runs an action that counts toward a limit. A failure of the shop or its providers does not count:
 * a customer who tries until the payment provider is back must not have to wait then. Throws
 * TOO_MANY, and what `run` throws.
 */
export async function runLimited<T>(
  ctx: Limited,
  action: LimitedAction,
  key: string,
  run: () => Promise<T>,
): Promise<T> {
  await consumeRate(ctx, action, key)
  try {
    return await run()
  } catch (error) {
    // When the database is down too, the count stays; the customer must still read the first error.
    if (httpStatus(toAppError(error).code) >= 500) await refundRate(ctx, action, key).catch(() => {})
    throw error
  }
}

/** Starts a key's count over. */
export async function resetRate(ctx: Limited, action: LimitedAction, key: string): Promise<void> {
  if (ctx.rateLimits?.[action]) await deleteHits(ctx.db, hashAction(ctx, action, key))
}

export function tooManyError(now: Date, endsAt: Date): AppError {
  const retryAfter = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1000))
  return new AppError('TOO_MANY', `Too many requests. Try again in ${formatWait(retryAfter)}.`, {
    retryAfter,
  })
}

function formatWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
