import { listVariantNames } from '#db/inventory/admin-stock.ts'
import { labelOfRow } from '#domain/catalog/form-label.ts'
import { recordBounds } from '#domain/screening/recorded-recall.ts'
import type { Recall } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { findRecallEffects } from './find-recall-effects.ts'
import { listNewToCustomers } from './notify-customers.ts'
import type { ReadNdcPackages } from './package-codes.ts'

/** What recalls would do to stock and orders. */
export type RecallsPreview = {
  packages: number
  /** The names of deleted packages, at most about sixty. */
  deletedNames: string[]
  /** How many there are. */
  deletedPackages: number
  outsideCatalog: number
  lots: { lotId: string; lotNumber: string; quantity: number; recallId: string }[]
  looseUnits: number
  /** Packages without a count of their units that go off sale. */
  takenOffSale: number
  openOrders: number
  openLines: number
  shippedOrders: number
  /** Shipped orders that can't be decrypted, so their customers are not notified. */
  unreadableOrders: number
  /** Customers who were not notified of the recall before. */
  customers: number
}

/** What these recalls would do, by the functions that do it. */
export async function previewRecalls(
  ctx: Context,
  recalls: readonly Recall[],
  readNdcPackages?: ReadNdcPackages,
): Promise<RecallsPreview> {
  const effects = await findRecallEffects(ctx, recalls, readNdcPackages)
  const newToCustomers = await listNewToCustomers(ctx, effects.shipped)
  return {
    packages: effects.packages,
    deletedNames: await listNames(ctx, effects.deletedIds.slice(0, recordBounds.packages)),
    deletedPackages: effects.deletedIds.length,
    outsideCatalog: effects.outsideCatalog,
    lots: effects.lots.map(({ recall, ...lot }) => ({ ...lot, recallId: recall.id })),
    looseUnits: effects.loose.reduce((sum, { units }) => sum + units, 0),
    takenOffSale: effects.untracked.length,
    openOrders: new Set(effects.open.map(({ orderId }) => orderId)).size,
    openLines: new Set(effects.open.flatMap(({ lineIds }) => lineIds)).size,
    shippedOrders: new Set(effects.shipped.map(({ orderId }) => orderId)).size,
    unreadableOrders: effects.unreadable,
    customers: new Set(newToCustomers.map(({ userId }) => userId)).size,
  }
}

async function listNames({ db }: Context, ids: readonly string[]): Promise<string[]> {
  const rows = ids.length === 0 ? [] : (await listVariantNames(db, ids)).values()
  return [...rows].map((row) => `${row.productName}, ${labelOfRow(row)}`)
}
