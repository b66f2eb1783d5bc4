import { updateDecision, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { AppError } from '#domain/errors.ts'
import { decide, type Decision, type Prescription, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import { requireAdmin } from '../require-user.ts'
import { findEmail } from '../accounts/person-reader.ts'
import { recordAudit, recordRead } from '../audit/record-audit.ts'
import { inTransaction, type Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { queueMail } from '../mail/queue-mail.ts'
import { findForReview } from './find-for-review.ts'
import { openDetails, openPrescription, sealDetails } from './sealed-prescription.ts'

/**
 * Sets the status of a prescription and its reason, for an admin, and mails its customer that it was decided: all or nothing.
 * The same decision made twice is one; of two different ones at the same moment the first counts. Returns the prescription as
 * it stands. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND, INVALID (statusReason), and CONFLICT when it has expired or somebody
 * else was quicker.
 * @param link where the mail leads to: the list of one's own prescriptions
 * @param version of what whoever decides has seen: a decision on anything else is refused; left out by those that know none
 */
export async function decidePrescription(
  ctx: Context,
  id: string,
  decision: Decision,
  { link, version }: { link: string; version?: number },
): Promise<Prescription> {
  const { id: decidedBy } = requireAdmin(ctx)
  const { row, key } = await findForReview(ctx, id)
  const details = openDetails(key, row)
  const outcome = decide(ctx.now, { ...details, status: row.status }, decision)
  if (outcome === 'no reason') {
    throw new AppError('INVALID', undefined, { fields: { statusReason: 'Please say why it is rejected.' } })
  }
  if (outcome === 'expired') {
    throw new AppError('CONFLICT', 'This prescription has expired and cannot be approved.')
  }
  const { status, statusReason } = outcome
  if (status === row.status && statusReason === details.statusReason) return look(ctx, key, row)
  if (version !== undefined && version !== row.version) throw tooLate()

  const decided = {
    status,
    sealedDetails: sealDetails(key, id, { ...details, statusReason }),
    decidedBy,
    decidedAt: ctx.now,
  }
  const wasFirst = await inTransaction(ctx, async (ctx) => {
    if (!(await updateDecision(ctx.db, { id, version: row.version, ...decided }))) return false
    await recordAudit(ctx, { action: 'prescription.decided', subjectId: row.userId, objectId: id })
    if (status !== row.status) await mailCustomer(ctx, row.userId, { link, status })
    return true
  })
  if (wasFirst) return openPrescription(key, { ...row, ...decided }, ctx.now)

  const { row: other } = await findForReview(ctx, id)
  if (other.status === status && openDetails(key, other).statusReason === statusReason) {
    return look(ctx, key, other)
  }
  throw tooLate()
}

const tooLate = (): AppError =>
  new AppError('CONFLICT', 'Somebody else has just worked on this prescription.')

/** The prescription as it stands: where nothing was written, whoever decided has read it all the same. */
async function look(ctx: Context, key: KeyRing, row: PrescriptionRow): Promise<Prescription> {
  await recordRead(ctx, { action: 'prescription.read', subjectId: row.userId, objectId: row.id })
  return openPrescription(key, row, ctx.now)
}

/** Tells that it was decided, and nothing of what it is for. That a review begins again is no news. */
async function mailCustomer(
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
