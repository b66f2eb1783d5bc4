import type { StockState } from '#domain/catalog/variant-rules.ts'
import { AppError } from '#domain/errors.ts'
import type { PackageCodes } from '#domain/screening/recall-codes.ts'
import { recallName } from '#domain/screening/recall.ts'
import type { Context } from '../context.ts'
import { findFullRecall, findFullRecalls } from '../screening/find-full-recall.ts'

/** What an edit does to the stock of a variant. `before` is null for a new one. */
type StockEdit = { before: StockState | null; after: StockState }

type RecalledField = 'stockQuantity' | 'inStock'

const sellsUncounted = ({ trackInventory, inStock }: StockState): boolean => !trackInventory && inStock

/** The field by which an edit puts units in no lot on sale; null for none. */
function findRaisedField({ before, after }: StockEdit): RecalledField | null {
  if (after.stockQuantity > (before?.stockQuantity ?? 0)) return 'stockQuantity'
  return sellsUncounted(after) && !(before && sellsUncounted(before)) ? 'inStock' : null
}

/**
 * Throws INVALID (stockQuantity, inStock) for an edit that puts units in no lot of a variant on
 * sale of which all lots are recalled. Call it after saving, because the edit may have changed the
 * NDC.
 */
export async function requireNoFullRecall(
  ctx: Pick<Context, 'db'>,
  variantId: string,
  edit: StockEdit,
): Promise<void> {
  const field = findRaisedField(edit)
  const recallId = field === null ? null : await findFullRecall(ctx, variantId)
  if (field === null || recallId === null) return
  throw new AppError('INVALID', undefined, { fields: { [field]: fullRecallMessage(field, recallId) } })
}

const remedies: Record<RecalledField, string> = {
  stockQuantity: 'Receive the lot on the Inventory page: it then goes into quarantine.',
  inStock: 'It can’t be in stock until the recall has ended.',
}

const fullRecallMessage = (field: RecalledField, recallId: string): string =>
  `${recallName(recallId)} is for all lots of this package. ${remedies[field]}`

type LineStock = {
  line: number
  variantId: string | null
  before: StockState | null
  after: StockState & PackageCodes
}

/** The same for the lines of a file, before they are saved: the fields and problems by line. */
export async function findFullRecallProblems(
  ctx: Pick<Context, 'db'>,
  lines: readonly LineStock[],
): Promise<ReadonlyMap<number, { field: RecalledField; message: string }>> {
  const fieldOf = new Map(
    lines.flatMap((line) => {
      const field = findRaisedField(line)
      return field === null ? [] : [[line.line, field] as const]
    }),
  )
  const raised = lines.filter(({ line }) => fieldOf.has(line))
  const recalls = await findFullRecalls(
    ctx,
    raised.map(({ line, variantId, after: { ndc, din, upc } }) => ({
      id: String(line),
      variantId,
      ndc,
      din,
      upc,
    })),
  )
  return new Map(
    [...fieldOf].flatMap(([line, field]) => {
      const recallId = recalls.get(String(line))
      return recallId === undefined ? [] : [[line, { field, message: fullRecallMessage(field, recallId) }]]
    }),
  )
}
