import { z } from 'zod'
import { cleanLine, isBlank } from '../clean-text.ts'
import { patientLists, yesOrNo } from './patient-labels.ts'
import { patientBounds } from './patient-record.ts'

const tooLong = `Enter at most ${patientBounds.name} characters.`
const list = z.enum(patientLists, { error: 'Choose a list.' })
const patientId = z.string().max(50).optional()

/** A name to add to a list. */
export const addInputSchema = z.object({
  patientId,
  list,
  name: z
    .string({ error: 'Enter a name.' })
    .transform(cleanLine)
    .refine((name) => !isBlank(name), 'Enter a name.')
    .refine((name) => name.length <= patientBounds.name, tooLong),
  /** The match that was chosen (`meaningId`); `text` keeps an unknown name as it was typed. */
  meaning: z.string().max(1000).optional(),
})
export type AddInput = z.output<typeof addInputSchema>

/** An entry to remove, or a name that the free text has, to confirm or remove. */
export const entryInputSchema = z.object({
  patientId,
  list,
  /** Absent: all names that the text has. */
  meaning: z.string().max(1000).optional(),
  entryId: z.string().max(50).optional(),
})
export type EntryInput = z.output<typeof entryInputSchema>

const answer = z
  .union([z.enum(yesOrNo), z.literal('').transform(() => null)], { error: 'Choose one of the answers.' })
  .optional()
  .transform((value) => value ?? null)

export const pregnancyInputSchema = z.object({ patientId, pregnant: answer, breastfeeding: answer })
export type PregnancyInput = z.output<typeof pregnancyInputSchema>

export const noAllergiesInputSchema = z.object({
  patientId,
  /** Whether the patient has no known allergies. */
  none: z.enum(['yes', 'no']).transform((value) => value === 'yes'),
})
export type NoAllergiesInput = z.output<typeof noAllergiesInputSchema>
