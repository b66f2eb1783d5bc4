import { findNamedLot, listLotPage, listLots as listRows, type NamedLot } from '#db/inventory/named-lots.ts'
import { dayMs, utcDay } from '#domain/days.ts'
import type { GridPage } from '#domain/grid.ts'
import { findStock } from '#db/inventory/stock.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { AppError } from '#domain/errors.ts'
import { isId } from '#domain/ids.ts'
import type { LotQuery, LotView } from '#domain/inventory/lot-list.ts'
import type { StockedVariant } from '#domain/inventory/inventory-grid.ts'
import { usableUntil } from '#domain/inventory/lots.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findReleaseProblem } from './quarantine-lot.ts'
import { readLotHistory, type LotHistoryView } from './read-lot-history.ts'
import { findStockedVariant } from './list-stock.ts'

/** The most lots that a typeahead shows of a variant. */
const maxLots = 100
export type LotPage = GridPage<LotView> & {
  /** The variant whose lots they are; null for all, or when the requested one does not exist. */
  variant: StockedVariant | null
}

/**
 * A page of lots. Those without units are left out, except of one variant. Throws UNAUTHENTICATED,
 * FORBIDDEN.
 */
export async function listLots(
  ctx: Context,
  { show, days, variant: requested, ...query }: LotQuery,
): Promise<LotPage> {
  requirePermission(ctx, 'stock.read')
  const variant = await findStockedVariant(ctx, requested)
  if (requested !== '' && !variant) return { rows: [], total: 0, next: null, previous: null, variant: null }
  const page = await listLotPage(ctx.reads, query, {
    variantId: variant?.id ?? null,
    status: show === 'all' ? null : show,
    expiresBy: days === null ? null : usableUntil(ctx.now, days),
    isStocked: variant === null,
  })
  return { ...page, rows: page.rows.map((row) => toLotView(ctx, row)), variant }
}

/** The available lots of a variant with units, what expires first first. */
export async function listVariantLots(ctx: Context, variantId: string): Promise<LotView[]> {
  requirePermission(ctx, 'stock.read')
  const filter = { variantId, status: 'available', expiresBy: null, isStocked: true } as const
  return (await listRows(ctx.db, { ...filter, limit: maxLots })).map((row) => toLotView(ctx, row))
}

const toLotView = ({ now }: Pick<Context, 'now'>, row: NamedLot): LotView => ({
  id: row.id,
  lotNumber: row.lotNumber,
  expiresOn: row.expiresOn,
  daysLeft: Math.round((Date.parse(row.expiresOn) - Date.parse(utcDay(now))) / dayMs),
  quantity: row.quantity,
  status: row.status,
  variantId: row.variantId,
  productName: row.productName,
  label: labelOfRow(row),
})

export type LotDetails = {
  lot: LotView
  version: number
  /** The variant's stock on hand; null when it was deleted. */
  stock: number | null
  history: LotHistoryView
  /** Why a lot in quarantine can’t return to the stock; null when it can. */
  releaseProblem: Awaited<ReturnType<typeof findReleaseProblem>>
}

/** A lot with what happened to it. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND. */
export async function getLot(ctx: Context, id: string): Promise<LotDetails> {
  requirePermission(ctx, 'stock.read')
  const row = isId(id) ? await findNamedLot(ctx.db, id) : null
  if (!row) throw new AppError('NOT_FOUND', 'Lot not found')
  return {
    lot: toLotView(ctx, row),
    version: row.version,
    stock: await findStock(ctx.db, row.variantId),
    history: await readLotHistory(ctx, row),
    releaseProblem: row.status === 'quarantined' ? await findReleaseProblem(ctx, row) : null,
  }
}
