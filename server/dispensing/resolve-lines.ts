import { fillsOfPatient, type Fill } from '#domain/dispensing/fill-rules.ts'
import { resolveLine, type LineResolution } from '#domain/dispensing/resolve-line.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { Context } from '../context.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { getSettings } from '../settings/get-settings.ts'
import { readTherapy } from './read-therapy.ts'

/** A line of a cart or checkout that a prescription is needed for. */
export type LineToResolve = { variantId: string; medicine: Medicine; units: number }

/** How a line stands, and how with the items of one patient only. */
type LineResolutions = { all: LineResolution; ofPatients: ReadonlyMap<string, LineResolution> }

/**
 * How each prescription line of a cart stands without a chosen prescription, by variant, for its
 * customer's own pages. It reserves nothing; the checkout decides again. Fills that the customer's
 * own open checkout reserves do not count: the next checkout replaces it. Not audited:
 * customers read their own data.
 */
export async function resolveLines(
  ctx: Pick<Context, 'db' | 'keys' | 'now' | 'shop'>,
  userId: string,
  lines: readonly LineToResolve[],
): Promise<Map<string, LineResolutions>> {
  const key = lines.length === 0 ? null : await openUserKey(ctx, userId)
  if (!key) return new Map()
  const { items, fills } = await readTherapy(ctx, key, userId)
  const { refillOpensAtPercent: opensAtPercent } = await getSettings(ctx)
  const counted = fills.filter(({ isUnordered }) => !isUnordered)
  const resolutions = new Map<string, LineResolutions>()
  // In the order in which the checkout reserves them, so that a second line finds the first.
  for (const { variantId, ...line } of lines.toSorted((a, b) => (a.variantId < b.variantId ? -1 : 1))) {
    const resolution = resolveLine({ id: variantId, ...line }, { items, fills: counted }, null, {
      now: ctx.now,
      opensAtPercent,
    })
    const related = items.filter(({ medicine }) => medicine.ingredientSet === line.medicine.ingredientSet)
    const ofPatients = new Map(
      [...new Set(related.map(({ patientId }) => patientId))].map((patientId) => {
        const therapy = { items: related.filter((item) => item.patientId === patientId), fills: counted }
        const own = resolveLine({ id: variantId, ...line }, therapy, null, { now: ctx.now, opensAtPercent })
        return [patientId, inCart(own, counted)] as const
      }),
    )
    resolutions.set(variantId, { all: inCart(resolution, counted), ofPatients })
    if (resolution.kind === 'covered') counted.push(cartFill(resolution, { variantId, units: line.units }))
  }
  return resolutions
}

/** What a line of the cart would take, as a fill. */
const cartFill = (
  { item, daysSupply }: Extract<LineResolution, { kind: 'covered' }>,
  { variantId, units }: { variantId: string; units: number },
): Fill => ({
  id: variantId,
  itemId: item.id,
  lineId: variantId,
  units,
  daysSupply,
  ingredientSet: item.medicine.ingredientSet,
  patientId: item.patientId,
  status: 'reserved',
  dispensedAt: null,
  isUnordered: true,
})

/** Says that it is the cart itself that has another line of the same medicine. */
const inCart = (resolution: LineResolution, fills: readonly Fill[]): LineResolution =>
  resolution.kind === 'refused' &&
  resolution.problem.kind === 'in progress' &&
  fillsOfPatient(resolution.item, fills).some(
    (fill) => fill.isUnordered && fill.ingredientSet === resolution.item.medicine.ingredientSet,
  )
    ? { ...resolution, problem: { kind: 'in cart' } }
    : resolution
