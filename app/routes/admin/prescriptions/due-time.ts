const format = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

/** "Dec 3, 4:30 PM UTC". */
export const formatDueTime = (iso: string): string => format.format(new Date(iso))
