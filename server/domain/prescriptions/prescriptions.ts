/** Where a prescription's review stands (settled decisions, "Prescription status"). */
export const prescriptionStatuses = ['under_review', 'approved', 'rejected', 'expired'] as const
export type PrescriptionStatus = (typeof prescriptionStatuses)[number]

/** What its customer wrote of a prescription; dates are `YYYY-MM-DD`, everything may be left out. */
export type PrescriptionDetails = {
  doctorName: string | null
  prescriptionDate: string | null
  expiryDate: string | null
  notes: string | null
}

/** A prescription as its customer and the reviewing pharmacist see it. */
export type Prescription = PrescriptionDetails & {
  id: string
  /** Its newest order's. */
  orderId: string | null
  uploadedAt: Date
  /** As it stands today, `expired` included. */
  status: PrescriptionStatus
  statusReason: string | null
}

/** What stands against a submission, in the documented words (specification, section 5). */
export const idDocumentRequired = 'Please upload your ID document first from your profile page'
export const missingFile = 'Please upload a prescription file first'

/** The lengths of what is written about a prescription, in characters. */
export const prescriptionBounds = { doctorName: 200, notes: 2000, statusReason: 500 } as const

/** How each status is shown: in a word, in a tone, and in a sentence about what comes next. */
export const statusWords = {
  under_review: {
    label: 'Under review',
    tone: 'warning',
    sentence:
      'A pharmacy typically reviews it in 1-2 business days. You are told by email once it is decided.',
  },
  approved: {
    label: 'Approved',
    tone: 'success',
    sentence: 'A pharmacy has checked it. You can choose it when you check out.',
  },
  rejected: {
    label: 'Rejected',
    tone: 'error',
    sentence: 'The pharmacy could not accept it. You can upload another one.',
  },
  expired: {
    label: 'Expired',
    tone: 'neutral',
    sentence: 'It is no longer valid. Please upload a new one from your doctor.',
  },
} as const satisfies Record<PrescriptionStatus, { label: string; tone: string; sentence: string }>

/** A moment's date in UTC, the clock that prescriptions expire by. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/** The status that counts: a prescription is good to the end of its expiry date, whatever was decided about it. */
export const statusOn = (
  now: Date,
  { status, expiryDate }: { status: PrescriptionStatus; expiryDate: string | null },
): PrescriptionStatus => (expiryDate !== null && expiryDate < dayOf(now) ? 'expired' : status)

/** Where the day begins first it is 14 hours ahead of UTC: what is dated today there is not of the future. */
const firstZoneMs = 14 * 3600 * 1000

/** What is wrong with details that are well formed, by field; a past expiry is not, for it is shown as expired. */
export const detailsProblems = (
  now: Date,
  { prescriptionDate }: Pick<PrescriptionDetails, 'prescriptionDate'>,
): Record<string, string> =>
  prescriptionDate !== null && prescriptionDate > dayOf(new Date(now.getTime() + firstZoneMs))
    ? { prescriptionDate: 'The prescription date is in the future.' }
    : {}

/** What an admin sets; what is left out stays. */
export type Decision = { status?: PrescriptionStatus | undefined; statusReason?: string | null | undefined }

type Decided = { status: PrescriptionStatus; statusReason: string | null }

/**
 * What a decision makes of a prescription, or what stands against it. A rejection needs its reason, which its customer reads;
 * the reason of one decision does not stay beside the next. What has expired by date cannot be approved.
 */
export function decide(
  now: Date,
  stored: Decided & { expiryDate: string | null },
  { status = stored.status, statusReason }: Decision,
): Decided | 'no reason' | 'expired' {
  const kept = status === stored.status ? stored.statusReason : null
  const reason = statusReason === undefined ? kept : statusReason
  if (status === 'rejected' && reason === null) return 'no reason'
  if (status === 'approved' && status !== stored.status && statusOn(now, stored) === 'expired')
    return 'expired'
  return { status, statusReason: reason }
}
