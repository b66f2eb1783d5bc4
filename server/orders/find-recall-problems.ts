import { groupBy } from '#domain/group-by.ts'
import { isHeldBack, type PackCheck } from '#domain/orders/pack-checks.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { findLineRecalls, type LineRecall, type RecalledUnits } from '../screening/find-line-recalls.ts'

/** A line of an order, named as the signed-in user may see it. */
type ShippedLine = RecalledUnits & { product: { name: string } }
type Checks = { packChecks?: readonly PackCheck[] | undefined }

/** A recall that keeps a line from shipping, and what to do about it. */
export type RecallProblem = LineRecall & { message: string }

/**
 * The recalls that keep these lines from shipping, until someone has resolved them. They are looked
 * up when the order ships, so a recall counts from the moment of its import.
 */
export async function findRecallProblems(
  ctx: Pick<Context, 'db'>,
  lines: readonly ShippedLine[],
  checks: Checks,
): Promise<RecallProblem[]> {
  const { packChecks = [] } = checks
  const packLotsOf = groupBy(packChecks, ({ lineId }) => lineId)
  const recalls = await findLineRecalls(
    ctx,
    lines.map((line) => ({
      ...line,
      packLots: (packLotsOf.get(line.id) ?? []).map(({ lotNumber }) => lotNumber),
    })),
  )
  return recalls.flatMap((recall) => {
    const line = lines.find(({ id }) => id === recall.lineId)
    return line && isHeldBack(checks, { ...recall, lots: line.lots })
      ? [{ ...recall, message: describe(line.product.name, recall) }]
      : []
  })
}

function describe(name: string, { recallId, recallClass, effect, lotNumber }: LineRecall): string {
  const recall = `${recallName(recallId)} (class ${recallClass})`
  if (lotNumber !== null) return `${recall} lists lot ${lotNumber} of ${name}. Choose other lots.`
  return effect === 'block'
    ? `${recall} is for all lots of ${name}. Refuse or refund the item, or record why the recall does not affect the package.`
    : `${recall} may affect ${name}. Check the lot on the package and record it.`
}
