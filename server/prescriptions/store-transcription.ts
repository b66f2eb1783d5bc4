import { updateDecision, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import type { Transcription } from '#domain/dispensing/prescription-item.ts'
import { paths } from '#domain/paths.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { notifyOfDecision } from './decide-prescription.ts'
import { openDetails, sealDetails } from './sealed-prescription.ts'
import { sealTranscription } from './sealed-transcription.ts'

/**
 * Stores what a pharmacist transcribed and approves the prescription, in the caller's transaction.
 * Its customer is emailed when it was not approved before. Returns false and changes nothing when
 * the prescription has changed since it was read. `key` is its owner's.
 */
export async function storeTranscription(
  ctx: Context,
  key: KeyRing,
  row: PrescriptionRow,
  { transcription, transcribedBy }: { transcription: Transcription; transcribedBy: string },
): Promise<boolean> {
  const { id, version, userId } = row
  const isStored = await updateDecision(ctx.db, {
    id,
    version,
    status: 'approved',
    sealedDetails: sealDetails(key, id, { ...openDetails(key, row), statusReason: null }),
    sealedTranscription: sealTranscription(key, id, transcription),
    decidedBy: transcribedBy,
    decidedAt: ctx.now,
  })
  if (!isStored) return false
  await recordAudit(ctx, { action: 'prescription.transcribed', subjectId: userId, objectId: id })
  if (row.status !== 'approved') {
    const link = ctx.shop.publicOrigin + paths.prescriptions
    await notifyOfDecision(ctx, userId, { link, status: 'approved' })
  }
  return true
}
