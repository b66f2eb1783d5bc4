import { listVariantChoices } from '#db/inventory/admin-stock.ts'
import { listPackageCodes, listRecalls } from '#db/screening/recalls.ts'
import { hasNul } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'
import { recordedRecalls } from '#domain/screening/recall.ts'
import { listCodes } from '#domain/screening/recall-codes.ts'
import { unknownClass } from '#domain/screening/recorded-recall.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { readRecallEvents } from './recall-events.ts'

/**
 * The fields of the form that record a recall of staff again, because ending one can't be
 * undone. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function getRecallFields(ctx: Context, id: string): Promise<Record<string, string>> {
  requirePermission(ctx, 'settings.write')
  // The id comes from an address.
  const [recall] = hasNul(id) ? [] : await listRecalls(ctx.db, { ids: [id] })
  if (recall?.list !== recordedRecalls) throw new AppError('NOT_FOUND', 'Recall not found')
  const { firm, reason, initiated, recallClass, allLots, lots, codes } = recall
  return {
    firm,
    reason,
    initiated: initiated ?? '',
    reference: (await readRecallEvents(ctx, id)).get('recorded')?.note ?? '',
    recallClass: recallClass === unknownClass ? '' : recallClass,
    products: (await listProductLines(ctx, codes)).join('\n'),
    scope: allLots ? 'all' : 'listed',
    lots: lots.toSorted().join('\n'),
  }
}

/** A line for each package that these codes name: its code, or the name of its product. */
async function listProductLines({ db }: Context, codes: readonly string[]): Promise<string[]> {
  const isNamed = new Set(codes)
  const packages = (await listPackageCodes(db, codes)).filter(
    ({ id, deletedAt, ...own }) =>
      deletedAt === null && listCodes({ variantId: id, ...own }).some((code) => isNamed.has(code)),
  )
  const rows = await listVariantChoices(
    db,
    packages.map(({ id }) => id),
  )
  const lines = rows.map(
    ({ ndc, din, upc, productName }) => ndc ?? (din && `DIN ${din}`) ?? (upc && `UPC ${upc}`) ?? productName,
  )
  return [...new Set(lines)]
}
