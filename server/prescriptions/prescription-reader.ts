import { findPrescription, listPrescriptions, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import type { Transcription } from '#domain/dispensing/prescription-item.ts'
import { rxNumber } from '#domain/dispensing/dispensing.ts'
import { statusOn, type Prescription, type PrescriptionStatus } from '#domain/prescriptions/prescriptions.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { openUserKey } from '../crypto/user-key.ts'
import { openDetails, openPrescription } from './sealed-prescription.ts'
import { openTranscription } from './sealed-transcription.ts'

/** What other areas read of a prescription. Not audited: the caller writes the audit row. */

type ReadContext = Pick<Context, 'db' | 'keys' | 'now'>

/** A prescription with its owner; null when it is missing or its owner's account is deleted. */
export async function readPrescription(
  ctx: ReadContext,
  id: string | null,
): Promise<(Prescription & { userId: string }) | null> {
  const found = await findWithKey(ctx, id)
  return found && { ...openPrescription(found.key, found.row, ctx.now), userId: found.row.userId }
}

/**
 * What a pharmacist transcribed of a prescription; null until one has, and when `readPrescription`
 * is null.
 */
export async function readTranscriptionOf(ctx: ReadContext, id: string): Promise<Transcription | null> {
  const found = await findWithKey(ctx, id)
  return found && openTranscription(found.key, found.row)
}

/** A prescription's row with its owner's key. */
async function findWithKey(ctx: ReadContext, id: string | null) {
  const row = id === null ? null : await findPrescription(ctx.db, id)
  const key = row && (await openUserKey(ctx, row.userId))
  return row && key && { row, key }
}

/** A prescription's status today. `key` is its owner's. */
export const readPrescriptionStatus = (
  key: KeyRing,
  row: Pick<PrescriptionRow, 'id' | 'status' | 'sealedDetails'>,
  now: Date,
): PrescriptionStatus => statusOn(now, { status: row.status, expiryDate: openDetails(key, row).expiryDate })

/** A row as it is shown now. `key` is its owner's. */
export const readPrescriptionRow = (key: KeyRing, row: PrescriptionRow, now: Date): Prescription =>
  openPrescription(key, row, now)

/** What a pharmacist transcribed of a prescription; null until one has. `key` is its owner's. */
export const readTranscription = (
  key: KeyRing,
  row: Pick<PrescriptionRow, 'id' | 'sealedTranscription'>,
): Transcription | null => openTranscription(key, row)

/**
 * A prescription as it was decided and transcribed, and its file, for a record that outlives it.
 * `key` is its owner's. Null when it is missing.
 */
export async function readDecidedPrescription(ctx: Pick<Context, 'db'>, key: KeyRing, id: string) {
  const row = await findPrescription(ctx.db, id)
  if (!row) return null
  return {
    fileId: row.fileId,
    decidedBy: row.decidedBy,
    prescription: {
      id,
      ...openDetails(key, row),
      uploadedAt: row.uploadedAt.toISOString(),
      status: row.status,
      decidedAt: row.decidedAt?.toISOString() ?? null,
      rxNumber: row.number === null ? null : rxNumber(row.number),
      transcription: openTranscription(key, row),
    },
  }
}

/** All of a user's prescriptions with what was transcribed and their files. `key` is the user's. */
export async function readAllPrescriptions(
  ctx: Pick<Context, 'db' | 'now'>,
  key: KeyRing,
  userId: string,
): Promise<
  (Prescription & { rxNumber: string | null; transcription: Transcription | null; fileId: string })[]
> {
  const rows = await listPrescriptions(ctx.db, userId)
  return rows.map((row) => ({
    ...openPrescription(key, row, ctx.now),
    rxNumber: row.number === null ? null : rxNumber(row.number),
    transcription: openTranscription(key, row),
    fileId: row.fileId,
  }))
}
