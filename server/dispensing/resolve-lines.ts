import { resolveLine, type LineResolution } from '#domain/dispensing/resolve-line.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { findChosenPrescription } from './find-chosen-prescription.ts'
import { readTherapy } from './read-therapy.ts'

/** A line of a cart or checkout that a prescription is needed for. */
export type LineToResolve = { variantId: string; medicine: Medicine; units: number }

/**
 * How each prescription line of a cart stands, by variant, for its customer's own pages. It
 * reserves nothing; the checkout decides again. Fills that the customer's own open checkout
 * reserves do not count: the next checkout replaces it. Unrecorded: customers read their own data.
 */
export async function resolveLines(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'shop'>,
  userId: string,
  lines: readonly LineToResolve[],
  prescriptionId: string | null = null,
): Promise<Map<string, LineResolution>> {
  const key = lines.length === 0 ? null : await openUserKey(ctx, userId)
  if (!key) return new Map()
  const { items, fills } = await readTherapy(ctx, key, userId)
  const chosen = await findChosenPrescription(ctx, prescriptionId)
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  const counted = fills.filter(({ isUnordered }) => !isUnordered)
  return new Map(
    lines.map(({ variantId, medicine, units }) => [
      variantId,
      resolveLine({ id: null, medicine, units }, { items, fills: counted }, chosen, {
        now: ctx.now,
        opensAtPercent,
      }),
    ]),
  )
}
