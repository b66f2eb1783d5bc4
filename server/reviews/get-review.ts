import { findFile } from '#db/files/files.ts'
import { listPrescriptionOrders } from '#db/orders/orders.ts'
import type { PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { findProfile } from '#db/accounts/users.ts'
import { displayName } from '#domain/accounts/accounts.ts'
import { AppError } from '#domain/errors.ts'
import { decimalFromCents } from '#domain/money.ts'
import { computeTotal } from '#domain/orders/orders.ts'
import { ageOn, type Review } from '#domain/prescriptions/prescription-review.ts'
import { utcDay } from '#domain/prescriptions/prescriptions.ts'
import { openPerson } from '../accounts/get-profile.ts'
import { readDisplayName } from '../accounts/person-reader.ts'
import { findUser } from '../accounts/find-user.ts'
import { recordReadEntries } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readOrderContent, readOrderLines } from '../orders/order-reader.ts'
import { getForReview } from '../prescriptions/get-for-review.ts'
import { readPrescriptionRow } from '../prescriptions/prescription-reader.ts'
import { listQuestions } from '../prescriptions/list-questions.ts'

/** How many of its orders are shown. */
const maxOrders = 10

/**
 * A prescription with everything a decision needs: the patient's profile, the orders that use it,
 * and the questions. Each read is audited. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND.
 */
export async function getReview(ctx: Context, id: string): Promise<Review> {
  const { row, key } = await getForReview(ctx, id)
  const { userId } = row
  const orders = await listPrescriptionOrders(ctx.db, id, maxOrders)
  await recordReadEntries(ctx, [
    { action: 'prescription.read', subjectId: userId, objectId: id },
    { action: 'profile.read', subjectId: userId },
    ...orders.map((order) => ({ action: 'order.read' as const, subjectId: userId, objectId: order.id })),
  ])
  const { orderId: _newest, uploadedAt, ...prescription } = readPrescriptionRow(key, row, ctx.now)
  const [patient, file, decidedBy, questions] = await Promise.all([
    findPatient(ctx, key, userId),
    findFile(ctx.db, { id: row.fileId, userId }),
    findReviewerName(ctx, row),
    listQuestions(ctx, key, [id]),
  ])
  if (!patient || !file) throw new AppError('NOT_FOUND')
  return {
    ...prescription,
    version: row.version,
    decidedStatus: row.status,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy,
    uploadedAt: uploadedAt.toISOString(),
    fileType: file.contentType,
    fileScannedAt: file.scannedAt?.toISOString() ?? null,
    patient,
    orders: orders.map((order) => ({
      id: order.id,
      status: order.status,
      createdAt: order.createdAt.toISOString(),
      total: decimalFromCents(computeTotal(readOrderContent(ctx.keys, order))),
      lines: readOrderLines(ctx.keys, order)
        .map(({ id, quantity, product, variant }) => ({
          id,
          quantity,
          product: { name: product.name, category: product.category },
          variant,
        }))
        .toSorted((a, b) => Number(b.product.category === 'Rx') - Number(a.product.category === 'Rx')),
    })),
    questions: questions.get(id) ?? [],
  }
}

async function findPatient(ctx: Context, key: KeyRing, userId: string): Promise<Review['patient'] | null> {
  const row = await findProfile(ctx.db, userId)
  if (!row) return null
  const person = openPerson(key, row)
  const { gender, dateOfBirth, weight, currentMedications, allergies } = person
  const idDocument =
    row.idDocumentFileId === null ? null : await findFile(ctx.db, { id: row.idDocumentFileId, userId })
  return {
    id: userId,
    name: displayName(person),
    gender,
    dateOfBirth,
    age: dateOfBirth === null ? null : ageOn(utcDay(ctx.now), dateOfBirth),
    weight,
    currentMedications,
    allergies,
    idDocumentType: idDocument?.contentType ?? null,
    idDocumentScannedAt: idDocument?.scannedAt?.toISOString() ?? null,
  }
}

/** The reviewer's name, which is not health data, so the read is not audited. */
async function findReviewerName(ctx: Context, { decidedBy }: PrescriptionRow): Promise<string | null> {
  if (decidedBy === null) return null
  const reviewer = await findUser(ctx, decidedBy)
  return reviewer && readDisplayName(reviewer.key, reviewer.row)
}
