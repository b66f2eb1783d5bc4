import { addBusinessDays } from '../business-days.ts'
import type { LineReviewStatus } from './dispensing.ts'

/** What the customer reads about a prescription line of their order. */
export type OrderLineState = {
  status: LineReviewStatus | 'dispensed'
  message: string
  /** What happens next and when; null when nothing does. */
  next: string | null
}

/** A pharmacy typically reviews a prescription in 1-2 business days (specification, section 9). */
const reviewDays = 2

type Facts = {
  now: Date
  orderedAt: Date
  /** The earliest of when the payment lapses; null when it was charged. */
  decideBy: Date | null
  /** Whether the order's payment was captured. */
  isCharged: boolean
  /** Whether another prescription line of the order waits for a decision. */
  othersWait: boolean
  /** Whether a second pharmacist still has to check it. */
  needsSecondCheck: boolean
}

type Review = { status: LineReviewStatus; decidedAt: Date | null; dispensedAt: Date | null }

/** @param review null for an order from before reviews, which waits */
export function describeOrderLine(review: Review | null, facts: Facts): OrderLineState {
  if (review?.dispensedAt) {
    return {
      status: 'dispensed',
      message: `Dispensed on ${dayLabel(review.dispensedAt)}`,
      next: null,
    }
  }
  const status = review?.status ?? 'waiting'
  const decidedOn = review?.decidedAt ? ` on ${dayLabel(review.decidedAt)}` : ''
  switch (status) {
    case 'waiting':
      return {
        status,
        message: 'Waiting for a pharmacist',
        next: sentences(expected(facts), deadline(facts)),
      }
    case 'asked':
      return {
        status,
        message: 'A pharmacist asked you a question',
        next: sentences('We’re waiting for your answer.', deadline(facts)),
      }
    case 'cleared':
      return { status, message: `Cleared by a pharmacist${decidedOn}`, next: afterClearance(facts) }
    case 'refused':
      return { status, message: `Refused by a pharmacist${decidedOn}`, next: 'You won’t pay for it.' }
  }
}

function expected({ now, orderedAt }: Facts): string {
  const by = addBusinessDays(orderedAt, reviewDays)
  return by.getTime() < now.getTime()
    ? 'This is taking longer than usual. We’ll email you the decision.'
    : `Usually decided by ${dayLabel(by)}. We’ll email you the decision.`
}

const deadline = ({ decideBy }: Facts): string | null =>
  decideBy &&
  `If no pharmacist has decided by ${dayLabel(decideBy)}, we’ll remove it and won’t charge you for it.`

function afterClearance({ isCharged, othersWait, needsSecondCheck }: Facts): string {
  if (othersWait) return 'It ships once a pharmacist has decided on your other prescription items.'
  if (needsSecondCheck) return 'It ships after a second pharmacist has checked it.'
  return isCharged ? 'It ships within 1-2 business days.' : 'It ships once your card is charged.'
}

const sentences = (...parts: readonly (string | null)[]): string => parts.filter(Boolean).join(' ')

const dayLabel = (day: Date): string =>
  day.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
