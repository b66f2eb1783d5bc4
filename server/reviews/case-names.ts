import type { LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { findPatients } from '#db/patients/patients.ts'
import { patientOf } from '#domain/prescriptions/prescriptions.ts'
import { readDisplayName } from '../accounts/person-reader.ts'
import type { Context } from '../context.ts'
import { unwrapUserKey } from '../crypto/user-key.ts'
import { openDependantName } from '../patients/read-patients.ts'

type CaseToName = {
  id: string
  userId: string
  sealedName: string
  wrappedKey: string
  /** The customer, or dependants. */
  patientIds: readonly string[]
}

export type CaseNames = {
  /** "Sofia Marsh"; of an order for several people "Maya Marsh, Sofia Marsh". */
  patientName: string
  /** The customer, where a dependant is a patient; else null. */
  accountName: string | null
}

export const noNames: CaseNames = { patientName: '', accountName: null }

type Cases = {
  orders: readonly Omit<CaseToName, 'patientIds'>[]
  prescriptions: readonly (Omit<CaseToName, 'patientIds'> & { patientId: string | null })[]
  reviews: readonly Pick<LineReviewRow, 'orderId' | 'patientId'>[]
}

/** An order is for the patients of its prescription lines, a prescription for its own. */
export const toNamedCases = ({ orders, prescriptions, reviews }: Cases): CaseToName[] => [
  ...orders.map((order) => ({
    ...order,
    patientIds: reviews.flatMap(({ orderId, patientId }) => (orderId === order.id ? patientId : [])),
  })),
  ...prescriptions.map((prescription) => ({ ...prescription, patientIds: [patientOf(prescription)] })),
]

/** Whom cases are for, by the case. Unrecorded: the caller writes the audit row. */
export async function readCaseNames(
  ctx: Pick<Context, 'db' | 'keys'>,
  cases: readonly CaseToName[],
): Promise<Map<string, CaseNames>> {
  const dependantIds = cases.flatMap(({ userId, patientIds }) => patientIds.filter((id) => id !== userId))
  const rows = dependantIds.length === 0 ? [] : await findPatients(ctx.db, [...new Set(dependantIds)])
  return new Map(
    cases.map(({ id, userId, sealedName, wrappedKey, patientIds }) => {
      const key = unwrapUserKey(ctx, userId, wrappedKey)
      const accountName = readDisplayName(key, { id: userId, sealedName })
      const dependants = rows.flatMap((row) => {
        if (row.userId !== userId || row.id === userId || !patientIds.includes(row.id)) return []
        return openDependantName(key, row) ?? []
      })
      const isForCustomer = patientIds.includes(userId) || dependants.length === 0
      const names = [...(isForCustomer ? [accountName] : []), ...dependants]
      return [id, { patientName: names.join(', '), accountName: dependants.length > 0 ? accountName : null }]
    }),
  )
}
