import { z } from 'zod'

/**
 * `available` units are part of the variant's stock. `quarantined` and `expired` units are on the
 * shelf, but not in the stock: they cannot be sold.
 */
export const lotStatuses = ['available', 'quarantined', 'expired'] as const
export type LotStatus = (typeof lotStatuses)[number]

/** What a lot is or has, in a sentence. */
export const lotStatusPhrases = {
  available: 'is available',
  quarantined: 'is in quarantine',
  expired: 'has expired',
} as const satisfies Record<LotStatus, string>

/** What happens to a lot besides receipts and sales. Stored names never change. */
export const lotActions = ['quarantined', 'released', 'expired', 'written-off'] as const
export type LotAction = (typeof lotActions)[number]

/** A lot of a variant as far as picking needs it. */
export type AvailableLot = {
  id: string
  lotNumber: string
  /** YYYY-MM-DD, the last day of use. */
  expiresOn: string
  quantity: number
}

/** Units of one lot, as an order line holds them. */
export const lotUnitsSchema = z.object({
  lotId: z.string(),
  lotNumber: z.string(),
  expiresOn: z.string(),
  quantity: z.int().positive(),
})
export type LotUnits = z.output<typeof lotUnitsSchema>

export const compareExpiry = (
  a: Pick<AvailableLot, 'expiresOn' | 'lotNumber'>,
  b: Pick<AvailableLot, 'expiresOn' | 'lotNumber'>,
): number =>
  a.expiresOn < b.expiresOn ? -1 : a.expiresOn > b.expiresOn ? 1 : a.lotNumber < b.lotNumber ? -1 : 1

export const sumUnits = (lots: readonly { quantity: number }[]): number =>
  lots.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * Picks units first-expired-first-out, and what is in no lot last: its expiry is unknown. Null when
 * too few units last until `usableUntil`.
 * @param lots all available lots of the variant
 * @param onHand the variant's stock, with the units that are in no lot
 */
export function pickLots(
  lots: readonly AvailableLot[],
  { quantity, onHand, usableUntil }: { quantity: number; onHand: number; usableUntil: string },
): LotUnits[] | null {
  const picked: LotUnits[] = []
  let left = quantity
  for (const { id, lotNumber, expiresOn, quantity: inLot } of lots.toSorted(compareExpiry)) {
    const units = Math.min(left, inLot)
    if (units === 0 || expiresOn < usableUntil) continue
    picked.push({ lotId: id, lotNumber, expiresOn, quantity: units })
    left -= units
  }
  return left <= onHand - sumUnits(lots) ? picked : null
}

/** The positions of a line's units from `start` up to but not including `end`. */
export const unitRange = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at)

/**
 * The lots of some units of a line, which holds its lots first and then what is in no lot.
 * @param units their positions in the line
 */
export function lotsOfUnits(lots: readonly LotUnits[], units: readonly number[]): LotUnits[] {
  let start = 0
  return lots.flatMap((lot) => {
    const end = start + lot.quantity
    const quantity = units.filter((unit) => start <= unit && unit < end).length
    start = end
    return quantity > 0 ? [{ ...lot, quantity }] : []
  })
}

/** One lot a unit, with its neighbors of the same lot as one. */
export function joinLots(units: readonly LotUnits[]): LotUnits[] {
  const joined: LotUnits[] = []
  for (const unit of units) {
    const last = joined.at(-1)
    if (last?.lotId === unit.lotId) last.quantity += unit.quantity
    else joined.push({ ...unit })
  }
  return joined
}

const dayMs = 24 * 3600 * 1000

/** The day until which the units of a line must be usable: today, or the end of the supply. */
export const usableUntil = (now: Date, daysSupply: number | null | undefined): string =>
  new Date(now.getTime() + (daysSupply ?? 0) * dayMs).toISOString().slice(0, 10)
