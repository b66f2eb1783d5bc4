import { paths } from '#domain/paths.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { Decision, Prescription } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { decidePrescription } from '../prescriptions/decide-prescription.ts'
import { getReview } from './get-review.ts'

/**
 * Decides on a prescription as the admin saw it: calls `decidePrescription`, and its CONFLICT
 * carries the current review when the prescription has changed since.
 * @param version the version the admin saw
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
    const current = await getReview(ctx, id)
    throw current.version === version ? error : new StaleEditError(error.message, current, { cause: error })
  }
}
