import { z } from 'zod'
import { addDays, utcDay } from '../days.ts'

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
  /**
   * The position of its first unit in the line. Without it they follow those of the lot before.
   */
  start: z.int().positive().optional(),
})
export type LotUnits = z.output<typeof lotUnitsSchema>

export const compareExpiry = (
  a: Pick<AvailableLot, 'expiresOn' | 'lotNumber'>,
  b: Pick<AvailableLot, 'expiresOn' | 'lotNumber'>,
): number =>
  a.expiresOn < b.expiresOn ? -1 : a.expiresOn > b.expiresOn ? 1 : a.lotNumber < b.lotNumber ? -1 : 1

export const sumUnits = (lots: readonly { quantity: number }[]): number =>
  lots.reduce((sum, { quantity }) => sum + quantity, 0)

/** The days until which a line's lots must last, and should last, YYYY-MM-DD. */
export type LotDays = {
  usableUntil: string
  /** A later day. Lots that end before it are used only for want of others. */
  lastingUntil?: string
}

/**
 * Picks units first-expired-first-out, and what is in no lot last: its expiry is unknown. Units
 * that are still missing come from lots that end before `lastingUntil`, the longest lasting first.
 * Null when too few units last until `usableUntil`. The picked lots are in the order of their
 * expiry.
 * @param lots all available lots of the variant
 * @param onHand the variant's stock, with the units that are in no lot
 */
export function pickLots(
  lots: readonly AvailableLot[],
  {
    quantity,
    onHand,
    usableUntil,
    lastingUntil = usableUntil,
  }: LotDays & { quantity: number; onHand: number },
): LotUnits[] | null {
  const usable = lots.toSorted(compareExpiry).filter(({ expiresOn }) => expiresOn >= usableUntil)
  const inNoLot = onHand - sumUnits(lots)
  const lasting = takeUnits(
    usable.filter(({ expiresOn }) => expiresOn >= lastingUntil),
    quantity,
  )
  const short = takeUnits(
    usable.filter(({ expiresOn }) => expiresOn < lastingUntil).toReversed(),
    quantity - sumUnits(lasting) - Math.max(0, inNoLot),
  )
  const picked = [...short.toReversed(), ...lasting]
  return quantity - sumUnits(picked) <= inNoLot ? picked : null
}

/** The first units of these lots: as many as there are, up to a quantity. */
function takeUnits(lots: readonly AvailableLot[], quantity: number): LotUnits[] {
  let left = quantity
  return lots.flatMap(({ id, lotNumber, expiresOn, quantity: inLot }) => {
    const units = Math.min(left, inLot)
    if (units <= 0) return []
    left -= units
    return [{ lotId: id, lotNumber, expiresOn, quantity: units }]
  })
}

/**
 * Whether units can be taken without those that customers who are checking out have reserved. None
 * are needed in exchange for units that return to the stock.
 */
export const leavesReserved = (
  needed: number,
  { onHand, reserved }: { onHand: number; reserved: number },
): boolean => needed === 0 || onHand - reserved >= needed

/** How many of these units expire before a day, YYYY-MM-DD. */
export const sumShortUnits = (
  lots: readonly Pick<LotUnits, 'expiresOn' | 'quantity'>[],
  lastingUntil: string,
): number => sumUnits(lots.filter(({ expiresOn }) => expiresOn < lastingUntil))

/** The positions of a line's units from `start` up to but not including `end`. */
export const unitRange = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at)

/** The units of a line by lot: each lot once, without the positions of its units. */
export function mergeLots(lots: readonly LotUnits[]): LotUnits[] {
  const merged = new Map<string, LotUnits>()
  for (const { start: _, ...lot } of lots) {
    const quantity = (merged.get(lot.lotId)?.quantity ?? 0) + lot.quantity
    merged.set(lot.lotId, { ...lot, quantity })
  }
  return [...merged.values()]
}

/**
 * The lots of some units of a line, each once. The other units are in no lot.
 * @param lots those of the whole line
 * @param units their positions in the line
 */
export function lotsOfUnits(lots: readonly LotUnits[], units: readonly number[]): LotUnits[] {
  let next = 0
  const held = lots.flatMap(({ start = next, ...lot }) => {
    next = start + lot.quantity
    const quantity = units.filter((unit) => start <= unit && unit < next).length
    return quantity > 0 ? [{ ...lot, quantity }] : []
  })
  return mergeLots(held)
}

/**
 * The lots of a line, of which some units are picked again.
 * @param positions of the units picked again
 * @param picked their lots; the last of them may be in no lot
 */
export function replaceLots(
  lots: readonly LotUnits[],
  {
    quantity,
    positions,
    picked,
  }: { quantity: number; positions: readonly number[]; picked: readonly LotUnits[] },
): LotUnits[] {
  const replaced: LotUnits[] = []
  let end = 0
  for (const position of unitRange(0, quantity)) {
    const at = positions.indexOf(position)
    const [unit] = at < 0 ? lotsOfUnits(lots, [position]) : lotsOfUnits(picked, [at])
    if (!unit) continue
    const last = replaced.at(-1)
    if (end === position && last?.lotId === unit.lotId) last.quantity++
    else replaced.push(end === position ? unit : { ...unit, start: position })
    end = position + 1
  }
  return replaced
}

/**
 * The day until which the units of a line must be usable: the end of a supply that starts today, or
 * another day if it is later.
 * @param atLeast `YYYY-MM-DD`, such as the day by which the order arrives
 */
export function usableUntil(
  now: Date,
  daysSupply: number | null | undefined,
  atLeast: string | null = null,
): string {
  const suppliedUntil = addDays(utcDay(now), daysSupply ?? 0)
  return atLeast !== null && atLeast > suppliedUntil ? atLeast : suppliedUntil
}
