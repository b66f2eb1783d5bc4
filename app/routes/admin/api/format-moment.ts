import { formatDateTime } from '../frame/format-date-time.ts'

/** "Jan 5, 2026, 12:00 UTC". */
export const formatMoment = (date: Date): string => `${formatDateTime(date)} UTC`
