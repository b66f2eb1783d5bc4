import { z } from 'zod'
import { medicineSchema } from './medicine.ts'

const day = z.iso.date()

/** A prescriber's agreement to something that the file does not state. */
export const agreementSchema = z.object({
  kind: z.enum(['quantity', 'substitution']),
  /** Who agreed, as the pharmacist noted it. */
  with: z.string(),
  at: z.iso.datetime(),
  /** The pharmacist. */
  by: z.string(),
})
type Agreement = z.infer<typeof agreementSchema>

/** An agreement as it is stored. Without a day, the prescriber agreed today. */
export const toAgreement = (
  kind: Agreement['kind'],
  { with: prescriber, on }: { with: string; on: string | null },
  { by, now }: { by: string; now: Date },
): Agreement => ({
  kind,
  with: prescriber,
  at: on === null ? now.toISOString() : `${on}T00:00:00.000Z`,
  by,
})

/**
 * One medicine that the prescriber ordered, as a pharmacist transcribed it (docs/dispensing.md,
 * "Records"). Quantities are whole units of `medicine.unit`.
 */
export const itemContentSchema = z.object({
  /** Who takes it: the customer's id, or a dependant's. */
  patientId: z.string(),
  medicine: medicineSchema,
  /**
   * The brand, when the prescriber wrote "dispense as written". Null when substitution is allowed.
   */
  dispenseAsWritten: z.string().nullable(),
  unitsPerFill: z.int().positive(),
  daysSupply: z.int().positive(),
  /** As the label prints them, expanded. */
  directions: z.string(),
  refills: z.int().min(0),
  /** The day on the prescription. */
  writtenOn: day,
  /** The last valid day by the prescription or the pharmacist; null when neither states one. */
  validUntil: day.nullable(),
  prescriberName: z.string(),
  /** Why it was closed; null while it is active. */
  closedReason: z.string().nullable(),
  /** Absent while it is active, and in items that were closed before it was stored. */
  closed: z.object({ by: z.string(), at: z.iso.datetime() }).optional(),
  agreements: z.array(agreementSchema),
})
export type ItemContent = z.infer<typeof itemContentSchema>

/** What one dispensing takes of an item. */
export const fillContentSchema = z.object({
  units: z.int().positive(),
  /** Days that these units last; at least one. */
  daysSupply: z.int().positive(),
  /** The item's ingredient set, so that refills of a medicine count over all items. */
  ingredientSet: z.string(),
  /** The item's patient. Absent in fills from before there were dependants: the customer. */
  patientId: z.string().optional(),
})
export type FillContent = z.infer<typeof fillContentSchema>

/** How a prescription was authenticated before its first fill (docs/dispensing.md, rule 6). */
export const authenticationMethods = ['original', 'prescriber', 'contacted', 'transferred'] as const
export type AuthenticationMethod = (typeof authenticationMethods)[number]

/** What a pharmacist transcribed of the whole prescription. */
export const transcriptionSchema = z.object({
  /** The patient's name on the file. */
  patientName: z.string(),
  /** Why another name is this patient; null when the names are the same. */
  patientNameNote: z.string().nullable().default(null),
  prescriberName: z.string(),
  /** A US prescriber's NPI, or a license number with its jurisdiction. */
  prescriberId: z.union([
    z.object({ npi: z.string() }),
    z.object({ license: z.string(), jurisdiction: z.string() }),
  ]),
  prescriberPhone: z.string().nullable(),
  writtenOn: day,
  authentication: z
    .object({
      method: z.enum(authenticationMethods),
      /** Whom the pharmacist reached and how, for a contact that was not taken from the file. */
      note: z.string(),
      by: z.string(),
      at: z.iso.datetime(),
    })
    .nullable(),
  /** The decision on a possible duplicate; null when none was found. */
  duplicate: z
    .object({
      note: z.string(),
      by: z.string(),
      at: z.iso.datetime(),
      /** The prescriptions that were compared. Absent in notes from before it was stored. */
      prescriptionIds: z.array(z.string()).optional(),
    })
    .nullable(),
})
export type Transcription = z.infer<typeof transcriptionSchema>

/** What a note about a line is about. */
export const lineNoteKinds = [
  'call',
  'alert',
  'early',
  'substitute',
  'destination',
  'weight',
  'duplicate',
  'reopened',
  'return',
] as const
export type LineNoteKind = (typeof lineNoteKinds)[number]

/** What a pharmacist noted about a line. */
export const lineDecisionSchema = z.object({
  /** For the customer: why the line was refused. Null when it was not. */
  reason: z.string().nullable(),
  /** For the staff: calls to the prescriber, decisions on early refills and destinations. */
  notes: z.array(
    z.object({
      kind: z.enum(lineNoteKinds),
      text: z.string(),
      by: z.string(),
      at: z.iso.datetime(),
    }),
  ),
})
export type LineDecision = z.infer<typeof lineDecisionSchema>
