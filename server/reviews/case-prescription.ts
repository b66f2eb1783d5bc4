import { findFile } from '#db/files/files.ts'
import type { PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { rxNumber } from '#domain/dispensing/dispensing.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import type { Transcription } from '#domain/dispensing/prescription-item.ts'
import type { CaseItem, CasePrescription, CaseTranscription } from '#domain/dispensing/case-prescription.ts'
import { isSameName } from '#domain/dispensing/transcription-rules.ts'
import { AppError } from '#domain/errors.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readPrescriptionRow, readTranscription } from '../prescriptions/prescription-reader.ts'
import { staffName } from './case-items.ts'
import { findPossibleDuplicates } from './possible-duplicates.ts'

/** A prescription of a case. `key` is its owner's. */
export async function readCasePrescription(
  ctx: Context,
  key: KeyRing,
  row: PrescriptionRow,
  {
    names,
    accountName,
    dependantName,
    items,
    allItems,
  }: {
    names: ReadonlyMap<string, string>
    /** The name of whom it is for: the customer, or a dependant. */
    accountName: string
    dependantName: string | null
    items: CaseItem[]
    allItems: readonly Item[]
  },
): Promise<CasePrescription> {
  const { id, version, userId, uploadedAt } = row
  const { doctorName, prescriptionDate, expiryDate, notes, status, statusReason } = readPrescriptionRow(
    key,
    row,
    ctx.now,
  )
  const transcription = readTranscription(key, row)
  const medicines = items.map(({ medicine }) => medicine)
  const [file, possibleDuplicates] = await Promise.all([
    findFile(ctx.db, { id: row.fileId, userId }),
    findPossibleDuplicates(ctx, key, row, {
      items: allItems,
      content: transcription && { ...transcription, medicines },
    }),
  ])
  if (!file) throw new AppError('NOT_FOUND')
  return {
    id,
    dependantName,
    rxNumber: rxNumber(row.number),
    version,
    status,
    statusReason,
    decidedBy: row.decidedBy === null ? null : staffName(names, row.decidedBy),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    uploadedAt: uploadedAt.toISOString(),
    claim: { doctorName, prescriptionDate, expiryDate, notes },
    fileType: file.contentType,
    fileScannedAt: file.scannedAt?.toISOString() ?? null,
    transcription: transcription && withNames(transcription, names, accountName),
    items,
    possibleDuplicates,
  }
}

const withNames = (
  { authentication, duplicate, ...transcription }: Transcription,
  names: ReadonlyMap<string, string>,
  accountName: string,
): CaseTranscription => ({
  ...transcription,
  authentication: authentication && { ...authentication, by: staffName(names, authentication.by) },
  duplicate: duplicate && { ...duplicate, by: staffName(names, duplicate.by) },
  isPatientName: isSameName(transcription.patientName, accountName),
})
