import { paths } from '#domain/paths.ts'
import { AppError } from '#domain/errors.ts'
import { StaleEditError } from '#domain/stale-edit.ts'
import type { Decision, Prescription } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import { decidePrescription } from '../prescriptions/decide-prescription.ts'
import { getCase } from './get-case.ts'

/**
 * Decides on a prescription as the reviewer saw it: calls `decidePrescription`, and its CONFLICT
 * carries the current case when the prescription has changed since.
 * @param version the version that the reviewer saw
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
    const current = await getCase(ctx, id)
    const isStale = current.prescriptions.some((shown) => shown.id === id && shown.version !== version)
    throw isStale ? new StaleEditError(error.message, current, { cause: error }) : error
  }
}
