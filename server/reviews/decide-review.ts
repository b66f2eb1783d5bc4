import { paths } from '#domain/paths.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { Decision, Prescription } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { decidePrescription } from '../prescriptions/decide-prescription.ts'
import { readReview } from './get-review.ts'

/**
 * Decides on a prescription as somebody saw it: `decidePrescription`, whose CONFLICT carries the review as it is when it has changed since.
 * @param version of what was seen
 */
export async function decideReview(
  ctx: Context,
  { id, version, ...decision }: Decision & { id: string; version: number },
): Promise<Pick<Prescription, 'id' | 'status'>> {
  const link = ctx.shop.publicOrigin + paths.prescriptions
  try {
    const { status } = await decidePrescription(ctx, id, decision, { link, version })
    return { id, status }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error
    const current = await readReview(ctx, id)
    throw current.version === version ? error : new StaleEditError(error.message, current, { cause: error })
  }
}
