import type { FileType } from '#domain/files/files.ts'

/** Leave to upload one file, for one session, once. Its signed address holds the id. */
export type UploadTicketsTable = {
  id: string
  userId: string
  sessionId: string
  createdAt: Date
  expiresAt: Date
  /** When the first PUT came, whether its file was taken or not. */
  usedAt: Date | null
}

/** A file that was uploaded; the bytes lie sealed in the storage. */
export type FilesTable = {
  id: string
  userId: string
  /** The storage's name for the bytes; says nothing of whose they are. */
  storageKey: string
  /** The file's own key, sealed for its user. */
  wrappedKey: string
  contentType: FileType
  /** Bytes before sealing. */
  byteSize: number
  registeredAt: Date | null
  discardedAt: Date | null
  createdAt: Date
}
