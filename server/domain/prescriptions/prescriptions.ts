import { isFutureDay, utcDay } from '../days.ts'
/** The status of a prescription's review (settled decisions, "Prescription status"). */
export const prescriptionStatuses = ['under_review', 'approved', 'rejected', 'expired'] as const
export type PrescriptionStatus = (typeof prescriptionStatuses)[number]

/**
 * What the customer entered about a prescription; dates are `YYYY-MM-DD`, all fields are optional.
 */
export type PrescriptionDetails = {
  doctorName: string | null
  prescriptionDate: string | null
  expiryDate: string | null
  notes: string | null
}

/** A prescription as its customer and the reviewing pharmacist see it. */
export type Prescription = PrescriptionDetails & {
  id: string
  /** The dependant it is for; null for the customer. */
  patientId: string | null
  /** The id of its newest order. */
  orderId: string | null
  uploadedAt: Date
  /** The status today, including `expired`. */
  status: PrescriptionStatus
  statusReason: string | null
}

/** Why a submission is refused, in the specified words (specification, section 5). */
export const idDocumentRequiredMessage = 'Please upload your ID document first from your profile page'
export const missingFileMessage = 'Please upload a prescription file first'

/** Why staff can't decide on their own prescription. */
export const ownPrescriptionMessage = 'This is your own prescription. Ask a colleague to review it.'

/** Why a customer can’t delete a prescription. */
export const usedPrescriptionMessage = 'You can’t delete this prescription because an order uses it.'

/** Maximum lengths in characters. */
export const prescriptionBounds = { doctorName: 200, notes: 2000, statusReason: 500 } as const

/** How each status is displayed: a label, a tone, and a sentence about what comes next. */
export const statusMessages = {
  under_review: {
    label: 'Under review',
    tone: 'warning',
    sentence:
      'A pharmacy typically reviews it in 1-2 business days. We’ll email you the decision. You can order with it now.',
  },
  approved: {
    label: 'Approved',
    tone: 'success',
    sentence: 'A pharmacy has approved it. It covers the medications that it lists, and nothing else.',
  },
  rejected: {
    label: 'Rejected',
    tone: 'error',
    sentence: 'The pharmacy couldn’t accept it. You can upload another one.',
  },
  expired: {
    label: 'Expired',
    tone: 'neutral',
    sentence: 'It’s no longer valid. Upload a new one from your doctor.',
  },
} as const satisfies Record<PrescriptionStatus, { label: string; tone: string; sentence: string }>

/**
 * The status on a day: after the end of its expiry date a prescription is expired, whatever was
 * decided.
 */
export const statusOn = (
  now: Date,
  { status, expiryDate }: { status: PrescriptionStatus; expiryDate: string | null },
): PrescriptionStatus => (expiryDate !== null && expiryDate < utcDay(now) ? 'expired' : status)

/**
 * The errors of well-formed details, by field. A past expiry date is not an error: the prescription
 * is shown as expired.
 */
export const detailsErrors = (
  now: Date,
  { prescriptionDate }: Pick<PrescriptionDetails, 'prescriptionDate'>,
): Record<string, string> =>
  prescriptionDate !== null && isFutureDay(now, prescriptionDate)
    ? { prescriptionDate: 'The prescription date can’t be in the future.' }
    : {}

/** What an admin sets; fields that are left out stay. */
export type Decision = { status?: PrescriptionStatus | undefined; statusReason?: string | null | undefined }

type DecidedState = { status: PrescriptionStatus; statusReason: string | null }

/**
 * The state after a decision, or why it is refused. A rejection requires a reason, which the
 * customer reads; the reason of one decision is not carried over to the next. An expired
 * prescription cannot be approved.
 */
export function applyDecision(
  now: Date,
  stored: DecidedState & { expiryDate: string | null },
  { status = stored.status, statusReason }: Decision,
): DecidedState | 'reason required' | 'expired' {
  const previousReason = status === stored.status ? stored.statusReason : null
  const reason = statusReason === undefined ? previousReason : statusReason
  if (status === 'rejected' && reason === null) return 'reason required'
  if (status === 'approved' && status !== stored.status && statusOn(now, stored) === 'expired')
    return 'expired'
  return { status, statusReason: reason }
}

/** Whom a prescription is for: a dependant, or the customer. */
export const patientOf = ({ patientId, userId }: { patientId: string | null; userId: string }): string =>
  patientId ?? userId
