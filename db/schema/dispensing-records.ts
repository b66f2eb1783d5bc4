/**
 * The record of shipped prescription medicines whose customer deleted the account. It is in no list
 * and names no one in plaintext.
 */
export type DispensingRecordsTable = {
  orderId: string
  /** `DispensingRecord` as JSON, sealed under the record's own key. */
  sealedRecord: string
  /** The prescription's file in the storage. Several records can share it. */
  storageKey: string | null
  /** When the order was shipped. The retention period starts then. */
  dispensedAt: Date
  createdAt: Date
}

/** A record's key, wrapped by the shop's retention key. Deleting it destroys the record. */
export type RecordKeysTable = { orderId: string; wrappedKey: string; createdAt: Date }

/** A further file of a record, of another prescription that its lines were dispensed on. */
export type RecordFilesTable = { orderId: string; storageKey: string }
