import type { Db } from '#db/engine/client.ts'
import { insertFile } from '#db/files/files.ts'
import { fileReference } from '#domain/files/files.ts'
import { newId } from '#domain/ids.ts'
import type { Prescription, PrescriptionDetails } from '#domain/prescriptions/prescriptions.ts'
import type { ShopKeys } from '#server/crypto/key-ring.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { testDay } from './catalog.ts'
import { signedIn, testContext, testKeys } from './context.ts'
import { dateBefore } from './dates.ts'

/** Inserts the row of an uploaded, still unused file without content. Returns its reference. */
export async function addFile(db: Db, userId: string): Promise<string> {
  const id = newId()
  await insertFile(db, {
    id,
    userId,
    storageKey: id,
    wrappedKey: 'sealed',
    contentType: 'application/pdf',
    byteSize: 1000,
    contentHash: null,
    inspectedAt: testDay,
    scannedAt: null,
    registeredAt: null,
    discardedAt: null,
    createdAt: testDay,
  })
  return fileReference(id)
}

/** Gives the user an ID document. */
export async function addIdDocument(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ idDocumentFileId: newId() }).where('id', '=', userId).execute()
}

const detailsOn = (now: Date): PrescriptionDetails => ({
  doctorName: 'Dr. Ada Quillfeather',
  prescriptionDate: dateBefore(now, 3),
  expiryDate: null,
  notes: 'Take with food',
})

/** What the customer enters on the test day. */
export const details = detailsOn(testDay)

/**
 * Creates a prescription under review, and the ID document that it requires. Tests on the real
 * clock pass it as `now`: a written date expires after a year.
 */
export async function addPrescription(
  db: Db,
  userId: string,
  overrides: Partial<PrescriptionDetails> & {
    now?: Date
    keys?: ShopKeys
    patientId?: string
    /** Of an uploaded file. By default, the row of one without content. */
    fileUrl?: string
  } = {},
): Promise<Prescription> {
  const { now = testDay, keys = testKeys, ...detailOverrides } = overrides
  await addIdDocument(db, userId)
  const ctx = testContext(db, { now, keys, user: signedIn(userId) })
  return createPrescription(ctx, {
    ...detailsOn(now),
    ...detailOverrides,
    fileUrl: overrides.fileUrl ?? (await addFile(db, userId)),
  })
}

/** Gives the prescription's file the same content as others that this was called for. */
export const hashFile = (db: Db, prescriptionId: string) =>
  db
    .updateTable('files')
    .set({ contentHash: 'the same' })
    .where('id', '=', (row) =>
      row.selectFrom('prescriptions').select('fileId').where('id', '=', prescriptionId),
    )
    .execute()
