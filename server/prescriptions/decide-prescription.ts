import { lockUser } from '#db/accounts/users.ts'
import { listItemsOfPrescription } from '#db/dispensing/items.ts'
import { reopenLinesOfItem } from '#db/dispensing/line-reviews.ts'
import { updateDecision, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { writtenDateProblem } from '#domain/dispensing/fill-rules.ts'
import { AppError } from '#domain/errors.ts'
import {
  applyDecision,
  ownPrescriptionMessage,
  type Decision,
  type Prescription,
  type PrescriptionStatus,
} from '#domain/prescriptions/prescriptions.ts'
import { noteRefusal } from '../note-refusal.ts'
import { requirePermission } from '../require-user.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { recordAudit, recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { getForReview } from './get-for-review.ts'
import { openDetails, openPrescription, sealDetails } from './sealed-prescription.ts'
import { openTranscription } from './sealed-transcription.ts'

/**
 * Sets a prescription's status and reason, for a reviewer, and emails its customer, in one
 * transaction. Repeating a decision changes nothing; of two different concurrent decisions the
 * first wins. Returns the prescription as it is now. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND,
 * INVALID (statusReason), and CONFLICT when it has expired or another reviewer decided first.
 * @param link the customer's list of prescriptions, for the email
 * @param version the version the reviewer saw; a decision on another version is refused. Callers
 * without one leave it out
 */
export async function decidePrescription(
  ctx: Context,
  id: string,
  decision: Decision,
  { link, version }: { link: string; version?: number },
): Promise<Prescription> {
  const { id: decidedBy } = requirePermission(ctx, 'prescriptions.review')
  const { row, key } = await getForReview(ctx, id)
  if (row.userId === decidedBy) {
    noteRefusal(ctx, id)
    throw new AppError('CONFLICT', ownPrescriptionMessage)
  }
  const details = openDetails(key, row)
  const outcome = applyDecision(ctx.now, { ...details, status: row.status }, decision)
  if (outcome === 'reason required') {
    throw new AppError('INVALID', undefined, {
      fields: { statusReason: 'Enter a reason for the rejection.' },
    })
  }
  if (outcome === 'expired') {
    throw new AppError('CONFLICT', 'This prescription has expired and can’t be approved.')
  }
  const { status, statusReason } = outcome
  if (status === 'approved' && status !== row.status) requireFillable(ctx, key, row)
  if (status === row.status && statusReason === details.statusReason) return readCurrent(ctx, key, row)
  if (version !== undefined && version !== row.version) throw staleError()

  const decided = {
    status,
    sealedDetails: sealDetails(key, id, { ...details, statusReason }),
    decidedBy,
    decidedAt: ctx.now,
  }
  const isSaved = await inTransaction(ctx, async (ctx) => {
    // A pharmacist who clears a line on it, and staff who ship one, wait or have finished.
    await lockUser(ctx.db, row.userId)
    if (!(await updateDecision(ctx.db, { id, version: row.version, ...decided }))) return false
    await recordAudit(ctx, { action: 'prescription.decided', subjectId: row.userId, objectId: id })
    if (row.status === 'approved' && status !== 'approved') await reopenLines(ctx, id)
    if (status !== row.status) await notifyOfDecision(ctx, row.userId, { link, status })
    return true
  })
  if (isSaved) return openPrescription(key, { ...row, ...decided }, ctx.now)

  const { row: current } = await getForReview(ctx, id)
  if (current.status === status && openDetails(key, current).statusReason === statusReason) {
    return readCurrent(ctx, key, current)
  }
  throw staleError()
}

/**
 * Throws CONFLICT for a written date that cannot be dispensed on: the transcribed one, or until
 * then the one that the customer entered. Approving alone allows no fill: that needs items.
 */
function requireFillable(ctx: Pick<Context, 'now'>, key: KeyRing, row: PrescriptionRow): void {
  const writtenOn = openTranscription(key, row)?.writtenOn ?? openDetails(key, row).prescriptionDate
  const problem = writtenOn === null ? null : writtenDateProblem(ctx.now, writtenOn)
  if (problem !== null) throw new AppError('CONFLICT', `${problem} It can’t be approved.`)
}

/** What was cleared on a prescription that is no longer approved returns to the queue. */
async function reopenLines({ db }: Pick<Context, 'db'>, prescriptionId: string): Promise<void> {
  for (const { id } of await listItemsOfPrescription(db, prescriptionId)) {
    await reopenLinesOfItem(db, id)
  }
}

const staleError = (): AppError => new AppError('CONFLICT', 'Someone else just updated this prescription.')

/**
 * The current prescription when nothing was written. The admin has still read it, so the read is
 * audited.
 */
async function readCurrent(ctx: Context, key: KeyRing, row: PrescriptionRow): Promise<Prescription> {
  await recordRead(ctx, { action: 'prescription.read', subjectId: row.userId, objectId: row.id })
  return openPrescription(key, row, ctx.now)
}

/**
 * Notifies the customer of the decision, without naming the medication. Returning a prescription to
 * review sends no email.
 */
export async function notifyOfDecision(
  ctx: Context,
  userId: string,
  { link, status }: { link: string; status: PrescriptionStatus },
): Promise<void> {
  if (status === 'under_review') return
  const address = await findEmail(ctx, userId)
  if (address === null) return
  await queueMail(ctx, {
    to: { address },
    template: 'prescription-decided',
    props: { link, status },
  })
}
