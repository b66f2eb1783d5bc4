import { z } from 'zod'

/** A count of units. Digits only: a number would also be read from "1e1". */
export const countField = (invalid: string, tooSmall: string) =>
  z
    .string({ error: invalid })
    .trim()
    .regex(/^\d{1,9}$/, invalid)
    .transform(Number)
    .pipe(z.int().min(1, tooSmall))

/** Units that staff write off or record. */
export const quantityField = countField('Enter a whole number.', 'Enter at least 1.')

export const reloadMessage = 'Reload the page and try again.'

/**
 * Identifies the submission of a form, and becomes the id of the row that it adds. Open pages of
 * the previous release may send none.
 */
export const requestKeyField = z.uuidv7({ error: reloadMessage }).lowercase().optional()
