import { listPrescriptions, listSameFiles, type PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { rxNumber } from '#domain/dispensing/dispensing.ts'
import type { Item } from '#domain/dispensing/fill-rules.ts'
import type { Medicine } from '#domain/dispensing/medicine.ts'
import type { PossibleDuplicate } from '#domain/dispensing/case-prescription.ts'
import { drugName, isSameDrug } from '#domain/dispensing/transcription-rules.ts'
import { fold } from '#domain/text.ts'
import type { Context } from '../context.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { readTranscription } from '../prescriptions/prescription-reader.ts'

/** The parts of a prescription that are compared with the patient's other prescriptions. */
type Content = { prescriberName: string; writtenOn: string; medicines: readonly Medicine[] }

/**
 * The prescriptions that this one may be a second copy of: with the same file, of any customer, or
 * of this patient by the same prescriber on the same day for the same medicine (docs/dispensing.md,
 * rule 4).
 * @param key the patient's
 * @param items all items of the patient
 * @param content null before it is transcribed
 */
export async function findPossibleDuplicates(
  ctx: Pick<Context, 'db'>,
  key: KeyRing,
  row: PrescriptionRow,
  { items, content }: { items: readonly Item[]; content: Content | null },
): Promise<PossibleDuplicate[]> {
  const files = (await listSameFiles(ctx.db, row)).map((other): PossibleDuplicate => {
    const isOtherCustomer = other.userId !== row.userId
    return { ...toDuplicate(other), reason: 'file', medicine: null, isOtherCustomer }
  })
  if (content === null) return files
  const sameContent: PossibleDuplicate[] = []
  for (const other of await listPrescriptions(ctx.db, row.userId)) {
    const transcription = other.id === row.id ? null : readTranscription(key, other)
    if (!transcription) continue
    const isSameSource =
      transcription.writtenOn === content.writtenOn &&
      fold(transcription.prescriberName) === fold(content.prescriberName)
    const same = items.find(
      ({ prescriptionId, medicine }) =>
        prescriptionId === other.id && content.medicines.some((drug) => isSameDrug(drug, medicine)),
    )
    if (!isSameSource || !same) continue
    const medicine = drugName(same.medicine)
    sameContent.push({ ...toDuplicate(other), reason: 'content', medicine, isOtherCustomer: false })
  }
  const hasSameContent = (file: PossibleDuplicate): boolean =>
    sameContent.some(({ prescriptionId }) => prescriptionId === file.prescriptionId)
  return [...files.filter((file) => !hasSameContent(file)), ...sameContent]
}

const toDuplicate = ({
  id,
  number,
  uploadedAt,
  status,
}: Pick<PrescriptionRow, 'id' | 'number' | 'uploadedAt' | 'status'>) => ({
  prescriptionId: id,
  rxNumber: rxNumber(number),
  uploadedAt: uploadedAt.toISOString(),
  status,
})
