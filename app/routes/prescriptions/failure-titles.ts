/** The titles of failed forms of My Prescriptions, by their intent. */
export const failureTitles = {
  delete: 'Failed to delete prescription',
  message: 'Failed to send message',
  refill: 'Not ready to refill',
  'reminders-on': 'Failed to turn on reminders',
  'reminders-off': 'Failed to turn off reminders',
} as const
