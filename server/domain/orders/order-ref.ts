const refLength = 8

/** The short order number, on pages and in emails: the end of the id. */
export const orderRef = (id: string): string => id.slice(-refLength)

/** What a short order number looks like, as a part of a regular expression. */
export const orderRefPattern = `[\\da-f]{${refLength}}`
