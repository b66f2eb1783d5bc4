const format = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
  timeZoneName: 'short',
})

/** "Dec 3, 16:30 UTC". */
export const formatDueTime = (iso: string): string => format.format(new Date(iso))
