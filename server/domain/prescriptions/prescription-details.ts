import { z } from 'zod'
import { missingFileMessage, prescriptionBounds, prescriptionStatuses } from './prescriptions.ts'
import { isBlank, cleanLines } from '../clean-text.ts'

/** A text without invisible characters and surrounding space; null when nothing is left. */
function cleanText(text: string | null): string | null {
  const clean = cleanLines(text ?? '')
  return isBlank(clean) ? null : clean
}

const text = (max: number) =>
  z
    .string({ error: 'Enter text.' })
    .nullable()
    .transform(cleanText)
    .refine(
      (clean) => clean === null || clean.length <= max,
      `Enter at most ${max.toLocaleString('en-US')} characters.`,
    )

/** No prescription from before this date can still be filled. */
const firstDay = '1900-01-01'
const dateMessage = 'Enter a date like 2026-01-31.'

const date = z
  .string({ error: dateMessage })
  .nullable()
  .transform((text) => text?.trim() || null)
  .refine((text) => text === null || (z.iso.date().safeParse(text).success && text >= firstDay), dateMessage)

/**
 * The details of an uploaded prescription, all optional: blank becomes null (specification, section
 * 5).
 */
export const prescriptionDetailsSchema = z.object({
  doctorName: text(prescriptionBounds.doctorName)
    .transform((name) => name?.replace(/\s+/g, ' ') ?? null)
    .default(null),
  prescriptionDate: date.default(null),
  expiryDate: date.default(null),
  notes: text(prescriptionBounds.notes).default(null),
})

/** The same with whom it is for, which the upload page asks customers with dependants. */
export const prescriptionFormSchema = prescriptionDetailsSchema.extend({
  patientId: z.string().max(50).optional(),
})

/** An admin's decision on a prescription; fields that are left out stay. */
export const decisionSchema = z.object({
  status: z
    .enum(prescriptionStatuses, { error: `Choose one of ${prescriptionStatuses.join(', ')}.` })
    .optional(),
  statusReason: text(prescriptionBounds.statusReason).optional(),
})

/**
 * The same with its file, as the client sends it: `fileUrl` is the reference that the upload
 * returned.
 */
export const newPrescriptionSchema = prescriptionDetailsSchema.extend({
  fileUrl: z.string({ error: missingFileMessage }).min(1, missingFileMessage),
})
