import type { Db } from '#db/engine/client.ts'
import { insertFile } from '#db/files/files.ts'
import { fileReference } from '#domain/files/files.ts'
import { newId } from '#domain/ids.ts'
import type { Prescription, PrescriptionDetails } from '#domain/prescriptions/prescriptions.ts'
import { createPrescription } from '#server/prescriptions/create-prescription.ts'
import { testDay } from './catalog.ts'
import { signedIn, testContext } from './context.ts'

/** The row of a file that a user uploaded and nothing names yet; its bytes are nowhere. Returns its reference. */
export async function addFile(db: Db, userId: string): Promise<string> {
  const id = newId()
  await insertFile(db, {
    id,
    userId,
    storageKey: id,
    wrappedKey: 'sealed',
    contentType: 'application/pdf',
    byteSize: 1000,
    registeredAt: null,
    discardedAt: null,
    createdAt: testDay,
  })
  return fileReference(id)
}

/** Puts an ID document on file. */
export async function addIdDocument(db: Db, userId: string): Promise<void> {
  await db.updateTable('users').set({ idDocumentFileId: newId() }).where('id', '=', userId).execute()
}

export const details: PrescriptionDetails = {
  doctorName: 'Dr. Ada Quillfeather',
  prescriptionDate: '2026-01-02',
  expiryDate: null,
  notes: 'Take with food',
}

/** A prescription under review of a user, who gets an ID document on file for it. */
export async function addPrescription(
  db: Db,
  userId: string,
  said: Partial<PrescriptionDetails> & { now?: Date } = {},
): Promise<Prescription> {
  const { now = testDay, ...written } = said
  await addIdDocument(db, userId)
  const ctx = testContext(db, { now, user: signedIn(userId) })
  return createPrescription(ctx, { ...details, ...written, fileUrl: await addFile(db, userId) })
}
