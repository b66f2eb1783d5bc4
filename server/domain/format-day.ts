const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** "Jan 5, 2024", in UTC: the day of a date or time in ISO 8601, for people. */
export const formatDay = (iso: string): string => dayFormat.format(new Date(iso))
