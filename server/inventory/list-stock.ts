import { findVariantStock, listReserved, listVariantChoices, sumStock } from '#db/inventory/admin-stock.ts'
import { can } from '#domain/accounts/permissions.ts'
import { productKind, variantLabel } from '#domain/catalog/catalog.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { isId } from '#domain/ids.ts'
import type { StockedVariant, StockPage, StockQuery, StockValue } from '#domain/inventory/inventory-grid.ts'
import { decimalFromCents } from '#domain/money.ts'
import { requirePermission } from '../require-user.ts'
import { findShortages } from '../screening/find-shortages.ts'
import { rankAdminVariants } from '../catalog/find-admin-catalog.ts'
import { listVariantPage } from '../catalog/list-admin-catalog.ts'
import type { Context } from '../context.ts'

/** The most suggestions for a typed text. */
const maxSuggestions = 20

/** The catalog grid's filters, all off. */
const noFilters = { category: undefined, price: undefined, manufacturerId: undefined }

/** A page of the stock list. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function listStock(ctx: Context, { show, ...query }: StockQuery): Promise<StockPage> {
  const user = requirePermission(ctx, 'stock.read')
  const stock = show === 'all' ? undefined : show
  const { rows, total, next, previous, found } = await listVariantPage(ctx, { ...query, ...noFilters, stock })
  const ids = rows.map(({ id }) => id)
  const reserved = await listReserved(ctx.reads, ids)
  const shortages = await findShortages(ctx, ids)
  return {
    rows: rows.map((row) => {
      const shortage = shortages.get(row.id)
      return {
        id: row.id,
        productId: row.productId,
        productName: row.productName,
        label: variantLabel(row),
        stockQuantity: row.stockQuantity,
        reservedQuantity: reserved.get(row.id) ?? 0,
        isDeleted: false,
        isOnSale: row.inStock,
        manufacturerName: row.manufacturerName,
        price: row.price,
        acquisitionCost: can(user, 'costs.read') ? row.acquisitionCost : null,
        ...(shortage !== undefined && { shortage }),
      }
    }),
    total,
    next,
    previous,
    hidden: found === null ? 0 : Math.max(0, found - total),
  }
}

/** Of a product with hundreds of variants, the suggestions are chosen among so many. */
const maxExamined = 200

/** A variant for a typeahead. */
export type VariantSuggestion = StockedVariant & {
  /** "oral · tablet · OTC": tells products of one name apart. */
  kind: string
}

/**
 * The first variants that a typed text finds, ranked as in the shop; those of a product in stock
 * first, then by strength and pack. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function suggestVariants(ctx: Context, text: string): Promise<VariantSuggestion[]> {
  requirePermission(ctx, 'stock.read')
  const ids = await rankAdminVariants(ctx.reads, text)
  const rows = await listVariantChoices(ctx.reads, ids.slice(0, maxExamined))
  const places = new Map([...new Set(rows.map(({ productId }) => productId))].map((id, place) => [id, place]))
  const place = (productId: string): number => places.get(productId) ?? places.size
  const isOut = (row: { stockQuantity: number }): number => (row.stockQuantity > 0 ? 0 : 1)
  return rows
    .toSorted(
      (a, b) =>
        place(a.productId) - place(b.productId) ||
        isOut(a) - isOut(b) ||
        (parseFloat(a.strength) || 0) - (parseFloat(b.strength) || 0) ||
        a.packageSize - b.packageSize,
    )
    .slice(0, maxSuggestions)
    .map((row) => ({
      id: row.id,
      productId: row.productId,
      productName: row.productName,
      label: labelOfRow(row),
      kind: productKind({ ...row, forms: row.dosageForm ? [row.dosageForm] : [] }),
      stockQuantity: row.stockQuantity,
      reservedQuantity: 0,
      isDeleted: false,
      isOnSale: row.inStock,
    }))
}

/**
 * The variant with an id, even a deleted one, or the first that a typed name finds; null when there
 * is none. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function findStockedVariant(ctx: Context, idOrName: string): Promise<StockedVariant | null> {
  requirePermission(ctx, 'stock.read')
  if (idOrName === '') return null
  const id = isId(idOrName) ? idOrName : (await suggestVariants(ctx, idOrName))[0]?.id
  const row = id === undefined ? null : await findVariantStock(ctx.db, id)
  if (!row) return null
  const { productId, productName, stockQuantity, reservedQuantity, deletedAt } = row
  return {
    id: row.id,
    productId,
    productName,
    label: labelOfRow(row),
    stockQuantity,
    reservedQuantity,
    isDeleted: deletedAt !== null,
    isOnSale: row.inStock,
  }
}

/** The value of all stock on hand, at cost and at price. Throws UNAUTHENTICATED, FORBIDDEN. */
export async function getStockValue(ctx: Context): Promise<StockValue> {
  requirePermission(ctx, 'costs.read')
  const { units, costCents, priceCents, withoutCost, withoutPrice } = await sumStock(ctx.reads)
  return {
    units,
    atCost: decimalFromCents(costCents),
    atPrice: decimalFromCents(priceCents),
    withoutCost,
    withoutPrice,
  }
}
