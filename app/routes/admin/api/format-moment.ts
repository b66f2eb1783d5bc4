/** "2026-01-05 12:00 UTC". */
export const formatMoment = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
