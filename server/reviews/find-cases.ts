import {
  listCaseOrders,
  listCasePrescriptions,
  listCasesByNumber,
  listCasesOfPerson,
  listPrescriptionNumbers,
  type CaseRef,
} from '#db/dispensing/cases.ts'
import { listLineReviews } from '#db/dispensing/line-reviews.ts'
import { pipeline } from '#db/engine/sql.ts'
import { parseCaseNumber } from '#domain/dispensing/case-number.ts'
import { rxNumber, type LineReviewStatus } from '#domain/dispensing/dispensing.ts'
import type { FoundCase, FoundCases } from '#domain/dispensing/case-queue.ts'
import { searchTokens } from '../accounts/find-customers.ts'
import { getStaffNames } from '../accounts/get-staff-names.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { requirePermission } from '../require-user.ts'
import { staffName } from './case-items.ts'
import { noNames, readCaseNames, toNamedCases } from './case-names.ts'

const maxFound = 50

/**
 * Finds orders with prescription lines, and prescriptions, by the number of either or by their
 * customer's name or email address: also those that were decided long ago. The newest first. The
 * read is audited for each customer. Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function findCases(ctx: Context, typed: string): Promise<FoundCases> {
  requirePermission(ctx, 'prescriptions.review')
  const number = parseCaseNumber(typed)
  const found = number
    ? await listCasesByNumber(ctx.db, number, maxFound)
    : await listCasesOfPerson(ctx.db, (await searchTokens(ctx, typed, 'current-and-former')) ?? [], maxFound)
  const rows = await readFound(ctx, found)
  await recordReads(ctx, {
    action: 'prescriptions.read',
    subjectIds: [...new Set(rows.map(({ userId }) => userId))],
  })
  return { rows: rows.map(({ row }) => row), isNumber: number !== null }
}

type ReadCase = { userId: string; row: FoundCase }

async function readFound(ctx: Context, found: readonly CaseRef[]): Promise<ReadCase[]> {
  const idsOf = (kind: CaseRef['kind']): string[] =>
    found.filter((one) => one.kind === kind).map(({ id }) => id)
  const [orders, prescriptions, reviews] = await pipeline(
    listCaseOrders(ctx.db, idsOf('order')),
    listCasePrescriptions(ctx.db, idsOf('prescription')),
    listLineReviews(ctx.db, idsOf('order')),
  )
  const prescriptionIds = new Set(reviews.flatMap(({ prescriptionId }) => prescriptionId ?? []))
  const numbers = await listPrescriptionNumbers(ctx.db, [...prescriptionIds])
  const deciders = [...reviews, ...prescriptions].map(({ decidedBy }) => decidedBy)
  const names = await getStaffNames(ctx, deciders)
  const namesOf = (ids: readonly (string | null)[]): string[] => [
    ...new Set(ids.flatMap((id) => (id === null ? [] : [staffName(names, id)]))),
  ]
  const people = await readCaseNames(ctx, toNamedCases({ orders, prescriptions, reviews }))
  const byId = new Map<string, ReadCase>()
  for (const order of orders) {
    const own = reviews.filter(({ orderId }) => orderId === order.id)
    const used = new Set(own.flatMap(({ prescriptionId }) => prescriptionId ?? []))
    byId.set(order.id, {
      userId: order.userId,
      row: {
        id: order.id,
        kind: 'order',
        ...(people.get(order.id) ?? noNames),
        receivedAt: order.createdAt.toISOString(),
        rxNumbers: [...used].flatMap((id) => numbers.get(id) ?? []).map(rxNumber),
        medicines: readOrderContent(ctx.keys, order)
          .lines.filter(({ product }) => product.category === 'Rx')
          .map(({ product }) => product.name),
        status: { kind: 'order', is: order.status },
        lines: countByStatus(own),
        decidedBy: namesOf(own.map(({ decidedBy }) => decidedBy)),
      },
    })
  }
  for (const prescription of prescriptions) {
    const { id, userId, status, uploadedAt, number, decidedBy } = prescription
    byId.set(id, {
      userId,
      row: {
        id,
        kind: 'prescription',
        ...(people.get(prescription.id) ?? noNames),
        receivedAt: uploadedAt.toISOString(),
        rxNumbers: [rxNumber(number)],
        medicines: [],
        status: { kind: 'prescription', is: status },
        lines: null,
        decidedBy: namesOf([decidedBy]),
      },
    })
  }
  return found.flatMap(({ id }) => byId.get(id) ?? [])
}

function countByStatus(reviews: readonly { status: LineReviewStatus }[]): Record<LineReviewStatus, number> {
  const counts = { waiting: 0, asked: 0, cleared: 0, refused: 0 }
  for (const { status } of reviews) counts[status]++
  return counts
}
