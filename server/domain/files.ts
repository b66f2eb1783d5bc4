/** What may be uploaded, by the content's own marks and not by its name (decisions, "File type"). */
export const fileTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type FileType = (typeof fileTypes)[number]

/** A file's largest size in bytes (specification, section 9). */
export const maxFileBytes = 10_485_760
