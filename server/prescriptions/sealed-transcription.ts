import type { PrescriptionRow } from '#db/prescriptions/prescriptions.ts'
import { transcriptionSchema, type Transcription } from '#domain/dispensing/prescription-item.ts'
import { bindings } from '../crypto/bindings.ts'
import type { KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** @param key the owner's key */
export const sealTranscription = (key: KeyRing, id: string, transcription: Transcription): string =>
  seal(key, bindings.prescriptionTranscription(id), JSON.stringify(transcriptionSchema.parse(transcription)))

/**
 * What a pharmacist transcribed; null until one has. Throws when it was not sealed with this key.
 */
export const openTranscription = (
  key: KeyRing,
  { id, sealedTranscription }: Pick<PrescriptionRow, 'id' | 'sealedTranscription'>,
): Transcription | null =>
  sealedTranscription === null
    ? null
    : transcriptionSchema.parse(
        JSON.parse(unseal(key, bindings.prescriptionTranscription(id), sealedTranscription)),
      )
