import { utcDay } from '../prescriptions/prescriptions.ts'

export const futureAgreementMessage = 'Enter the day on which they agreed. It can’t be in the future.'

/** Whether a day is after today. Null is today. */
export const isFutureDay = (now: Date, day: string | null): boolean => day !== null && day > utcDay(now)
