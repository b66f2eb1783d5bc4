import { z } from 'zod'
import { lineSchema } from '../checkout/checkout.ts'
import { fileTypes } from '../files/files.ts'
import { orderStatuses } from '../orders/order-status.ts'
import { prescriptionStatuses } from '../prescriptions/prescriptions.ts'

const text = z.string().nullable()

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
  carrier: text,
  trackingNumber: text,
  /** The changes of the order's status. `by` is null when the shop itself changed it. */
  events: z.array(z.object({ status: z.enum(orderStatuses), at: z.string(), by: text })),
  /** Null when the order was shipped without one. */
  prescription: z
    .object({
      id: z.string(),
      doctorName: text,
      prescriptionDate: text,
      expiryDate: text,
      notes: text,
      uploadedAt: z.string(),
      status: z.enum(prescriptionStatuses),
      statusReason: text,
      decidedAt: text,
      decidedBy: text,
      questions: z.array(
        z.object({ question: z.string(), askedAt: z.string(), answer: text, answeredAt: text }),
      ),
    })
    .nullable(),
  /** The prescription's file with the key that opens it. Null when the file could not be opened. */
  file: z
    .object({
      id: z.string(),
      storageKey: z.string(),
      contentType: z.enum(fileTypes),
      byteSize: z.number(),
      key: z.string(),
    })
    .nullable(),
})
export type DispensingRecord = z.infer<typeof dispensingRecordSchema>

/** A record as staff see it: without keys. */
export type RecordView = Omit<DispensingRecord, 'file'> & {
  fileType: NonNullable<DispensingRecord['file']>['contentType'] | null
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
