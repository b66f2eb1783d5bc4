/** What may be uploaded, by the content's own marks and not by its name (decisions, "File type"). */
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
