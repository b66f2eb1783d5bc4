import { AppError } from '#domain/errors.ts'
import type { CodedPackage } from '#domain/screening/recall-codes.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { findFullRecall, findFullRecalls } from '../screening/find-full-recall.ts'

/**
 * Throws INVALID (stockQuantity) for a variant of which all lots are recalled. An edit of a variant
 * adds units in no lot. Call it after saving, because the edit may have changed the NDC.
 */
export async function requireNoFullRecall(ctx: Pick<Context, 'db'>, variantId: string): Promise<void> {
  const recallId = await findFullRecall(ctx, variantId)
  if (recallId === null) return
  throw new AppError('INVALID', undefined, { fields: { stockQuantity: fullRecallMessage(recallId) } })
}

const fullRecallMessage = (recallId: string): string =>
  `${recallName(recallId)} is for all lots of this package. Receive the lot on the Inventory page: it then goes into quarantine.`

type LineStock = CodedPackage & { line: number; before: number; after: number }

/** The same for the lines of a file, before they are saved: the problems by line. */
export async function findFullRecallProblems(
  ctx: Pick<Context, 'db'>,
  lines: readonly LineStock[],
): Promise<ReadonlyMap<number, string>> {
  const raised = lines.filter(({ before, after }) => after > before)
  const recalls = await findFullRecalls(
    ctx,
    raised.map(({ line, variantId, ndc }) => ({ id: String(line), variantId, ndc })),
  )
  return new Map([...recalls].map(([line, recallId]) => [Number(line), fullRecallMessage(recallId)]))
}
