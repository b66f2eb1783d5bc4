const momentFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

/**
 * "Jan 5, 2024, 2:05:31 PM UTC", for what the day does not tell apart. For servers: browsers write
 * the space before PM in two ways.
 */
export const formatMoment = (at: Date): string => `${momentFormat.format(at)} UTC`
