/** What may be uploaded, by the content's own marks and not by its name (settled decisions, "File type"). */
export const fileTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type FileType = (typeof fileTypes)[number]

/** A file's largest size in bytes (specification, section 9). */
export const maxFileBytes = 10_485_760

/** The end of a file's name by its type. */
export const fileExtensions: Record<FileType, string> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

export const tooLargeSentence = 'The file is larger than 10 MB.'
export const wrongTypeSentence = 'The file is no PDF, JPG or PNG.'

const referencePattern = /^\/objects\/([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** What an upload answers, to be sent as `fileUrl` or `idDocumentURL`: it names the file to whoever uploaded it, and opens nothing. */
export const fileReference = (fileId: string): string => `/objects/${fileId}`

/** The file that a reference of ours names, or null when it has not the form of one. */
export const fileIdOf = (reference: string): string | null => referencePattern.exec(reference)?.[1] ?? null

const starts = (bytes: Uint8Array, marks: readonly number[]): boolean =>
  marks.every((mark, i) => bytes[i] === mark)

/** What a file's first eight bytes say that it is; the server believes it only when the rest fits (`file-sniffing.ts`). */
export function typeOfHead(head: Uint8Array): FileType | null {
  if (starts(head, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (starts(head, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  // "%PDF-1." or "%PDF-2."
  const isPdf = starts(head, [0x25, 0x50, 0x44, 0x46, 0x2d]) && (head[5] === 0x31 || head[5] === 0x32)
  return isPdf && head[6] === 0x2e ? 'application/pdf' : null
}
