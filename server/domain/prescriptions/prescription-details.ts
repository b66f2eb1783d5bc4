import { z } from 'zod'
import { prescriptionBounds, prescriptionStatuses } from './prescriptions.ts'
import { isBlank, typedLines } from '../typed-text.ts'

/** A text without what nobody reads; null when nothing is left. */
function cleaned(text: string | null): string | null {
  const clean = typedLines(text ?? '')
  return isBlank(clean) ? null : clean
}

const text = (max: number) =>
  z
    .string({ error: 'Please write text.' })
    .nullable()
    .transform(cleaned)
    .refine((clean) => clean === null || clean.length <= max, `Please shorten it to ${max} characters.`)

/** Before it no prescription was written that could still be filled. */
const firstDay = '1900-01-01'
const dateWords = 'Please enter a date like 2026-01-31.'

const date = z
  .string({ error: dateWords })
  .nullable()
  .transform((text) => text?.trim() || null)
  .refine((text) => text === null || (z.iso.date().safeParse(text).success && text >= firstDay), dateWords)

/** What is written about a prescription that is uploaded, all of it optional: blank is null (specification, section 5). */
export const prescriptionDetailsSchema = z.object({
  doctorName: text(prescriptionBounds.doctorName)
    .transform((name) => name?.replace(/\s+/g, ' ') ?? null)
    .default(null),
  prescriptionDate: date.default(null),
  expiryDate: date.default(null),
  notes: text(prescriptionBounds.notes).default(null),
})

/** What an admin sets of a prescription; what is left out stays. */
export const decisionSchema = z.object({
  status: z
    .enum(prescriptionStatuses, { error: `It must be one of ${prescriptionStatuses.join(', ')}.` })
    .optional(),
  statusReason: text(prescriptionBounds.statusReason).optional(),
})

/** The same with its file, as it is sent: `fileUrl` is the reference that the upload answered. */
export const newPrescriptionSchema = prescriptionDetailsSchema.extend({
  fileUrl: z
    .string({ error: 'Please upload a prescription file first' })
    .min(1, 'Please upload a prescription file first'),
})
