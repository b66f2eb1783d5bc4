import { StaleEditError } from '#domain/stale-edit.ts'
import type { Review } from '#domain/prescriptions/prescription-review.ts'
import type { Context } from '../context.ts'
import { askQuestion } from '../prescriptions/ask-question.ts'
import { getReview } from './get-review.ts'

/**
 * Asks the customer about a prescription under review and returns the review with the question.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT with the current review when the
 * prescription was decided or changed since `version`.
 */
export async function askCustomer(
  ctx: Context,
  input: { id: string; version: number; question: string },
): Promise<Review> {
  const isStored = await askQuestion(ctx, input)
  const review = await getReview(ctx, input.id)
  if (isStored) return review
  throw new StaleEditError('Someone else just updated this prescription.', review)
}
