import { findLots, listAvailableLots, type LotRow } from '#db/inventory/lots.ts'
import { findStock } from '#db/inventory/stock.ts'
import { formatDay } from '#domain/format-day.ts'
import { pickLots, sumShortUnits, sumUnits, usableUntil, type LotUnits } from '#domain/inventory/lots.ts'
import { utcDay } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'

/** A line of an order with its lots, named as the signed-in user may see it. */
export type LineWithLots = {
  id: string
  productVariantId: string
  quantity: number
  product: { name: string }
  lots?: readonly LotUnits[] | undefined
  daysSupply?: number | undefined
}

export type LotProblem = {
  lineId: string
  message: string
  /** Whether the line must not ship. One whose lots only expire on the way may. */
  isBlocking: boolean
}

type Days = Pick<Context, 'now'> & { arrivesBy: string | null }
type StoredLots = ReadonlyMap<string, LotRow>

/**
 * What is wrong with the lots of lines that are about to ship: one is in quarantine, has expired,
 * or expires before the supply is used up or before the order arrives. One entry a line, which says
 * whether other lots could do. Orders without lots read nothing.
 * @param arrivesBy `YYYY-MM-DD`; null to look only for what keeps a line from shipping
 */
export async function findLotProblems(
  { db, now }: Pick<Context, 'db' | 'now'>,
  lines: readonly LineWithLots[],
  arrivesBy: string | null,
): Promise<LotProblem[]> {
  const ids = lines.flatMap(({ lots = [] }) => lots.map(({ lotId }) => lotId))
  if (ids.length === 0) return []
  const stored: StoredLots = new Map((await findLots(db, ids)).map((lot) => [lot.id, lot]))
  const found: LotProblem[] = []
  for (const line of lines) {
    const blocking = describeLots(line, stored, (lot) => describeBlocking(lot, line, now))
    const early = describeLots(line, stored, (lot) => describeEarly(lot, line, { now, arrivesBy }))
    if (blocking.length + early.length === 0) continue
    const isBlocking = blocking.length > 0
    const canChange = await hasBetterLots({ db }, line, stored, { now, arrivesBy, isBlocking })
    const advice = canChange ? 'Choose other lots.' : noOthers[isBlocking ? 'blocking' : 'early']
    found.push({ lineId: line.id, isBlocking, message: [...blocking, ...early, advice].join(' ') })
  }
  return found
}

const noOthers = {
  blocking: 'No other stock can replace this line’s lots.',
  early: 'No other stock lasts longer.',
} as const

const describeLots = (
  { lots = [], product }: LineWithLots,
  stored: StoredLots,
  describe: (lot: LotRow) => string | null,
): string[] =>
  lots.flatMap(({ lotId, lotNumber }) => {
    const lot = stored.get(lotId)
    const problem = lot ? describe(lot) : null
    return problem === null ? [] : [`Lot ${lotNumber} of ${product.name} ${problem}.`]
  })

function describeBlocking(
  { status, expiresOn }: LotRow,
  { daysSupply }: LineWithLots,
  now: Date,
): string | null {
  if (status === 'quarantined') return 'is in quarantine'
  if (expiresOn < utcDay(now)) return 'has expired'
  return expiresOn < usableUntil(now, daysSupply) ? 'expires before the supply is used up' : null
}

function describeEarly(lot: LotRow, line: LineWithLots, { now, arrivesBy }: Days): string | null {
  const isEarly = arrivesBy !== null && lot.expiresOn < arrivesBy
  return isEarly && describeBlocking(lot, line, now) === null
    ? `expires before the order is expected to arrive (${formatDay(arrivesBy)})`
    : null
}

/** Whether picking the lots of a line again would end its problem, or leave fewer units with it. */
async function hasBetterLots(
  { db }: Pick<Context, 'db'>,
  { productVariantId, quantity, lots = [], daysSupply }: LineWithLots,
  stored: StoredLots,
  { now, arrivesBy, isBlocking }: Days & { isBlocking: boolean },
): Promise<boolean> {
  const back = lots.filter(({ lotId }) => stored.get(lotId)?.status === 'available')
  const available = await listAvailableLots(db, productVariantId)
  const candidates = [...available, ...back.map(({ lotId, ...lot }) => ({ ...lot, id: lotId }))]
  const inNoLot = quantity - sumUnits(lots)
  // A deleted variant has no stock to read, but its lots can still be chosen.
  const stock = (await findStock(db, productVariantId)) ?? sumUnits(available)
  const lastingUntil = usableUntil(now, daysSupply, arrivesBy)
  const picked = pickLots(candidates, {
    quantity,
    onHand: stock + sumUnits(back) + inNoLot,
    usableUntil: usableUntil(now, daysSupply),
    lastingUntil,
  })
  if (!picked) return false
  return isBlocking || sumShortUnits(picked, lastingUntil) < sumShortUnits(lots, lastingUntil)
}
