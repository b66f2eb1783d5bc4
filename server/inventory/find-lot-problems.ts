import type { LotRow } from '#db/inventory/lots.ts'
import { utcDay } from '#domain/days.ts'
import { formatDay } from '#domain/format-day.ts'
import { pickLots, sumShortUnits, sumUnits, usableUntil, type LotUnits } from '#domain/inventory/lots.ts'
import type { Context } from '../context.ts'
import {
  canReplaceLots,
  readLots,
  readVariantStock,
  unitsThatReturn,
  type StoredLots,
  type VariantStock,
} from './replaceable-lots.ts'

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
/** Lines of an order, and the day by which it arrives. */
type LinesToShip = { lines: readonly LineWithLots[]; arrivesBy: string | null }

/**
 * What is wrong with the lots of lines that are about to ship: one is in quarantine, has expired,
 * or expires before the supply is used up or before the order arrives. One entry a line, which says
 * whether other lots could do. Orders without lots read nothing.
 * @param arrivesBy `YYYY-MM-DD`; null to look only for what keeps a line from shipping
 */
export async function findLotProblems(
  ctx: Pick<Context, 'db' | 'now'>,
  lines: readonly LineWithLots[],
  arrivesBy: string | null,
): Promise<LotProblem[]> {
  const [problems = []] = await listLotProblems(ctx, [{ lines, arrivesBy }])
  return problems
}

/** The same for several orders, by one read of all their lots. The entries are in their order. */
export async function listLotProblems(
  { db, now }: Pick<Context, 'db' | 'now'>,
  orders: readonly LinesToShip[],
): Promise<LotProblem[][]> {
  const stored = await readLots(
    db,
    orders.flatMap(({ lines }) => lines),
  )
  const affected = orders.map(({ lines, arrivesBy }) =>
    lines.flatMap((line) => describeLine(line, stored, { now, arrivesBy }) ?? []),
  )
  const stockOf = await readVariantStock(
    db,
    affected.flat().map(({ line }) => line.productVariantId),
  )
  return affected.map((lines) =>
    lines.map((described) => {
      const { line, isBlocking, sentences } = described
      const canChange = hasBetterLots(described, stored, stockOf(line.productVariantId))
      const advice = canChange ? 'Choose other lots.' : noOthers[isBlocking ? 'blocking' : 'early']
      return { lineId: line.id, isBlocking, message: [...sentences, advice].join(' ') }
    }),
  )
}

/** A line with a problem of its lots. */
type DescribedLine = { line: LineWithLots; days: Days; isBlocking: boolean; sentences: string[] }

function describeLine(line: LineWithLots, stored: StoredLots, days: Days): DescribedLine | null {
  const blocking = describeLots(line, stored, (lot) => describeBlocking(lot, line, days.now))
  const early = describeLots(line, stored, (lot) => describeEarly(lot, line, days))
  const sentences = [...blocking, ...early]
  return sentences.length === 0 ? null : { line, days, isBlocking: blocking.length > 0, sentences }
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
function hasBetterLots(
  { line, days: { now, arrivesBy }, isBlocking }: DescribedLine,
  stored: StoredLots,
  stock: VariantStock,
): boolean {
  if (!canReplaceLots(line, stored, stock)) return false
  const { onHand, available } = stock
  const { quantity, lots = [], daysSupply } = line
  const back = unitsThatReturn(line, stored)
  const candidates = [...available, ...back.map(({ lotId, ...lot }) => ({ ...lot, id: lotId }))]
  const inNoLot = quantity - sumUnits(lots)
  const lastingUntil = usableUntil(now, daysSupply, arrivesBy)
  const picked = pickLots(candidates, {
    quantity,
    onHand: onHand + sumUnits(back) + inNoLot,
    usableUntil: usableUntil(now, daysSupply),
    lastingUntil,
  })
  if (!picked) return false
  return isBlocking || sumShortUnits(picked, lastingUntil) < sumShortUnits(lots, lastingUntil)
}
