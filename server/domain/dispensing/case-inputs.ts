import { z } from 'zod'
import { gridQuerySchema, type GridCursor } from '../grid.ts'
import { cleanLine, cleanLines, isBlank } from '../clean-text.ts'
import { npiProblem } from './npi.ts'
import { authenticationMethods } from './prescription-item.ts'
import { closeReasonLabels, type CloseItemReason } from './case-prescription.ts'
import type { CaseFilter } from './case-queue.ts'
import { lastMessageId } from '../messages/message-input.ts'
import { caseBounds } from './review-case.ts'

/**
 * What a pharmacist sends. Numbers may be text, as forms send them. The names of nested fields in
 * errors are those of forms: `items[0].units`.
 */

/** The query of the queue: what lapses first, or the oldest first. */
export const caseQuerySchema = gridQuerySchema({
  sorts: ['due', 'received'],
  sort: 'due',
  dir: 'asc',
  filters: {
    filter: z
      .enum(['new', 'asked', 'due', 'mine', 'check', 'all'] satisfies readonly CaseFilter[])
      .catch('new'),
  },
}).transform(({ after, before, ...query }) => ({
  ...query,
  after: withDateValue(after),
  before: withDateValue(before),
}))
export type CaseQuery = Omit<z.output<typeof caseQuerySchema>, 'size'> & { size: number }

/** Keeps a cursor only if its value is a timestamp; the database would reject any other. */
function withDateValue(place: GridCursor | undefined): GridCursor | undefined {
  const isMoment = z.iso.datetime().safeParse(place?.value).success
  return place && isMoment ? place : undefined
}

const id = z.string().max(64)
/** Postgres integers. Forms send text. */
const version = z.coerce.number().pipe(z.int32())

const tooLong = (max: number): string => `Enter at most ${max.toLocaleString('en-US')} characters.`

const requiredText = (max: number, empty: string, clean = cleanLine) =>
  z
    .string({ error: empty })
    .transform(clean)
    .refine((text) => !isBlank(text), empty)
    .refine((text) => text.length <= max, tooLong(max))

/** Blank becomes null. */
const optionalText = (max: number) =>
  z
    .string()
    .nullish()
    .transform((text) => {
      const clean = cleanLine(text ?? '')
      return isBlank(clean) ? null : clean
    })
    .refine((text) => text === null || text.length <= max, tooLong(max))

const wholeNumber = (min: number, max: number) => {
  const message = `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}.`
  return z
    .union([z.number(), z.string().trim().regex(/^\d+$/, message).transform(Number)], { error: message })
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, message)
}

const dayMessage = 'Enter a date like 2026-01-31.'
/** No prescription that can be filled was written before it. */
const firstDay = '1900-01-01'
const day = z
  .string({ error: dayMessage })
  .trim()
  .pipe(z.iso.date({ error: dayMessage, abort: true }).refine((text) => text >= firstDay, dayMessage))
const optionalDay = z
  .string({ error: dayMessage })
  .nullish()
  .transform((text) => text?.trim() || null)
  .pipe(day.nullable())

/** A checkbox of a form, or a boolean. */
const checkbox = z
  .union([z.boolean(), z.string()])
  .nullish()
  .transform((value) => value === true || value === 'on' || value === 'true')

const noteMessage = 'Say why in a few words.'
/** A decision that is recorded with its reason. Blank or missing: not decided. */
const decisionNote = optionalText(caseBounds.note)

/** The prescriber's agreement to something that the file does not state: who agreed, and when. */
const agreement = z
  .object({
    with: optionalText(caseBounds.name),
    /** Null: today. */
    on: optionalDay.default(null),
  })
  .nullish()
  .transform((value) => (value?.with ? { with: value.with, on: value.on } : null))

/** A medicine on the file. */
export const itemInputSchema = z.object({
  /** Null for a new one. */
  id: id.nullish().transform((value) => value || null),
  /** The medicine, by a variant of the catalog. Blank keeps the medicine of an earlier version. */
  variantId: z
    .string()
    .max(64)
    .nullish()
    .transform((value) => value?.trim() || null),
  /** What the form shows as the medicine, which is not looked up. */
  medicine: z.string().max(1000).nullish(),
  /** The text whose matches the form lists, or blank. */
  listed: z.string().max(1000).nullish(),
  /** `identityText` of the item's medicine when the form was opened. */
  storedMedicine: z.string().max(5000).nullish(),
  units: wholeNumber(1, caseBounds.units),
  daysSupply: wholeNumber(1, caseBounds.daysSupply),
  refills: wholeNumber(0, caseBounds.refills),
  /** Sig codes or words; the label prints what `expandDirections` makes of them. */
  directions: requiredText(caseBounds.directions, 'Enter the directions.'),
  /** "Dispense as written": only the brand of the chosen variant. */
  dispenseAsWritten: checkbox,
  /** The last day that the file or the pharmacist names. */
  validUntil: optionalDay,
  /** Needed to raise the quantity of an earlier version. */
  agreement,
})
export type ItemInput = z.output<typeof itemInputSchema>

const jurisdictionPattern = /^[A-Z]{2}(-[A-Z]{2})?$/

/** Everything that is transcribed of a file. */
export const transcriptionInputSchema = z
  .object({
    prescriptionId: id,
    version,
    /** The case that the pharmacist works on, whose draft is deleted. */
    caseId: id.nullish().transform((value) => value || null),
    patientName: requiredText(caseBounds.name, 'Enter the patient’s name as it appears on the file.'),
    /** The pharmacist's reason why another name is this patient. */
    patientNameNote: decisionNote,
    prescriberName: requiredText(caseBounds.name, 'Enter the prescriber’s name.'),
    npi: optionalText(20),
    license: optionalText(50),
    jurisdiction: optionalText(10).transform((text) => text?.toUpperCase() ?? null),
    prescriberPhone: optionalText(50),
    writtenOn: day,
    authentication: z
      .object({
        method: z
          .enum(authenticationMethods, { error: 'Choose how it was authenticated.' })
          .nullish()
          .or(z.literal('')),
        note: optionalText(caseBounds.note),
      })
      .nullish()
      .transform((value) => (value?.method ? { method: value.method, note: value.note } : null)),
    duplicateNote: decisionNote,
    /** The prescriptions that the form listed as possible duplicates. */
    duplicatesSeen: z.array(id).max(caseBounds.duplicates).default([]),
    items: z
      .array(itemInputSchema, { error: 'Add at least one medicine.' })
      .min(1, 'Add at least one medicine.')
      .max(caseBounds.items, `Add at most ${caseBounds.items} medicines.`),
  })
  .superRefine(({ npi, license, jurisdiction, authentication }, check) => {
    const issue = (path: (string | number)[], message: string): void => {
      check.addIssue({ code: 'custom', path, message })
    }
    if (npi !== null) {
      const problem = npiProblem(npi)
      if (problem) issue(['npi'], problem)
    } else if (license === null) issue(['npi'], 'Enter the NPI, or a license number with its state.')
    else if (jurisdiction === null || !jurisdictionPattern.test(jurisdiction))
      issue(['jurisdiction'], 'Enter the state or country of the license, like CA.')
    if (authentication && authentication.method !== 'original' && authentication.note === null)
      issue(['authentication.note'], 'Say who confirmed or sent it, and how you found the contact.')
  })
export type TranscriptionInput = z.output<typeof transcriptionInputSchema>

/** What a pharmacist types to find a case. */
export const caseSearchSchema = z.object({
  search: requiredText(caseBounds.search, 'Enter an Rx number, an order number or a name.'),
})

/** A row of a line, as the pharmacist saw it. */
const lineInput = { lineId: id, version }

const equivalenceCode = optionalText(4)
  .transform((code) => code?.toUpperCase() ?? null)
  .refine((code) => code === null || /^[AB][A-Z]\d?$/.test(code), 'Enter a code like AB or AB1.')

/** What a pharmacist decides to clear a line. Decisions that are not needed are ignored. */
export const clearInputSchema = z.object({
  ...lineInput,
  itemId: z
    .string({ error: 'Choose the prescription item.' })
    .min(1, 'Choose the prescription item.')
    .max(64),
  itemVersion: version,
  /** Why an early or concurrent fill is appropriate. */
  earlyNote: decisionNote,
  /** What the pharmacist saw of both medicines. Without equal A-codes the prescriber must agree. */
  substitute: z
    .object({
      prescribedCode: equivalenceCode,
      offeredCode: equivalenceCode,
      note: optionalText(caseBounds.note),
      agreement,
    })
    .nullish()
    .transform((value) => value ?? null),
  /** Why it may go to a destination that is not served. */
  destinationNote: decisionNote,
  /** Needed under 18. */
  weight: z
    .object({
      kilograms: z.union([z.number(), z.string()]).nullish(),
      on: optionalDay.default(null),
    })
    .nullish()
    .transform((value) => {
      const text = String(value?.kilograms ?? '').trim()
      return text === '' ? null : { kilograms: Number(text), on: value?.on ?? null }
    })
    .refine(
      (weight) => weight === null || (weight.kilograms >= 0.3 && weight.kilograms <= 680),
      'Enter a weight from 0.3 to 680 kg.',
    ),
})
export type ClearInput = z.output<typeof clearInputSchema>

/** The customer reads the reason. */
export const refuseInputSchema = z.object({
  ...lineInput,
  reason: requiredText(caseBounds.reason, 'Enter a reason. The customer reads it.', cleanLines),
})
export type RefuseInput = z.output<typeof refuseInputSchema>

/** A line at a version, for `secondCheck` and `reopenLine`. */
export const lineInputSchema = z.object(lineInput)
export type LineInput = z.output<typeof lineInputSchema>

/** The reason is for the staff. */
export const didNotLeaveInputSchema = z.object({
  ...lineInput,
  reason: requiredText(caseBounds.reason, noteMessage),
})
export type DidNotLeaveInput = z.output<typeof didNotLeaveInputSchema>

export const askInputSchema = z.object({
  ...lineInput,
  lastMessageId,
  question: requiredText(caseBounds.question, 'Enter a question.', cleanLines),
})
export type AskInput = z.output<typeof askInputSchema>

/** A call to the prescriber. */
export const callInputSchema = z.object({
  ...lineInput,
  note: requiredText(caseBounds.note, 'Enter who you spoke with and what they said.', cleanLines),
})
export type CallInput = z.output<typeof callInputSchema>

export const closeItemInputSchema = z.object({
  itemId: id,
  version,
  reason: z.enum(Object.keys(closeReasonLabels) as CloseItemReason[], { error: 'Choose a reason.' }),
  note: requiredText(caseBounds.note, noteMessage),
})
export type CloseItemInput = z.output<typeof closeItemInputSchema>

const fieldName = z.string().max(100)

/** What was typed into a case, by field name. */
export const draftFieldsSchema = z
  .record(fieldName, z.string().max(5000))
  .refine((fields) => Object.keys(fields).length <= caseBounds.draftFields, 'Too many fields.')
  .refine(
    (fields) => Object.values(fields).join('').length <= caseBounds.draftCharacters,
    'This draft is too long.',
  )

/** What was typed so far in one tab. */
export const draftInputSchema = z.object({
  caseId: id,
  fields: draftFieldsSchema,
  /**
   * What that tab has changed (`draftPiece`); the rest stays as it is stored. A page of the release
   * before sends none: its fields are the whole draft.
   */
  changed: z.array(fieldName).max(caseBounds.draftFields).optional(),
})
export type DraftInput = z.output<typeof draftInputSchema>
