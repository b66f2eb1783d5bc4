import type { RecordRow } from '#db/records/dispensing-records.ts'
import { dispensingRecordSchema, type DispensingRecord } from '#domain/records/dispensing-record.ts'
import { randomBytes } from 'node:crypto'
import { bindings } from '../crypto/bindings.ts'
import { ringOf, type KeyRing } from '../crypto/key-ring.ts'
import { seal, unseal } from '../crypto/sealing.ts'

/** Seals a record under a new key, and wraps that key. */
export function sealRecord(
  retentionKey: KeyRing,
  record: DispensingRecord,
): Pick<RecordRow, 'sealedRecord' | 'wrappedKey'> {
  const { orderId } = record
  const key = randomBytes(32)
  const text = JSON.stringify(dispensingRecordSchema.parse(record))
  return {
    sealedRecord: seal(ringOf(orderId, key), bindings.dispensingRecord(orderId), text),
    wrappedKey: seal(retentionKey, bindings.recordKey(orderId), key.toString('base64url')),
  }
}

/** Decrypts a record. Throws when it was not sealed under this retention key. */
export function openRecord(
  retentionKey: KeyRing,
  { orderId, wrappedKey, sealedRecord }: Pick<RecordRow, 'orderId' | 'wrappedKey' | 'sealedRecord'>,
): DispensingRecord {
  const key = Buffer.from(unseal(retentionKey, bindings.recordKey(orderId), wrappedKey), 'base64url')
  const text = unseal(ringOf(orderId, key), bindings.dispensingRecord(orderId), sealedRecord)
  return dispensingRecordSchema.parse(JSON.parse(text))
}
