import { z } from 'zod'
import { lineSchema } from '../checkout/checkout.ts'
import { labelChoicesSchema } from '../dispensing/label-choices.ts'
import { fillStatuses, lineReviewStatuses } from '../dispensing/dispensing.ts'
import {
  itemContentSchema,
  lineDecisionSchema,
  transcriptionSchema,
} from '../dispensing/prescription-item.ts'
import { fileTypes } from '../files/files.ts'
import { orderStatuses } from '../orders/order-status.ts'
import { prescriptionStatuses } from '../prescriptions/prescriptions.ts'

const text = z.string().nullable()

const prescriptionSchema = z.object({
  id: z.string(),
  /** "Rx 000123". Null in records from before prescriptions had numbers. */
  rxNumber: text.default(null),
  doctorName: text,
  prescriptionDate: text,
  expiryDate: text,
  notes: text,
  uploadedAt: z.string(),
  status: z.enum(prescriptionStatuses),
  statusReason: text,
  decidedAt: text,
  decidedBy: text,
  /** What a pharmacist transcribed of the file. Names instead of ids. */
  transcription: transcriptionSchema.nullable().default(null),
  /** In records from before messages existed. */
  questions: z.array(z.object({ question: z.string(), askedAt: z.string(), answer: text, answeredAt: text })),
})

const fileSchema = z.object({
  id: z.string(),
  storageKey: z.string(),
  contentType: z.enum(fileTypes),
  byteSize: z.number(),
  key: z.string(),
})

/** What was dispensed for one line: on which item, how much, who decided and who checked. */
const dispensedLineSchema = z.object({
  lineId: z.string(),
  status: z.enum(lineReviewStatuses),
  prescriptionId: text,
  /** The item as it was transcribed. Names instead of ids. */
  item: itemContentSchema.nullable(),
  fill: z
    .object({
      units: z.number(),
      daysSupply: z.number(),
      status: z.enum(fillStatuses),
      clearedAt: text,
      dispensedAt: text,
      pharmacist: text,
    })
    .nullable(),
  decision: lineDecisionSchema,
  decidedBy: text,
  decidedAt: text,
  checkedBy: text,
  checkedAt: text,
})

/**
 * What the law requires to be kept of shipped prescription medicines after the customer deleted the
 * account: who got what, on which prescription, who approved it, and how it was shipped. Times are
 * ISO 8601. Complete in itself, because the account, its prescriptions and its key no longer exist.
 */
export const dispensingRecordSchema = z.object({
  /** The deleted account, under which the audit log has its history. */
  userId: z.string(),
  orderId: z.string(),
  placedAt: z.string(),
  customerName: z.string(),
  shippingAddress: z.string(),
  /** The prescription medicines of the order. */
  lines: z.array(lineSchema),
  /** How each of them was decided and dispensed. Empty in earlier records. */
  dispensed: z.array(dispensedLineSchema).default([]),
  /** What pharmacists recorded for the labels, by name. */
  labels: z.array(labelChoicesSchema.extend({ lineId: z.string() })).default([]),
  carrier: text,
  trackingNumber: text,
  /** The changes of the order's status. `by` is null when the shop itself changed it. */
  events: z.array(z.object({ status: z.enum(orderStatuses), at: z.string(), by: text })),
  /** The order's first prescription. Null when the order was shipped without one. */
  prescription: prescriptionSchema.nullable(),
  /** Its file with the key that opens it. Null when the file could not be opened. */
  file: fileSchema.nullable(),
  /** The other prescriptions that lines were dispensed on. */
  otherPrescriptions: z
    .array(z.object({ prescription: prescriptionSchema, file: fileSchema.nullable() }))
    .default([]),
  /** Messages between the customer and the pharmacy about the order and its prescriptions. */
  messages: z
    .array(z.object({ from: z.enum(['customer', 'pharmacy']), text: z.string(), at: z.string() }))
    .default([]),
})
export type DispensingRecord = z.infer<typeof dispensingRecordSchema>

type PrescriptionView = NonNullable<DispensingRecord['prescription']> & {
  /** Null when the file could not be kept. */
  fileType: NonNullable<DispensingRecord['file']>['contentType'] | null
}

/** A record as staff see it: without keys. */
export type RecordView = Omit<DispensingRecord, 'file' | 'prescription' | 'otherPrescriptions'> & {
  /** The first one is the order's. */
  prescriptions: PrescriptionView[]
  /** When the record will be deleted. */
  retainedUntil: string
}

/** At least the last eight characters of an order number, which pages and emails show. */
export const orderNumberPattern = /^[0-9a-f-]{8,36}$/

export const recordMessages = {
  invalid: 'Enter the order number, or at least its last 8 characters.',
  missing:
    'No record has this order number. Records exist only for shipped prescription medicines of deleted accounts.',
  ambiguous: 'More than one record ends with these characters. Enter the whole order number.',
} as const

/** The same day some years later or, with a negative number, earlier. */
export function addYears(moment: Date, years: number): Date {
  const result = new Date(moment)
  result.setUTCFullYear(result.getUTCFullYear() + years)
  return result
}
