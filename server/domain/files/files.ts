import type { PdfProblem } from './pdf-objects.ts'

/**
 * The accepted file types, detected by content and not by name (settled decisions, "File type").
 */
export const fileTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type FileType = (typeof fileTypes)[number]

/** The maximum file size in bytes (specification, section 9). */
export const maxFileBytes = 10_485_760

/** The file extension of each type. */
export const fileExtensions: Record<FileType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

export const fileTooLargeMessage = 'The file is larger than 10 MB.'
export const wrongFileTypeMessage = 'The file isn’t a PDF, JPG or PNG.'
export const tooManyPixelsMessage = 'The picture has too many pixels. Take a smaller photo and upload it.'
export const pdfMessages: Record<PdfProblem, string> = {
  active:
    'The PDF contains a script, a form with code or another file. Print it to PDF again or upload a photo.',
  encrypted: 'The PDF is encrypted, so we can’t check it. Print it to PDF again or upload a photo.',
  unreadable: 'We can’t read the PDF. Print it to PDF again or upload a photo.',
}
export const infectedFileMessage =
  'The virus scanner found malware in this file. Upload another copy or a photo.'

/** A customer’s files that count: what they uploaded and did not delete (docs/operations.md). */
export const maxFilesPerUser = 200
export const maxBytesPerUser = 500 * 1024 * 1024
export const tooManyFilesMessage =
  'Your account has reached its limit of 200 files or 500 MB. Delete a prescription that you no longer need, then upload again.'

const referencePattern = /^\/objects\/([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/

/**
 * The reference that an upload returns, for `fileUrl` or `idDocumentURL`. It names the file to the
 * user who uploaded it and grants no access.
 */
export const fileReference = (fileId: string): string => `/objects/${fileId}`

/** The id of the file that a reference names, or null when the reference is malformed. */
export const parseFileReference = (reference: string): string | null =>
  referencePattern.exec(reference)?.[1] ?? null

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((expected, i) => bytes[i] === expected)

/** How many bytes `detectFileType` needs. */
export const fileHeadBytes = 8

/**
 * The type that a file's first bytes claim. The server trusts it only when the rest matches
 * (`file-sniffing.ts`).
 */
export function detectFileType(head: Uint8Array): FileType | null {
  if (startsWith(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(head, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  // "%PDF-1." or "%PDF-2."
  const isPdf = startsWith(head, [0x25, 0x50, 0x44, 0x46, 0x2d]) && (head[5] === 0x31 || head[5] === 0x32)
  return isPdf && head[6] === 0x2e ? 'application/pdf' : null
}
