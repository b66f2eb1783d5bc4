import { listRecalledLots, listRecallsOf } from '#db/screening/facts.ts'
import { listCodesOf } from '#db/screening/recalls.ts'
import { listCodes, toLotKey, type CodedPackage } from '#domain/screening/recall-codes.ts'
import { judgeUnits, listsLot, type RecallScope } from '#domain/screening/recall-outcome.ts'
import type { Context } from '../context.ts'

/** Units of a variant: of an order's line, or of a lot. */
export type RecalledUnits = {
  id: string
  productVariantId: string
  quantity: number
  lots?: readonly { lotNumber: string; quantity: number }[] | undefined
  /** Other lots to look up in the recalls: those that staff read on the packs. */
  packLots?: readonly string[]
}

/** A recall that stops units from leaving, or until someone has checked the pack. */
export type LineRecall = {
  lineId: string
  recallId: string
  recallClass: string
  effect: 'block' | 'check-pack'
  /** The lot that the recall lists; null when it is for all lots, or the lot is not known. */
  lotNumber: string | null
  /** The lots that the recall lists, of those that were looked up. */
  recalledLots: readonly string[]
}

/** The current recalls that affect these units, as the alerts judge them. */
export async function findLineRecalls(
  ctx: Pick<Context, 'db'>,
  lines: readonly RecalledUnits[],
): Promise<LineRecall[]> {
  if (lines.length === 0) return []
  const variants = await listCodesOf(ctx.db, [...new Set(lines.map((line) => line.productVariantId))])
  return findRecallsByCodes(
    ctx,
    lines,
    variants.map((variant) => ({ ...variant, variantId: variant.id })),
  )
}

/** The same for packages that may not be saved yet, by the `id` that the lines give them. */
export async function findRecallsByCodes(
  { db }: Pick<Context, 'db'>,
  lines: readonly RecalledUnits[],
  variants: readonly (CodedPackage & { id: string })[],
): Promise<LineRecall[]> {
  const codesOf = new Map(variants.map((variant) => [variant.id, listCodes(variant)]))
  const codes = [...new Set([...codesOf.values()].flat())]
  const recalls = codes.length === 0 ? [] : await listRecallsOf(db, codes)
  if (recalls.length === 0) return []
  const lotKeys = lines.flatMap(({ lots = [], packLots = [] }) =>
    [...lots.map(({ lotNumber }) => lotNumber), ...packLots].map(toLotKey),
  )
  const listed =
    lotKeys.length === 0
      ? []
      : await listRecalledLots(db, { recallIds: recalls.map(({ id }) => id), lotKeys })
  return lines.flatMap(({ id: lineId, productVariantId, quantity, lots = [] }) => {
    const own = new Set(codesOf.get(productVariantId))
    const seen = new Set<string>()
    return recalls.flatMap((recall): LineRecall[] => {
      if (!own.has(recall.code) || seen.has(recall.id)) return []
      seen.add(recall.id)
      const scope: RecallScope = {
        status: recall.status,
        isForAllLots: recall.allLots,
        listsAllLots: recall.anyLot !== null && recall.lotNote === null,
        lots: listed.filter(({ recallId }) => recallId === recall.id).map(({ lotKey }) => lotKey),
      }
      const effect = judgeUnits(scope, { lots, quantity })?.effect ?? null
      if (effect !== 'block' && effect !== 'check-pack') return []
      return [
        {
          lineId,
          recallId: recall.id,
          recallClass: recall.recallClass,
          effect,
          lotNumber: lots.find(({ lotNumber }) => listsLot(scope, lotNumber))?.lotNumber ?? null,
          recalledLots: scope.lots,
        },
      ]
    })
  })
}

/** The recall that keeps a lot from being sold; null for none. */
export async function findLotRecall(
  ctx: Pick<Context, 'db'>,
  { variantId: productVariantId, lotNumber }: { variantId: string; lotNumber: string },
): Promise<string | null> {
  const lots = [{ lotNumber, quantity: 1 }]
  const recalls = await findLineRecalls(ctx, [{ id: lotNumber, productVariantId, quantity: 1, lots }])
  return recalls.find(({ effect }) => effect === 'block')?.recallId ?? null
}
