import { listEquivalentsRows } from '#db/screening/equivalents.ts'
import { groupBy } from '#domain/group-by.ts'
import { rateVariant, type Rating } from '#domain/screening/equivalents.ts'
import type { Context } from '../context.ts'

export type VariantRatings = {
  /** By variant. Those without a rating are left out. */
  ratings: ReadonlyMap<string, Rating>
  /** The day of the list. Null when it has none of the applications. */
  listDate: string | null
  /** Whether the list has all products of these ingredients. */
  isComplete: boolean
}

/**
 * What FDA's list of equivalents says about variants, in one statement.
 * @param applications of the variants that have one, by id
 */
export async function rateVariants(
  { db }: Pick<Context, 'db'>,
  variants: readonly { id: string; labelStrength: string | null; labelForm: string | null }[],
  applications: ReadonlyMap<string, string>,
): Promise<VariantRatings> {
  const numbers = new Set<string>()
  for (const { id } of variants) {
    const number = applications.get(id)
    if (number !== undefined) numbers.add(number)
  }
  const rows = numbers.size > 0 ? await listEquivalentsRows(db, [...numbers]) : []
  const rowsOf = groupBy(rows, ({ applicationNumber }) => applicationNumber)
  const ratings = new Map<string, Rating>()
  // A product has many packages of the same application and strength.
  const found = new Map<string, Rating | null>()
  for (const { id, labelStrength, labelForm } of variants) {
    const applicationNumber = applications.get(id) ?? null
    const listed = applicationNumber === null ? undefined : rowsOf.get(applicationNumber)
    if (!listed) continue
    const key = `${applicationNumber}\n${labelStrength}\n${labelForm}`
    let rating = found.get(key)
    if (rating === undefined) {
      rating = rateVariant({ applicationNumber, labelStrength, labelForm }, listed)
      found.set(key, rating)
    }
    if (rating) ratings.set(id, rating)
  }
  return {
    ratings,
    listDate: rows[0]?.listDate ?? null,
    isComplete: rows.every(({ listIsComplete }) => listIsComplete),
  }
}
