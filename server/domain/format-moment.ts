const momentFormat = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

/**
 * "Jan 5, 2024, 2:05:31 PM UTC", for items of the same day. For servers: browsers write the space
 * before PM in two ways.
 */
export const formatMoment = (at: Date): string => `${momentFormat.format(at)} UTC`
