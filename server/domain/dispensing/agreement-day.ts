import { isFutureDay } from '../days.ts'

/**
 * What is wrong with the day of a prescriber's agreement; null when nothing is. No day means today.
 */
export const agreementDayProblem = (now: Date, { on }: { on: string | null }): string | null =>
  on !== null && isFutureDay(now, on)
    ? 'Enter the day on which they agreed. It can’t be in the future.'
    : null
