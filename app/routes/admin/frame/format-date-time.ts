const format = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
  // Not `hour12: false`: some engines format midnight as 24.
  hourCycle: 'h23',
})

/** "Jan 5, 2024, 14:03", in UTC like all dates of the shop. */
export const formatDateTime = (at: string | Date): string => format.format(new Date(at))

/** "Jan 5, 2024, 14:03 UTC". */
export const formatUtc = (at: string | Date): string => `${formatDateTime(at)} UTC`
