import { can } from '#domain/accounts/permissions.ts'
import type { OrderLine, RefusedLine } from '#domain/orders/orders.ts'
import type { Context } from '../context.ts'

type Owner = { userId: string | null }

const seesMedicines = ({ user }: Pick<Context, 'user'>, { userId }: Owner): boolean =>
  user === null ||
  // An API key has the id of its creator, whose own orders it may read like any other.
  (user.id === userId && user.apiKeyId === undefined) ||
  can(user, 'orders.medicines')

/** A prescription line for staff who may not see which medicine it is. */
const hideMedicine = <Line extends OrderLine>(line: Line): Line =>
  line.product.category !== 'Rx'
    ? line
    : {
        ...line,
        productVariantId: '',
        product: { id: '', name: 'Prescription medicine', category: 'Rx' },
        variant: {
          brandName: null,
          strength: '',
          strengthUnit: '',
          dosageForm: null,
          formDetail: '',
          packageSize: 1,
          packageUnit: '',
        },
        medicine: undefined,
        units: undefined,
        daysSupply: undefined,
        lots: undefined,
      }

/**
 * An order's lines as the signed-in user may see them: its customer sees all, staff without
 * `orders.medicines` see no prescription medicine.
 */
export const visibleLines = <Line extends OrderLine>(
  ctx: Pick<Context, 'user'>,
  owner: Owner,
  lines: readonly Line[],
): Line[] => (seesMedicines(ctx, owner) ? [...lines] : lines.map(hideMedicine))

/**
 * The lines for `findShippingProblems`, with everything that its rules need, named as the signed-in
 * user may see them.
 */
export function linesToShip(ctx: Pick<Context, 'user'>, owner: Owner, lines: readonly OrderLine[]) {
  const shown = new Map(visibleLines(ctx, owner, lines).map(({ id, product }) => [id, product.name]))
  return lines.map(({ id, productVariantId, quantity, product, medicine, lots, daysSupply }) => ({
    id,
    productVariantId,
    quantity,
    product: { category: product.category, name: shown.get(id) ?? 'Prescription medicine' },
    medicine,
    lots,
    daysSupply,
  }))
}

/**
 * What a recall or a lot means for a line that ships, as the signed-in user may read it. The number
 * of a recall or a lot would tell staff without `orders.medicines` which medicine it is.
 */
export const visibleProblem = (
  ctx: Pick<Context, 'user'>,
  owner: Owner,
  { kind, message }: { kind: keyof typeof hiddenProblems; message: string },
): string => (seesMedicines(ctx, owner) ? message : hiddenProblems[kind])

/** The same for the problems of these lines, by the kind of each. */
export function visibleProblems<Problem extends { lineId: string; message: string }>(
  ctx: Pick<Context, 'user'>,
  owner: Owner,
  lines: readonly { id: string; product: { category: string } }[],
  problems: readonly (Problem & { kind: keyof typeof hiddenProblems })[],
): Omit<Problem, 'kind'>[] {
  const rxLines = new Set(lines.flatMap(({ id, product }) => (product.category === 'Rx' ? [id] : [])))
  return problems.map(({ kind, ...problem }) =>
    rxLines.has(problem.lineId)
      ? { ...problem, message: visibleProblem(ctx, owner, { kind, message: problem.message }) }
      : problem,
  )
}

const hiddenProblems = {
  recall: 'A recall may affect an item. The pharmacy has to check it.',
  lot: 'The lot of a prescription item must be checked by the pharmacy before it is packed.',
  'lot-warning': 'A prescription item may expire before the order arrives. The pharmacy can check it.',
} as const

/**
 * The same as `visibleLines` for lines that were refused, whose reason may say why a patient must
 * not take it.
 */
export const visibleRefusedLines = (
  ctx: Pick<Context, 'user'>,
  owner: Owner,
  lines: readonly RefusedLine[],
): RefusedLine[] =>
  seesMedicines(ctx, owner) ? [...lines] : lines.map((line) => ({ ...hideMedicine(line), reason: '' }))
