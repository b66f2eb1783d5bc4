import { findFactorVerifiedAt, markFactorVerified } from '#db/accounts/sessions.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import { requireUser } from '../require-user.ts'
import { consumeCode, withCodeAttempt } from './verify-second-factor.ts'

/** How long a code counts as recent. */
export const recentCodeMinutes = 10

/**
 * Whether this session gave no code in the last ten minutes. An account without a second factor
 * needs none: a shop that requires one of its staff has refused it before (`REQUIRE_ADMIN_MFA`).
 */
export function needsRecentCode(ctx: Pick<Context, 'user' | 'now'>): boolean {
  const { hasSecondFactor, factorVerifiedAt } = requireUser(ctx)
  return hasSecondFactor && !isRecent(ctx, factorVerifiedAt)
}

const isRecent = ({ now }: Pick<Context, 'now'>, verifiedAt: Date | null): boolean =>
  now.getTime() - (verifiedAt?.getTime() ?? 0) <= recentCodeMinutes * 60_000

/**
 * Throws UNAUTHENTICATED, and CODE_REQUIRED unless this session gave a code in the last ten
 * minutes.
 */
export function requireRecentCode(ctx: Pick<Context, 'user' | 'now'>): void {
  if (needsRecentCode(ctx)) throw new AppError('CODE_REQUIRED')
}

/**
 * The context in which the session has a recent code, for forms that ask for one when it is needed:
 * verifies `code`, unless the session gave one already. Throws UNAUTHENTICATED, INVALID (code),
 * TOO_MANY.
 */
export async function withRecentCode(ctx: Context, code: string): Promise<Context> {
  const user = requireUser(ctx)
  if (!needsRecentCode(ctx)) return ctx
  await confirmWithCode(ctx, { code })
  return { ...ctx, user: { ...user, factorVerifiedAt: ctx.now } }
}

/**
 * Verifies a code of the signed-in user, which then counts as recent. Throws UNAUTHENTICATED,
 * INVALID (code), TOO_MANY.
 */
export async function confirmWithCode(ctx: Context, { code }: { code: string }): Promise<void> {
  const { id, sessionId } = requireUser(ctx)
  await withCodeAttempt(ctx, async (ctx) => {
    try {
      await consumeCode(ctx, id, code)
    } catch (error) {
      // Of two submissions of a form the first used the code up, which counts for both.
      const factorVerifiedAt = await findFactorVerifiedAt(ctx.db, sessionId)
      if (!needsRecentCode(ctx) || !isRecent(ctx, factorVerifiedAt)) throw error
      return
    }
    await markFactorVerified(ctx.db, { id: sessionId, now: ctx.now })
  })
}
