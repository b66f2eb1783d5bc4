import {
  findLotByNumber,
  receiveLot,
  sumAvailableLots,
  takeFromLots,
  type LotRow,
} from '#db/inventory/lots.ts'
import type { StockChange } from '#db/inventory/stock-change.ts'
import { utcDay } from '#domain/days.ts'
import { AppError } from '#domain/errors.ts'
import { formatDay } from '#domain/format-day.ts'
import { newId } from '#domain/ids.ts'
import { farExpiryMessage, isFarExpiry, normalizeLotNumber } from '#domain/inventory/lot-fields.ts'
import { lotStatusPhrases } from '#domain/inventory/lots.ts'
import type { Context } from '../context.ts'

type LotInput = { lotNumber: string | null; expiryDate: string | null }

/**
 * Adds units to a lot or takes them from it, in the transaction that changed the variant's stock by
 * as many. Returns the lot; null for units in no lot. Throws INVALID (lotNumber, expiryDate) and
 * CONFLICT with the field.
 */
export async function adjustLot(
  ctx: Pick<Context, 'db' | 'now'>,
  change: StockChange,
  { lotNumber: requested, expiryDate }: LotInput,
): Promise<LotRow | null> {
  const { variantId, before, after, hasLots } = change
  const isReceipt = after > before
  if (requested === null) {
    if (!isReceipt && hasLots) await requireUnitsInNoLot(ctx, change)
    return null
  }
  const lot = hasLots ? await findLotByNumber(ctx.db, { variantId, lotNumber: requested }) : null
  const lotNumber = lot?.lotNumber ?? normalizeLotNumber(requested)
  if (lot && lot.status !== 'available') {
    throw toError('CONFLICT', 'lotNumber', `Lot ${lotNumber} ${lotStatusPhrases[lot.status]}.`)
  }
  return isReceipt
    ? receive(ctx, { variantId, lotNumber, expiryDate, lot, quantity: after - before })
    : takeFrom(ctx, { lot, lotNumber, quantity: before - after })
}

const toError = (
  code: 'INVALID' | 'CONFLICT',
  field: 'lotNumber' | 'expiryDate' | 'quantityChange',
  message: string,
): AppError => new AppError(code, code === 'CONFLICT' ? message : undefined, { fields: { [field]: message } })

async function requireUnitsInNoLot(
  { db }: Pick<Context, 'db'>,
  { variantId, before, after }: StockChange,
): Promise<void> {
  const inLots = (await sumAvailableLots(db, [variantId])).get(variantId) ?? 0
  if (inLots <= after) return
  const inNoLot = before - inLots
  const units = inNoLot === 1 ? '1 unit is' : `${inNoLot} units are`
  throw toError('INVALID', 'lotNumber', `Enter a lot number. ${units} not in a lot.`)
}

async function receive(
  { db, now }: Pick<Context, 'db' | 'now'>,
  {
    variantId,
    lotNumber,
    expiryDate,
    lot,
    quantity,
  }: {
    variantId: string
    lotNumber: string
    expiryDate: string | null
    lot: LotRow | null
    quantity: number
  },
): Promise<LotRow> {
  const expiresOn = expiryDate ?? lot?.expiresOn
  if (expiresOn === undefined) {
    throw toError('INVALID', 'expiryDate', `Enter the expiry date of lot ${lotNumber}.`)
  }
  if (expiresOn < utcDay(now)) {
    throw toError('INVALID', 'expiryDate', `Lot ${lotNumber} has expired. Don’t add it to the stock.`)
  }
  if (!lot && isFarExpiry(expiresOn, utcDay(now)))
    throw toError('INVALID', 'expiryDate', farExpiryMessage(expiresOn))
  const id = newId(now.getTime())
  const received = await receiveLot(db, { id, variantId, lotNumber, expiresOn, quantity, createdAt: now })
  if (received) return received
  throw toError(
    'CONFLICT',
    'expiryDate',
    `Lot ${lotNumber} was already received with ${lot ? `the expiry date ${formatDay(lot.expiresOn)}` : 'a different expiry date'}. Check the package.`,
  )
}

async function takeFrom(
  { db }: Pick<Context, 'db'>,
  { lot, lotNumber, quantity }: { lot: LotRow | null; lotNumber: string; quantity: number },
): Promise<LotRow> {
  if (!lot) throw toError('INVALID', 'lotNumber', `This variant has no lot ${lotNumber}.`)
  if (await takeFromLots(db, [{ lotId: lot.id, quantity }])) return lot
  throw toError(
    'CONFLICT',
    'quantityChange',
    `You can’t remove ${quantity} units. There are ${lot.quantity} in lot ${lotNumber}.`,
  )
}
