import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import type { Context } from '../context.ts'
import { readPatientNames } from '../patients/read-patients.ts'
import { requireUser } from '../require-user.ts'

/** The lines of an order as far as whom they are for needs them. */
type OrderWithLines = Record<
  'items' | 'refusedItems',
  readonly { id: string; patientId?: string | undefined }[]
> & {
  id: string
}

/** Whom a line was for after the customer removed them from the account. */
const removedPerson = 'someone you removed from your account'

/**
 * Whom the lines of the signed-in customer's orders are for, by line; absent for the customer. The
 * caller writes the audit row. Throws UNAUTHENTICATED.
 * @param knownNames the names of the customer's dependants, if the caller has read them
 */
export async function listLinePeople(
  ctx: Context,
  orders: readonly OrderWithLines[],
  knownNames?: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const { id: userId } = requireUser(ctx)
  const names = knownNames ?? (await readPatientNames(ctx, userId))
  // A prescription keeps the name of its patient, so an account without names has only own ones.
  const reviews =
    names.size === 0
      ? []
      : await listLineReviews(
          ctx.db,
          orders.map(({ id }) => id),
        )
  const lines = orders.flatMap(({ items, refusedItems }) => [...items, ...refusedItems])
  return new Map([
    ...lines.flatMap(({ id, patientId }) =>
      patientId === undefined ? [] : [[id, names.get(patientId) ?? removedPerson] as const],
    ),
    ...reviews.flatMap(({ lineId, patientId }) => {
      const name = names.get(patientId)
      return name === undefined ? [] : [[lineId, name] as const]
    }),
  ])
}
