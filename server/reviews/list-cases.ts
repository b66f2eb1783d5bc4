import {
  listCaseOrders,
  listCasePrescriptions,
  listPrescriptionNumbers,
  listQuestionStates,
} from '#db/dispensing/cases.ts'
import type { CaseId } from '#db/dispensing/case-queue.ts'
import { countCases, listCaseIds } from '#db/dispensing/case-queue.ts'
import { listDraftCases } from '#db/dispensing/case-drafts.ts'
import { listLineReviews, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { pipeline } from '#db/engine/sql.ts'
import { findPharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { can } from '#domain/accounts/permissions.ts'
import { dayMs, daysSince } from '#domain/days.ts'
import type { CaseQuery } from '#domain/dispensing/case-inputs.ts'
import { rxNumber } from '#domain/dispensing/dispensing.ts'
import type { QueuePage, QueueRow } from '#domain/dispensing/case-queue.ts'
import { remainingLines } from '#domain/orders/orders.ts'
import { recordReads } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'
import { readViewers } from './case-drafts.ts'
import { noNames, readCaseNames, toNamedCases } from './case-names.ts'
import { findDestinations } from './find-destinations.ts'

const hourMs = 3600_000

/**
 * A page of the queue: orders with prescription lines to decide, and prescriptions under review
 * that no such order uses. What lapses first comes first. The read is audited for each customer.
 * Throws UNAUTHENTICATED, FORBIDDEN.
 */
export async function listCases(ctx: Context, query: CaseQuery): Promise<QueuePage> {
  const user = requirePermission(ctx, 'prescriptions.review')
  const { id: userId } = user
  const { captureMarginHours, twoPharmacists } = await getSettings(ctx)
  // Within a day the shop decides without a pharmacist.
  const dueBefore = new Date(ctx.now.getTime() + captureMarginHours * hourMs + dayMs)
  const isLicensed =
    can(user, 'prescriptions.clear') && (await findPharmacistLicense(ctx.db, userId)) !== null
  const reader = { userId, dueBefore, twoPharmacists, isLicensed }
  const [{ rows: found, ...page }, counts] = await Promise.all([
    listCaseIds(ctx.db, query, reader),
    countCases(ctx.db, reader),
  ])
  const rows = await readRows(ctx, found, { dueBefore, twoPharmacists })
  await recordReads(ctx, {
    action: 'prescriptions.read',
    subjectIds: [...new Set(rows.map(({ patientId }) => patientId))],
  })
  return { ...page, counts, rows: rows.map(({ row }) => row) }
}

type Found = Pick<
  CaseId,
  'id' | 'kind' | 'waiting' | 'asked' | 'cleared' | 'refused' | 'unchecked' | 'isMine'
>

async function readRows(
  ctx: Context,
  found: readonly Found[],
  { dueBefore, twoPharmacists }: { dueBefore: Date; twoPharmacists: boolean },
): Promise<{ patientId: string; row: QueueRow }[]> {
  const idsOf = (kind: CaseId['kind']): string[] =>
    found.filter((row) => row.kind === kind).map(({ id }) => id)
  const orderIds = idsOf('order')
  const [orders, prescriptions, reviews, drafts] = await pipeline(
    listCaseOrders(ctx.db, orderIds),
    listCasePrescriptions(ctx.db, idsOf('prescription')),
    listLineReviews(ctx.db, orderIds),
    listOwnDrafts(ctx, found),
  )
  const prescriptionIds = [
    ...reviews.flatMap((review) => review.prescriptionId ?? []),
    ...idsOf('prescription'),
  ]
  const [numbersById, questions] = await pipeline(
    listPrescriptionNumbers(ctx.db, [...new Set(prescriptionIds)]),
    listQuestionStates(ctx.db, [...new Set([...orderIds, ...prescriptionIds])]),
  )
  const contents = orders.map((order) => readOrderContent(ctx.keys, order))
  const rxLines = contents.map((content) =>
    remainingLines(content).filter(({ product }) => product.category === 'Rx'),
  )
  const destinations = await findDestinations(
    ctx,
    contents.map(({ shipTo }, at) => ({
      shipTo,
      productIds: (rxLines[at] ?? []).map(({ product }) => product.id),
    })),
  )
  const names = await readCaseNames(ctx, toNamedCases({ orders, prescriptions, reviews }))
  const viewers = await readViewers(
    ctx,
    found.map(({ id }) => id),
  )
  const shared = ({ id, kind, waiting, asked, cleared, refused, unchecked }: Found, receivedAt: Date) => ({
    id,
    kind,
    receivedAt: receivedAt.toISOString(),
    daysWaiting: daysSince(receivedAt, ctx.now),
    lines: { waiting, asked, cleared, refused },
    unchecked: twoPharmacists ? unchecked : 0,
    hasDraft: drafts.has(id),
    viewers: viewers.get(id) ?? [],
  })
  const rows = new Map<string, { patientId: string; row: QueueRow }>()
  const byId = new Map(found.map((row) => [row.id, row]))
  orders.forEach((order, at) => {
    const numbers = byId.get(order.id)
    if (!numbers) return
    const used = prescriptionsOf(reviews, order.id)
    const isHeld = order.holdStatus === 'authorized'
    rows.set(order.id, {
      patientId: order.userId,
      row: {
        ...shared(numbers, order.createdAt),
        ...(names.get(order.id) ?? noNames),
        captureBefore: isHeld ? (order.captureBefore?.toISOString() ?? null) : null,
        isDue: isHeld && order.captureBefore !== null && order.captureBefore < dueBefore,
        isCaptureRefused: isHeld && order.refusedAt !== null,
        medicines: (rxLines[at] ?? []).map(({ product }) => product.name),
        rxNumbers: used.flatMap((id) => rxNumberOf(numbersById, id)),
        destination: destinations[at] ?? null,
        question: [order.id, ...used].map((id) => questions.get(id)).find(Boolean) ?? null,
      },
    })
  })
  for (const prescription of prescriptions) {
    const numbers = byId.get(prescription.id)
    if (!numbers) continue
    rows.set(prescription.id, {
      patientId: prescription.userId,
      row: {
        ...shared(numbers, prescription.uploadedAt),
        ...(names.get(prescription.id) ?? noNames),
        captureBefore: null,
        isDue: false,
        isCaptureRefused: false,
        medicines: [],
        rxNumbers: [rxNumber(prescription.number)],
        destination: null,
        question: questions.get(prescription.id) ?? null,
      },
    })
  }
  return found.flatMap(({ id }) => rows.get(id) ?? [])
}

/** The prescriptions that an order's lines use. */
const prescriptionsOf = (reviews: readonly LineReviewRow[], orderId: string): string[] => [
  ...new Set(
    reviews
      .filter((review) => review.orderId === orderId)
      .flatMap(({ prescriptionId }) => prescriptionId ?? []),
  ),
]

const rxNumberOf = (numbers: ReadonlyMap<string, number>, id: string): string[] => {
  const number = numbers.get(id)
  return number === undefined ? [] : [rxNumber(number)]
}

/** The cases in which the signed-in pharmacist has a draft. */
async function listOwnDrafts(ctx: Context, found: readonly Found[]): Promise<ReadonlySet<string>> {
  const caseIds = found.map(({ id }) => id)
  return new Set(await listDraftCases(ctx.db, { caseIds, userId: ctx.user?.id ?? '' }))
}
