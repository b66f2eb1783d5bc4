import { listCodesOf, listRecalls } from '#db/screening/recalls.ts'
import { listNdc11Forms } from '#domain/catalog/identifiers.ts'
import { hasNul } from '#domain/clean-text.ts'
import { AppError } from '#domain/errors.ts'
import { recordedRecalls } from '#domain/screening/recall.ts'
import { listShopCodes, toVariantId, type PackageCodes } from '#domain/screening/recall-codes.ts'
import { isOngoing } from '#domain/screening/recall-outcome.ts'
import { recordBounds, unknownClass } from '#domain/screening/recorded-recall.ts'
import type { Context } from '../context.ts'
import { requirePermission } from '../require-user.ts'
import { findRecallPackages, type FoundPackages } from './find-recall-packages.ts'
import { readPackages } from './package-codes.ts'
import { readRecallEvents } from './recall-events.ts'

/** What the form that records a recall shows of one that has ended. */
export type RecallFields = { values: Record<string, string>; packages: FoundPackages }

/**
 * The fields of the form that record a recall of staff again, because ending one can't be undone.
 * Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, and CONFLICT while the recall is ongoing.
 */
export async function getRecallFields(ctx: Context, id: string): Promise<RecallFields> {
  requirePermission(ctx, 'settings.write')
  // The id comes from an address.
  const [recall] = hasNul(id) ? [] : await listRecalls(ctx.db, { ids: [id] })
  if (recall?.list !== recordedRecalls) throw new AppError('NOT_FOUND', 'Recall not found')
  // Recorded twice, it would email every customer twice.
  if (isOngoing(recall.status))
    throw new AppError('CONFLICT', 'This recall is ongoing. It can’t be recorded again until it has ended.')
  const { firm, reason, initiated, recallClass, allLots, lots, codes } = recall
  const { covered, others } = await listCarried(ctx, codes)
  const carried = [...covered, ...others]
  return {
    values: {
      firm,
      reason,
      initiated: initiated ?? '',
      // A note that can't be decrypted is typed again.
      reference: (await readRecallEvents(ctx, id)).get('recorded')?.note ?? '',
      recallClass: recallClass === unknownClass ? '' : recallClass,
      scope: allLots ? 'all' : 'listed',
      lots: lots.toSorted().join('\n'),
    },
    packages: await findRecallPackages(ctx, { text: '', carried, shown: carried, chosen: covered }),
  }
}

/**
 * The packages that a recall covered, and the others with a code of theirs, which it did not cover.
 * A DIN names all sizes of a medicine, so its line would choose those too.
 */
async function listCarried(ctx: Context, codes: readonly string[]) {
  const named = await listCodesOf(
    ctx.db,
    codes.flatMap((code) => toVariantId(code) ?? []),
  )
  const related = new Set([...codes, ...named.flatMap(listOwnCodes)])
  const isNamed = new Set(codes)
  const carried = (await readPackages(ctx, [...related]))
    .filter(({ deletedAt }) => deletedAt === null)
    .map((row) => ({ id: row.id, codes: listOwnCodes(row) }))
    .filter((row) => row.codes.some((code) => related.has(code)))
  const isCovered = (row: { codes: string[] }): boolean => row.codes.some((code) => isNamed.has(code))
  const covered = carried.filter(isCovered).map(({ id }) => id)
  const others = carried.filter((row) => !isCovered(row)).map(({ id }) => id)
  return { covered, others: others.slice(0, Math.max(recordBounds.packages - covered.length, 0)) }
}

const listOwnCodes = ({ id, ndc, din, upc }: PackageCodes & { id: string }): string[] => [
  ...listShopCodes({ variantId: id, din, upc }),
  ...(ndc === null ? [] : listNdc11Forms(ndc)),
]
