import type { FileType } from '#domain/files/files.ts'

/** Permission for one session to upload one file once. Its signed URL contains the id. */
export type UploadTicketsTable = {
  id: string
  userId: string
  sessionId: string
  createdAt: Date
  expiresAt: Date
  /** When the first PUT arrived, whether or not its file was accepted. */
  usedAt: Date | null
}

/** An uploaded file. Its bytes are sealed in the storage. */
export type FilesTable = {
  id: string
  /** Empty once only a dispensing record names the file. */
  userId: string
  /** The storage's name for the bytes. It does not reveal the user. */
  storageKey: string
  /** The file's own key, sealed for its user. */
  wrappedKey: string
  contentType: FileType
  /** Bytes before sealing. */
  byteSize: number
  /**
   * A keyed hash of the plain bytes, which finds the same file sent twice. Null for earlier files.
   */
  contentHash: string | null
  /** When its content was inspected, and a picture's metadata removed. Null for earlier files. */
  inspectedAt: Date | null
  /** When the malware scanner found it clean. Null without a scanner. */
  scannedAt: Date | null
  registeredAt: Date | null
  discardedAt: Date | null
  createdAt: Date
}
