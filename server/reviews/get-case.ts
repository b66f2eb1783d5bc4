import { listOrdersOfPrescription } from '#db/dispensing/cases.ts'
import { listFills, type FillRow } from '#db/dispensing/fills.ts'
import { listItems, type ItemRow } from '#db/dispensing/items.ts'
import { listLineReviews, type LineReviewRow } from '#db/dispensing/line-reviews.ts'
import { findFile } from '#db/files/files.ts'
import type { OrderRow } from '#db/orders/orders.ts'
import { findOrderHold } from '#db/orders/payment-holds.ts'
import { findProfile } from '#db/accounts/users.ts'
import { listPrescriptions, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import type { CaseLine } from '#domain/dispensing/case-line.ts'
import { isUndecided, noLicenseMessage, rxNumber } from '#domain/dispensing/dispensing.ts'
import type { CaseOrder, ReviewCase } from '#domain/dispensing/review-case.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import { patientOf } from '#domain/prescriptions/prescriptions.ts'
import { findPharmacistLicense } from '#db/accounts/pharmacist-licenses.ts'
import { openPerson } from '../accounts/get-profile.ts'
import { readOrderAlerts } from '../alerts/order-alerts.ts'
import { getStaffNames } from '../accounts/get-staff-names.ts'
import { requireRecordAccess } from '../accounts/record-access.ts'
import type { SessionUser } from '#domain/accounts/accounts.ts'
import { can } from '#domain/accounts/permissions.ts'
import { canCancel } from '#domain/orders/order-status.ts'
import type { OrderContent } from '#domain/orders/orders.ts'
import { recordReadEntries } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { readDecision, readFill, readItem } from '../dispensing/item-reader.ts'
import { readPatients } from '../patients/read-patients.ts'
import { readThreads } from '../messages/read-threads.ts'
import { readOrderContent } from '../orders/order-reader.ts'
import { readTranscription } from '../prescriptions/prescription-reader.ts'
import { requirePermission } from '../require-user.ts'
import { getSettings } from '../settings/get-settings.ts'
import { addCandidateAlerts } from './candidate-alerts.ts'
import { dropClosedParts, findDraft, readViewers } from './case-drafts.ts'
import { toCaseFill, toCaseItem } from './case-items.ts'
import { readCasePatient, toPatientFacts } from './case-patient.ts'
import { readCaseLines } from './case-lines.ts'
import { readCasePrescription } from './case-prescription.ts'
import { findDraftedMedicines } from './drafted-medicines.ts'
import { findCaseSubject } from './find-case-subject.ts'
import { findDestinations } from './find-destinations.ts'

/** How many orders a prescription's case lists. */
const maxOrders = 10

/**
 * A case with everything a decision needs: the order with its lines, the prescriptions with their
 * files and items, the patient, and what was dispensed before. The id of a prescription that an
 * undecided order uses returns the order's case. Each read is audited. Throws UNAUTHENTICATED,
 * FORBIDDEN, NOT_FOUND, REASON_REQUIRED.
 */
export async function getCase(ctx: Context, caseId: string): Promise<ReviewCase> {
  const user = requirePermission(ctx, 'prescriptions.review')
  const { order, prescription, userId } = await findCaseSubject(ctx, caseId)
  await requireRecordAccess(ctx, userId)
  const [key, profile] = await Promise.all([openUserKey(ctx, userId), findProfile(ctx.db, userId)])
  if (!key || !profile) throw new AppError('NOT_FOUND')

  const id = order?.id ?? prescription?.id ?? caseId
  const [itemRows, fillRows, reviews, allPrescriptions, settings, license, viewers, draft] =
    await Promise.all([
      listItems(ctx.db, userId),
      listFills(ctx.db, userId),
      order ? listLineReviews(ctx.db, [order.id]) : [],
      listPrescriptions(ctx.db, userId),
      getSettings(ctx),
      findPharmacistLicense(ctx.db, user.id),
      readViewers(ctx, [id]),
      findDraft(ctx, id),
    ])
  const shown = choosePrescriptions({ prescription, order, reviews, all: allPrescriptions })
  await recordReadEntries(ctx, [
    { action: 'profile.read', subjectId: userId },
    ...(order ? [{ action: 'order.read' as const, subjectId: userId, objectId: order.id }] : []),
    ...shown.map((row) => ({ action: 'prescription.read' as const, subjectId: userId, objectId: row.id })),
  ])

  const therapy = {
    items: itemRows.map((row) => readItem(key, row)),
    fills: fillRows.map((row) => readFill(key, row)),
  }
  const names = await getStaffNames(ctx, staffOf({ key, ctx, itemRows, fillRows, reviews, shown }))
  const numbers = new Map(allPrescriptions.map((row) => [row.id, rxNumber(row.number)]))
  const person = openPerson(key, profile)
  const [self, ...others] = await readPatients(ctx, key, person)
  const dependants = new Map(others.map((patient) => [patient.id, patient.name]))
  const readOnlyReason = whyReadOnly(user, { userId, hasLicense: license !== null })
  const shared = { names, numbers, therapy, settings, dependants, now: ctx.now }
  const items = itemRows.map((row) => toCaseItem(row, readItem(key, row), shared))
  const shownIds = new Set(shown.map((row) => row.id))
  const content = order && readOrderContent(ctx.keys, order)
  const readLines =
    order && content
      ? await readCaseLines(ctx, key, {
          orderId: order.id,
          content,
          reviews,
          mayCheck: readOnlyReason === null && canCancel(order.status),
          patients: new Map([self, ...others].map((one) => [one.id, toPatientFacts(one)])),
          prescriptions: allPrescriptions,
          ...shared,
        })
      : []
  const alerts = content && (await readOrderAlerts(ctx, key, { userId, content, reviews, therapy }))
  const lines = alerts ? await addCandidateAlerts(therapy.items, { lines: readLines, alerts }) : []
  const subjectIds = [...(order ? [order.id] : []), ...shownIds]
  const written = await readWrittenThreads(ctx, key, { userId, subjectIds })
  const contact = {
    phone: person.cellPhone ?? person.homePhone,
    idDocument:
      profile.idDocumentFileId === null
        ? null
        : await findFile(ctx.db, { id: profile.idDocumentFileId, userId }),
  }
  const concernedIds = new Set(lines.length > 0 ? lines.flatMap(patientsOf) : shown.map(patientOf))
  const named = [self, ...others].filter((one) => concernedIds.has(one.id))
  const concerned = named.length > 0 ? named : [self]
  const reviewCase: Omit<ReviewCase, 'draft'> = {
    id,
    kind: order ? 'order' : 'prescription',
    patient: await readCasePatient(ctx, self, contact),
    patients: await Promise.all(concerned.map((one) => readCasePatient(ctx, one, contact))),
    order: order && content ? await readOrder(ctx, order, content) : null,
    lines,
    prescriptions: await Promise.all(
      shown.map((row) =>
        readCasePrescription(ctx, key, row, {
          names,
          accountName: dependants.get(patientOf(row)) ?? self.name,
          dependantName: dependants.get(patientOf(row)) ?? null,
          items: items.filter((item) => item.prescriptionId === row.id),
          allItems: therapy.items,
        }),
      ),
    ),
    otherItems: items.filter((item) => item.status === 'active' && !shownIds.has(item.prescriptionId)),
    history: fillRows
      .filter(({ status }) => status !== 'released')
      .toReversed()
      .flatMap((row) => toCaseFill(row, readFill(key, row), shared)),
    destination: content && (await findDestination(ctx, content, lines)),
    screening: alerts?.view ?? null,
    orders: prescription
      ? (await listOrdersOfPrescription(ctx.db, prescription.id, maxOrders)).map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
        }))
      : [],
    threads: written.map(([subjectId, thread]) => ({
      ...thread,
      subjectId,
      rxNumber: numbers.get(subjectId) ?? null,
    })),
    settings: {
      refillOpensAtPercent: settings.refillOpensAtPercent,
      twoPharmacists: settings.twoPharmacists,
    },
    viewers: viewers.get(id) ?? [],
    readOnlyReason,
  }
  const openDraft = await dropClosedParts(ctx, key, draft, { ...reviewCase, userId: user.id })
  const medicines = openDraft && (await findDraftedMedicines(ctx, openDraft.fields))
  return { ...reviewCase, draft: openDraft && medicines && { ...openDraft, medicines } }
}

/** Why the user cannot decide on this customer's case; null when they can. */
function whyReadOnly(
  user: SessionUser,
  { userId, hasLicense }: { userId: string; hasLicense: boolean },
): string | null {
  if (user.id === userId) return 'This is your own case. Ask a colleague to review it.'
  if (!can(user, 'prescriptions.clear')) return 'Only a pharmacist can decide here.'
  return hasLicense ? null : noLicenseMessage
}

/** Where the order goes, for the lines that were not refused. */
async function findDestination(
  ctx: Context,
  { shipTo }: Pick<OrderContent, 'shipTo'>,
  lines: readonly CaseLine[],
): Promise<ReviewCase['destination']> {
  const remaining = lines.filter(({ status }) => status !== 'refused')
  const productIds = remaining.map(({ product }) => product.id)
  const [destination = null] = await findDestinations(ctx, [{ shipTo, productIds }])
  return destination
}

/** The threads of these subjects that have messages. The read of each is audited. */
async function readWrittenThreads(
  ctx: Context,
  key: KeyRing,
  { userId, subjectIds }: { userId: string; subjectIds: readonly string[] },
) {
  const threads = await readThreads(ctx, key, { userId, subjectIds })
  const written = [...threads].filter(([, { messages }]) => messages.length > 0)
  await recordReadEntries(
    ctx,
    written.map(([objectId]) => ({ action: 'messages.read' as const, subjectId: userId, objectId })),
  )
  return written
}

/** A line's patient, and whose items could fill it while it is undecided. */
const patientsOf = ({ patientId, status, candidates }: CaseLine): string[] => [
  patientId,
  ...(isUndecided(status)
    ? candidates.filter(({ isPossible }) => isPossible).map((candidate) => candidate.patientId)
    : []),
]

/** Those that the lines use, then the patient's others under review. */
function choosePrescriptions({
  prescription,
  order,
  reviews,
  all,
}: {
  prescription: PrescriptionRow | null
  order: OrderRow | null
  reviews: readonly LineReviewRow[]
  all: readonly PrescriptionRow[]
}): PrescriptionRow[] {
  const used = new Set([
    ...reviews.flatMap(({ prescriptionId }) => prescriptionId ?? []),
    ...(order?.prescriptionId ? [order.prescriptionId] : []),
    ...(prescription ? [prescription.id] : []),
  ])
  return [
    ...all.filter(({ id }) => used.has(id)),
    ...all.filter(({ id, status }) => !used.has(id) && status === 'under_review'),
  ]
}

/** Everyone whose name the case shows. */
const staffOf = ({
  key,
  ctx,
  itemRows,
  fillRows,
  reviews,
  shown,
}: {
  key: KeyRing
  ctx: Context
  itemRows: readonly ItemRow[]
  fillRows: readonly FillRow[]
  reviews: readonly LineReviewRow[]
  shown: readonly PrescriptionRow[]
}): (string | null)[] => [
  ...itemRows.flatMap((row) => {
    const { agreements, closed } = readItem(key, row)
    return [row.transcribedBy, closed?.by ?? null, ...agreements.map(({ by }) => by)]
  }),
  ...fillRows.map(({ pharmacistId }) => pharmacistId),
  ...reviews.flatMap((review) => [
    review.decidedBy,
    review.checkedBy,
    ...readDecision(ctx.keys, review).notes.map(({ by }) => by),
  ]),
  ...shown.flatMap((row) => {
    const transcription = readTranscription(key, row)
    return [row.decidedBy, transcription?.authentication?.by ?? null, transcription?.duplicate?.by ?? null]
  }),
]

async function readOrder(
  ctx: Context,
  order: OrderRow & { userId: string },
  { lines, refusedLines, shipTo }: ReturnType<typeof readOrderContent>,
): Promise<CaseOrder> {
  const hold = await findOrderHold(ctx.db, order.id)
  const isHeld = hold?.status === 'authorized'
  return {
    id: order.id,
    status: order.status,
    createdAt: order.createdAt.toISOString(),
    total: decimalFromCents(order.totalCents),
    shipTo: shipTo.text,
    hold: hold && {
      status: hold.status,
      captureBefore: isHeld ? (hold.captureBefore?.toISOString() ?? null) : null,
      isRefused: isHeld && hold.refusedAt !== null,
    },
    otherLines: lines
      .filter(
        ({ id, product }) => product.category !== 'Rx' && !refusedLines.some(({ lineId }) => lineId === id),
      )
      .map(({ id, product, quantity }) => ({ id, name: product.name, quantity })),
    isOwn: ctx.user?.id === order.userId,
  }
}
